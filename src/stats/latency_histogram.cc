#include "stats/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace ashlar::stats {
namespace {

constexpr unsigned kSubBits = 7;
constexpr uint64_t kSubBuckets = uint64_t{1} << kSubBits;
constexpr unsigned kTopBit = 40;
// Values below kSubBuckets fill the first row one by one; every power of two above has a row; the last bucket is for
// kLargestNanoseconds itself.
constexpr size_t kBuckets = (kTopBit - kSubBits + 1) * kSubBuckets + 1;

size_t BucketOf(uint64_t value) {
  if (value < kSubBuckets) return value;
  const unsigned exponent = static_cast<unsigned>(std::bit_width(value)) - 1;
  const unsigned shift = exponent - kSubBits;
  return (size_t{shift} + 1) * kSubBuckets + ((value >> shift) - kSubBuckets);
}

// The middle of the values that share the bucket.
int64_t MiddleOf(size_t bucket) {
  if (bucket < kSubBuckets) return static_cast<int64_t>(bucket);
  const size_t shift = bucket / kSubBuckets - 1;
  const uint64_t low = (kSubBuckets + bucket % kSubBuckets) << shift;
  return static_cast<int64_t>(low + (((uint64_t{1} << shift) - 1) / 2));
}

}  // namespace

LatencyHistogram::LatencyHistogram() : buckets_(kBuckets, 0) {}

void LatencyHistogram::RecordMany(int64_t nanoseconds, uint64_t times) {
  if (times == 0) return;
  const int64_t value = std::max<int64_t>(nanoseconds, 0);
  buckets_[BucketOf(static_cast<uint64_t>(std::min(value, kLargestNanoseconds)))] += times;
  min_nanoseconds_ = count_ == 0 ? value : std::min(min_nanoseconds_, value);
  max_nanoseconds_ = std::max(max_nanoseconds_, value);
  count_ += times;
  sum_nanoseconds_ += static_cast<double>(value) * static_cast<double>(times);
}

void LatencyHistogram::Merge(const LatencyHistogram& other) {
  if (other.count_ == 0) return;
  for (size_t i = 0; i < buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
  min_nanoseconds_ = count_ == 0 ? other.min_nanoseconds_ : std::min(min_nanoseconds_, other.min_nanoseconds_);
  max_nanoseconds_ = std::max(max_nanoseconds_, other.max_nanoseconds_);
  count_ += other.count_;
  sum_nanoseconds_ += other.sum_nanoseconds_;
}

void LatencyHistogram::Clear() {
  std::fill(buckets_.begin(), buckets_.end(), 0);
  count_ = 0;
  sum_nanoseconds_ = 0;
  min_nanoseconds_ = 0;
  max_nanoseconds_ = 0;
}

absl::Duration LatencyHistogram::Quantile(double share) const {
  if (count_ == 0) return absl::ZeroDuration();
  const double wanted = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(count_));
  const uint64_t rank = std::clamp<uint64_t>(static_cast<uint64_t>(wanted), 1, count_);
  uint64_t seen = 0;
  size_t bucket = 0;
  while (bucket + 1 < buckets_.size() && seen + buckets_[bucket] < rank) seen += buckets_[bucket++];
  // The middle of the first or last bucket may lie outside what was seen; the exact ends are known.
  if (bucket + 1 == buckets_.size()) return Max();
  return absl::Nanoseconds(std::clamp(MiddleOf(bucket), min_nanoseconds_, max_nanoseconds_));
}

absl::Duration LatencyHistogram::Min() const { return absl::Nanoseconds(min_nanoseconds_); }

absl::Duration LatencyHistogram::Max() const { return absl::Nanoseconds(max_nanoseconds_); }

absl::Duration LatencyHistogram::Mean() const {
  if (count_ == 0) return absl::ZeroDuration();
  return absl::Nanoseconds(sum_nanoseconds_ / static_cast<double>(count_));
}

}  // namespace ashlar::stats
