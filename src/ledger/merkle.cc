#include "ledger/merkle.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ashlar::ledger {
namespace {

using base::Sha256Digest;

constexpr size_t kHashBytes = std::tuple_size_v<Sha256Digest>;

bool IsOdd(uint64_t number) { return (number & 1U) != 0; }

// The split of RFC 6962: the largest power of two smaller than `count`, which is above 1.
uint64_t SplitOf(uint64_t count) { return std::bit_floor(count - 1); }

// Walks up from a node that had no right neighbour to the level where it is one, or to the root.
void SkipMissingNeighbours(uint64_t& node, uint64_t& last) {
  while (node != 0 && !IsOdd(node)) {
    node >>= 1U;
    last >>= 1U;
  }
}

}  // namespace

Sha256Digest LeafHash(std::string_view entry) {
  thread_local base::Sha256Stream stream;  // the entry need not be copied behind its prefix
  stream.Update(std::string_view("\0", 1));
  stream.Update(entry);
  return stream.Finish();
}

Sha256Digest NodeHash(const Sha256Digest& left, const Sha256Digest& right) {
  std::array<char, 1 + 2 * kHashBytes> bytes;
  bytes[0] = 1;
  std::memcpy(bytes.data() + 1, left.data(), kHashBytes);
  std::memcpy(bytes.data() + 1 + kHashBytes, right.data(), kHashBytes);
  return base::Sha256(std::string_view(bytes.data(), bytes.size()));
}

Sha256Digest FoldPeaks(std::span<const Sha256Digest> peaks) {
  if (peaks.empty()) return base::Sha256("");
  Sha256Digest hash = peaks.back();
  for (size_t i = peaks.size() - 1; i > 0; --i) hash = NodeHash(peaks[i - 1], hash);
  return hash;
}

base::StatusOr<Frontier> Frontier::Parse(uint64_t size, std::string_view bytes) {
  const auto count = static_cast<size_t>(std::popcount(size));
  if (bytes.size() != count * kHashBytes) {
    return base::Error(base::StatusCode::kInvalidArgument, "right edge of a tree of {} entries: want {} bytes, got {}",
                       size, count * kHashBytes, bytes.size());
  }
  Frontier frontier;
  frontier.size_ = size;
  frontier.peaks_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    std::memcpy(frontier.peaks_[i].data(), bytes.data() + i * kHashBytes, kHashBytes);
  }
  return frontier;
}

std::string Frontier::Serialise() const {
  std::string bytes;
  bytes.reserve(peaks_.size() * kHashBytes);
  for (const Sha256Digest& peak : peaks_) bytes += base::AsBytes(peak);
  return bytes;
}

void Frontier::Append(const Sha256Digest& leaf, std::vector<TreeNode>* completed) {
  Sha256Digest hash = leaf;
  // As in binary addition: each bit that carries joins two subtrees of the same height.
  for (uint32_t level = 0; IsOdd(size_ >> level); ++level) {
    hash = NodeHash(peaks_.back(), hash);
    peaks_.pop_back();
    const uint32_t above = level + 1;
    if (completed != nullptr && above % kStoredLevelStep == 0) {
      completed->push_back({.level = above, .position = size_ >> above, .hash = hash});
    }
  }
  peaks_.push_back(hash);
  ++size_;
}

base::StatusOr<ProofPath> MakeInclusionPath(uint64_t sequence, uint64_t tree_size, const RangeHash& hash) {
  ProofPath path;
  uint64_t begin = 0;
  uint64_t end = tree_size;
  while (end - begin > 1) {
    const uint64_t split = begin + SplitOf(end - begin);
    const bool left = sequence < split;
    ASHLAR_ASSIGN_OR_RETURN(const Sha256Digest other, left ? hash(split, end) : hash(begin, split));
    path.push_back(other);
    (left ? end : begin) = split;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

base::StatusOr<ProofPath> MakeConsistencyPath(uint64_t from, uint64_t to, const RangeHash& hash) {
  ProofPath path;
  uint64_t begin = 0;
  uint64_t end = to;
  // The range narrows down to the last complete subtree of the earlier tree.
  while (end != from) {
    const uint64_t split = begin + SplitOf(end - begin);
    const bool left = from <= split;
    ASHLAR_ASSIGN_OR_RETURN(const Sha256Digest other, left ? hash(split, end) : hash(begin, split));
    path.push_back(other);
    (left ? end : begin) = split;
  }
  if (begin != 0) {  // else the verifier has it: it is the earlier root
    ASHLAR_ASSIGN_OR_RETURN(const Sha256Digest last, hash(begin, end));
    path.push_back(last);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

bool PathShowsInclusion(uint64_t sequence, const Sha256Digest& leaf, const TreeHead& tree,
                        std::span<const Sha256Digest> path) {
  if (sequence >= tree.size) return false;
  uint64_t node = sequence;
  uint64_t last = tree.size - 1;
  Sha256Digest hash = leaf;
  for (const Sha256Digest& other : path) {
    if (last == 0) return false;
    if (IsOdd(node) || node == last) {
      hash = NodeHash(other, hash);
      SkipMissingNeighbours(node, last);
    } else {
      hash = NodeHash(hash, other);
    }
    node >>= 1U;
    last >>= 1U;
  }
  return last == 0 && hash == tree.root;
}

bool PathShowsConsistency(const TreeHead& earlier, const TreeHead& later, std::span<const Sha256Digest> path) {
  if (earlier.size == 0 || earlier.size > later.size) return false;
  if (earlier.size == later.size) return path.empty() && earlier.root == later.root;
  if (path.empty()) return false;
  Sha256Digest old_hash = path.front();
  if (std::has_single_bit(earlier.size)) {
    old_hash = earlier.root;  // a complete tree is itself the first step
  } else {
    path = path.subspan(1);
  }
  Sha256Digest new_hash = old_hash;
  uint64_t node = earlier.size - 1;
  uint64_t last = later.size - 1;
  while (IsOdd(node)) {
    node >>= 1U;
    last >>= 1U;
  }
  for (const Sha256Digest& other : path) {
    if (last == 0) return false;
    if (IsOdd(node) || node == last) {
      old_hash = NodeHash(other, old_hash);
      new_hash = NodeHash(other, new_hash);
      SkipMissingNeighbours(node, last);
    } else {
      new_hash = NodeHash(new_hash, other);
    }
    node >>= 1U;
    last >>= 1U;
  }
  return last == 0 && old_hash == earlier.root && new_hash == later.root;
}

}  // namespace ashlar::ledger
