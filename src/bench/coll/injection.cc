#include "bench/coll/injection.h"

#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "bench/coll/limits.h"

namespace ashlar::bench {
namespace {

base::Status Wrong(std::string_view fault, std::string_view expectation) {
  return base::Error(base::StatusCode::kInvalidArgument, "--inject {}: {}", fault, expectation);
}

base::StatusOr<RankFault> ParseFault(std::string_view text) {
  const std::vector<std::string_view> parts = base::Split(text, ':');
  constexpr std::string_view kForm = "must be RANK:hang, RANK:crash, RANK:corrupt or RANK:slow:SHARE as 1:slow:0.4";
  if (parts.size() < 2) return Wrong(text, kForm);
  RankFault fault;
  const auto rank = base::ParseInt64(parts[0]);
  if (!rank.has_value() || *rank < 0 || *rank >= kMaxRanks) return Wrong(text, kForm);
  fault.rank = static_cast<int>(*rank);
  if (parts[1] == "slow") {
    const auto share = parts.size() == 3 ? base::ParseDouble(parts[2]) : std::nullopt;
    if (!share.has_value() || !(*share > 0 && *share < 1)) {
      return Wrong(text, "slow needs the share of the speed that is left, above 0 and below 1, as 1:slow:0.4");
    }
    fault.speed_left = *share;
    return fault;
  }
  constexpr std::pair<std::string_view, RankFault::Kind> kKinds[] = {
      {"corrupt", RankFault::Kind::kCorrupt}, {"hang", RankFault::Kind::kHang}, {"crash", RankFault::Kind::kCrash}};
  const auto* const kind =
      std::find_if(std::begin(kKinds), std::end(kKinds), [&](const auto& row) { return row.first == parts[1]; });
  if (parts.size() != 2 || kind == std::end(kKinds)) return Wrong(text, kForm);
  fault.kind = kind->second;
  return fault;
}

void BeLate(absl::Duration by) {
  base::Mutex mutex;
  base::CondVar nobody;
  base::MutexLock lock(mutex);
  const absl::Duration end = base::SystemClock().Monotonic() + by;
  for (absl::Duration left = by; left > absl::ZeroDuration(); left = end - base::SystemClock().Monotonic()) {
    nobody.WaitFor(mutex, left);
  }
}

class FaultyBackend : public CollectiveBackend {
 public:
  FaultyBackend(std::unique_ptr<CollectiveBackend> inner, const std::vector<RankFault>& faults)
      : inner_(std::move(inner)) {
    for (const RankFault& fault : faults) {
      anyone_slow_ |= fault.kind == RankFault::Kind::kSlow;
      if (fault.rank != inner_->rank()) continue;
      if (fault.kind == RankFault::Kind::kSlow) speed_left_ = std::min(speed_left_, fault.speed_left);
      corrupt_ |= fault.kind == RankFault::Kind::kCorrupt;
      hang_ |= fault.kind == RankFault::Kind::kHang;
      crash_ |= fault.kind == RankFault::Kind::kCrash;
    }
  }

  std::string_view name() const override { return inner_->name(); }
  std::string library() const override { return inner_->library(); }
  int rank() const override { return inner_->rank(); }
  int ranks() const override { return inner_->ranks(); }
  base::Status Check(const CollectiveCall& call) const override { return inner_->Check(call); }

  base::Status Time(const CollectiveCall& call, int64_t iterations, std::span<double> seconds) override {
    constexpr int kGoodCalls = 2;
    // Calls of one element only settle the ranks.
    if (call.count > 1 && ++calls_ > kGoodCalls) {
      if (crash_) raise(SIGKILL);
      while (hang_) raise(SIGSTOP);  // as a machine that froze: no sign of life either
    }
    if (!anyone_slow_) return inner_->Time(call, iterations, seconds);
    // All ranks do this, so that the others feel how late one comes.
    for (double& batch : seconds) {
      ASHLAR_RETURN_IF_ERROR(inner_->Time(call, iterations, {&batch, 1}));
      const absl::Duration begin = base::SystemClock().Monotonic();
      if (speed_left_ < 1) BeLate(absl::Seconds(batch * (1 / speed_left_ - 1)));
      ASHLAR_RETURN_IF_ERROR(inner_->Barrier());
      batch += absl::ToDoubleSeconds(base::SystemClock().Monotonic() - begin);
    }
    return base::OkStatus();
  }

  base::Status Barrier() override { return inner_->Barrier(); }
  base::StatusOr<std::vector<double>> ShareNumbers(std::span<const double> mine) override {
    return inner_->ShareNumbers(mine);
  }
  base::StatusOr<std::vector<std::string>> ShareText(std::string_view mine) override { return inner_->ShareText(mine); }
  void* AllocateBuffer(uint64_t bytes) override { return inner_->AllocateBuffer(bytes); }
  void FreeBuffer(void* buffer) override { inner_->FreeBuffer(buffer); }
  base::Status WriteBuffer(void* buffer, uint64_t offset, std::span<const std::byte> bytes) override {
    return inner_->WriteBuffer(buffer, offset, bytes);
  }
  base::Status ReadBuffer(const void* buffer, uint64_t offset, std::span<std::byte> bytes) override {
    ASHLAR_RETURN_IF_ERROR(inner_->ReadBuffer(buffer, offset, bytes));
    if (corrupt_ && !bytes.empty()) bytes.front() ^= std::byte{0x40};
    return base::OkStatus();
  }
  [[noreturn]] void Abort(int exit_code) override {
    inner_->Abort(exit_code);
    std::abort();  // never reached
  }

 private:
  std::unique_ptr<CollectiveBackend> inner_;
  double speed_left_ = 1;
  bool anyone_slow_ = false;
  bool corrupt_ = false;
  bool hang_ = false;
  bool crash_ = false;
  int calls_ = 0;
};

}  // namespace

base::StatusOr<std::vector<RankFault>> ParseRankFaults(std::string_view text) {
  std::vector<RankFault> faults;
  if (text.empty()) return faults;
  for (const std::string_view one : base::Split(text, ',')) {
    ASHLAR_ASSIGN_OR_RETURN(const RankFault fault, ParseFault(one));
    faults.push_back(fault);
  }
  return faults;
}

std::unique_ptr<CollectiveBackend> WithFaults(std::unique_ptr<CollectiveBackend> inner,
                                              const std::vector<RankFault>& faults) {
  if (faults.empty()) return inner;
  return std::make_unique<FaultyBackend>(std::move(inner), faults);
}

}  // namespace ashlar::bench
