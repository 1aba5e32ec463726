#include "bench/coll/verification.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/coll/thread_backend_testing.h"

namespace ashlar::bench {
namespace {

constexpr int kRanks = 3;

// What each rank says about one all_reduce of 1,000 32-bit whole numbers.
std::vector<base::StatusOr<uint64_t>> Verify(const ThreadFaults& faults, Collective collective, bool in_place) {
  ThreadWorld world(
      kRanks, [](const CollectiveCall&, int64_t) { return 1e-6; }, faults);
  std::vector<base::StatusOr<uint64_t>> wrong(kRanks, base::StatusOr<uint64_t>(0));
  world.Run([&](CollectiveBackend& backend) {
    const MessagePlan plan = PlanMessage(collective, DataType::kInt32, kRanks, 4000);
    CollectiveCall call{
        .collective = collective, .type = DataType::kInt32, .root = 1, .count = plan.count, .in_place = in_place};
    call.send = backend.AllocateBuffer(plan.send_elements * 4);
    call.receive = backend.AllocateBuffer(plan.receive_elements * 4);
    wrong[static_cast<size_t>(backend.rank())] = CountWrongResults(backend, plan, call, 7);
    backend.FreeBuffer(call.send);
    backend.FreeBuffer(call.receive);
  });
  return wrong;
}

TEST(Verification, ErrorsOfTheBackendAreNoResult) {
  const ThreadFaults faults{.time_error = base::Error(base::StatusCode::kInternal, "link down")};
  for (const auto& wrong : Verify(faults, Collective::kAllReduce, false)) {
    EXPECT_EQ(wrong.status().code(), base::StatusCode::kInternal);
  }
}

TEST(Verification, EveryRankLearnsOfOneDamagedElement) {
  for (const bool in_place : {false, true}) {
    for (const auto& wrong : Verify({.corrupt_rank = 2, .corrupt_element = 999}, Collective::kAllReduce, in_place)) {
      EXPECT_EQ(wrong.value(), 1U) << in_place;
    }
  }
}

TEST(Verification, ARightResultHasNothingWrong) {
  for (const CollectiveInfo& info : Collectives()) {
    for (const bool in_place : {false, true}) {
      for (const auto& wrong : Verify({}, info.collective, in_place)) EXPECT_EQ(wrong.value(), 0U) << info.name;
    }
  }
}

}  // namespace
}  // namespace ashlar::bench
