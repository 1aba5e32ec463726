#include "ledger/tree_reader.h"

#include <bit>
#include <vector>

namespace ashlar::ledger {
namespace {

// [begin, begin + 2^height), begin a multiple of the size.
base::StatusOr<base::Sha256Digest> HashCompleteSubtree(Store& store, uint64_t begin, uint32_t height) {
  const uint32_t level = height - height % kStoredLevelStep;
  const uint64_t end = begin + (uint64_t{1} << height);
  ASHLAR_ASSIGN_OR_RETURN(const auto hashes, store.ReadHashes(level, begin >> level, end >> level));
  Frontier frontier;  // over subtrees instead of leaves: the joining is the same
  for (const base::Sha256Digest& hash : hashes) frontier.Append(hash, nullptr);
  return frontier.Root();
}

}  // namespace

base::StatusOr<base::Sha256Digest> HashStoredRange(Store& store, uint64_t begin, uint64_t end) {
  std::vector<base::Sha256Digest> peaks;
  while (begin < end) {
    const auto height = static_cast<uint32_t>(std::bit_width(end - begin) - 1);
    ASHLAR_ASSIGN_OR_RETURN(peaks.emplace_back(), HashCompleteSubtree(store, begin, height));
    begin += uint64_t{1} << height;
  }
  return FoldPeaks(peaks);
}

}  // namespace ashlar::ledger
