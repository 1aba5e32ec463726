#include "node/checks/clock_synchronised.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

struct ClockCase {
  std::string name;
  base::StatusOr<ClockState> clock;
  std::string node_yaml;
  Verdict verdict;
  std::string reason;
};

TEST(ClockSynchronised, Cases) {
  const std::vector<ClockCase> cases = {
      {"unreadable", base::Error(base::StatusCode::kPermissionDenied, "adjtimex: not permitted"), "", Verdict::kUnknown,
       "not permitted"},
      {"impossible", ClockState{true, absl::Seconds(-1)}, "", Verdict::kUnknown, "negative"},
      // STA_UNSYNC: the kernel sets the error to 16 s.
      {"not synchronised", ClockState{false, absl::Seconds(16)}, "", Verdict::kFail, "chrony"},
      {"not synchronised, small error", ClockState{false, absl::Milliseconds(1)}, "", Verdict::kFail, "chrony"},
      {"at the limit of 1 s", ClockState{true, absl::Seconds(1)}, "", Verdict::kPass, ""},
      {"over the limit", ClockState{true, absl::Milliseconds(1001)}, "", Verdict::kFail, "too far off"},
      {"stricter in the configuration", ClockState{true, absl::Milliseconds(20)}, "clock_error_seconds: 0.01",
       Verdict::kFail, "too far off"},
  };
  for (const auto& row : cases) {
    SCOPED_TRACE(row.name);
    FakeMachine machine;
    machine.kernel.clock = row.clock;
    const auto finding = OnlyFinding(machine.Run(&CheckClockSynchronised, row.node_yaml));
    EXPECT_EQ(finding.verdict, row.verdict) << DescribeFinding(finding);
    EXPECT_NE(finding.reason.find(row.reason), std::string::npos) << finding.reason;
  }
}

}  // namespace
}  // namespace ashlar::node
