// How long operations took: a histogram whose buckets grow with the value, so that microseconds and seconds fit one
// small table, and any quantile is right within 1 %.
//
// Buckets: each power of two is cut into 128 equal parts; a value below 128 ns has its own bucket. A quantile is the
// middle of its bucket, so it is off by at most half a bucket: 1/256 of the value, 0.4 %. This is the layout of HDR
// histograms (hdrhistogram.org) with 7 significant bits. Minimum, maximum and mean are exact.
// One thread records; copies are values. 34 KiB each: keep it off the stack of recursive code.
#pragma once

#include <absl/time/time.h>

#include <cstdint>
#include <vector>

namespace ashlar::stats {

class LatencyHistogram {
 public:
  // Longest duration that is told apart: 2^40 ns, 18.3 min. Longer ones are counted as that one; Max() stays exact.
  static constexpr int64_t kLargestNanoseconds = int64_t{1} << 40;
  // Bound on |Quantile - exact nearest-rank quantile| / exact.
  static constexpr double kRelativeError = 1.0 / 256;

  LatencyHistogram();

  // Adds one duration. A negative one (a clock that went back) counts as 0.
  void Record(int64_t nanoseconds) { RecordMany(nanoseconds, 1); }
  // Adds `times` equal durations.
  void RecordMany(int64_t nanoseconds, uint64_t times);
  // Adds everything that `other` holds.
  void Merge(const LatencyHistogram& other);
  // Forgets everything, keeps the memory.
  void Clear();

  uint64_t count() const { return count_; }

  // Nearest rank: the smallest recorded duration that at least share*count() durations do not exceed. `share` below 0
  // reads as 0 (the minimum), above 1 as 1 (the maximum). All of these are zero when nothing was recorded.
  absl::Duration Quantile(double share) const;
  absl::Duration Min() const;
  absl::Duration Max() const;
  absl::Duration Mean() const;

 private:
  std::vector<uint64_t> buckets_;
  uint64_t count_ = 0;
  double sum_nanoseconds_ = 0;
  int64_t min_nanoseconds_ = 0;
  int64_t max_nanoseconds_ = 0;
};

}  // namespace ashlar::stats
