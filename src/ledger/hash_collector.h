// Gathers a range of stored hashes row by row and refuses a gap: both stores read trees through it. For one thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::ledger {

class HashCollector {
 public:
  HashCollector(uint32_t level, uint64_t begin, uint64_t end) : level_(level), begin_(begin), end_(end) {}

  // The next row. kDataLoss when it is not the next position or no SHA-256.
  base::Status Add(uint64_t position, std::string_view hash);
  // Everything; kDataLoss when the range is not complete.
  base::StatusOr<std::vector<base::Sha256Digest>> Take() &&;

 private:
  base::Status Missing() const;

  uint32_t level_;
  uint64_t begin_;
  uint64_t end_;
  std::vector<base::Sha256Digest> hashes_;
};

}  // namespace ashlar::ledger
