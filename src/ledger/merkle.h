// The Merkle tree of RFC 6962 section 2.1 over SHA-256: hashes, the growing right edge, and checking of paths.
//
// Pure functions and values without locks: any thread may call the functions, a Frontier is for one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "ledger/proof.h"

namespace ashlar::ledger {

// Hashes of complete subtrees are stored at every 8th level, so that a proof reads at most 256 hashes a step.
inline constexpr uint32_t kStoredLevelStep = 8;
inline constexpr uint64_t kGroupEntries = uint64_t{1} << kStoredLevelStep;

// SHA-256(0x00 || entry).
base::Sha256Digest LeafHash(std::string_view entry);
// SHA-256(0x01 || left || right).
base::Sha256Digest NodeHash(const base::Sha256Digest& left, const base::Sha256Digest& right);
// The tree hash over complete subtrees that stand side by side, largest first; SHA-256("") for none.
base::Sha256Digest FoldPeaks(std::span<const base::Sha256Digest> peaks);

// A complete subtree: it covers entries [position << level, (position + 1) << level).
struct TreeNode {
  uint32_t level = 0;
  uint64_t position = 0;
  base::Sha256Digest hash{};
};

// The complete subtrees that cover the first size() leaves, largest first: what appending needs to know of the tree.
class Frontier {
 public:
  // kInvalidArgument when `bytes` is not one hash for each bit that is set in `size`.
  static base::StatusOr<Frontier> Parse(uint64_t size, std::string_view bytes);
  std::string Serialise() const;

  // Adds one leaf; complete subtrees of a stored level go to `completed` when it is not null.
  void Append(const base::Sha256Digest& leaf, std::vector<TreeNode>* completed);

  uint64_t size() const { return size_; }
  const std::vector<base::Sha256Digest>& peaks() const { return peaks_; }
  base::Sha256Digest Root() const { return FoldPeaks(peaks_); }

 private:
  uint64_t size_ = 0;
  std::vector<base::Sha256Digest> peaks_;
};

// The tree hash over leaves [begin, end), begin a multiple of the smallest power of two that is not below end - begin.
using RangeHash = std::function<base::StatusOr<base::Sha256Digest>(uint64_t begin, uint64_t end)>;

// PATH(sequence, D[tree_size]) of section 2.1.1. Errors are those of `hash`; the caller checks the range.
base::StatusOr<ProofPath> MakeInclusionPath(uint64_t sequence, uint64_t tree_size, const RangeHash& hash);
// PROOF(from, D[to]) of section 2.1.2.
base::StatusOr<ProofPath> MakeConsistencyPath(uint64_t from, uint64_t to, const RangeHash& hash);

// One tree, as a head states it.
struct TreeHead {
  uint64_t size = 0;
  base::Sha256Digest root{};
};

// True when `path` shows that `leaf` is number `sequence` of `tree`. Algorithm: RFC 9162 section 2.1.3.2.
bool PathShowsInclusion(uint64_t sequence, const base::Sha256Digest& leaf, const TreeHead& tree,
                        std::span<const base::Sha256Digest> path);
// True when `path` shows that `later` extends `earlier`, which must not be empty. RFC 9162 section 2.1.4.2.
bool PathShowsConsistency(const TreeHead& earlier, const TreeHead& later, std::span<const base::Sha256Digest> path);

}  // namespace ashlar::ledger
