#include "ledger/hash_collector.h"

#include <cstring>

namespace ashlar::ledger {

base::Status HashCollector::Missing() const {
  const uint64_t position = begin_ + hashes_.size();
  return base::Error(base::StatusCode::kDataLoss,
                     "the stored hash of level {} over entries {} to {} is missing or malformed; run `ashlar ledger "
                     "verify`",
                     level_, position << level_, ((position + 1) << level_) - 1);
}

base::Status HashCollector::Add(uint64_t position, std::string_view hash) {
  if (position != begin_ + hashes_.size() || hash.size() != sizeof(base::Sha256Digest)) return Missing();
  std::memcpy(hashes_.emplace_back().data(), hash.data(), hash.size());
  return base::OkStatus();
}

base::StatusOr<std::vector<base::Sha256Digest>> HashCollector::Take() && {
  if (hashes_.size() != end_ - begin_) return Missing();
  return std::move(hashes_);
}

}  // namespace ashlar::ledger
