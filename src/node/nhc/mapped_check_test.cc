#include "node/nhc/mapped_check.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"
#include "node/checks/finding.h"
#include "node/checks/swap.h"

namespace ashlar::node {
namespace {

using base::Verdict;

std::vector<base::Finding> One(const CheckContext&) { return {Fail(StartFinding({"one", "test"}), "broken")}; }
std::vector<base::Finding> Two(const CheckContext&) {
  return {Pass(StartFinding({"two-a", "test"})), Fail(StartFinding({"two-b", "test"}), "broken")};
}

base::Finding RunHere(const NativeCheck& check, const base::Json& own, const std::string& node_yaml = "") {
  base::Finding finding;
  FakeMachine(Files{{"/proc/meminfo", "MemTotal: 100 kB\nMemFree: 1 kB\nSwapTotal: 100 kB\nSwapFree: 50 kB\n"}})
      .With(node_yaml, [&](const CheckContext& context) { finding = RunNative(context, check, own); });
  return finding;
}

TEST(RunNative, TheFindingThatIsAskedFor) {
  EXPECT_EQ(RunHere({&Two, "two-b"}, nullptr).verdict, Verdict::kFail);
  EXPECT_EQ(RunHere({&One, "one-part"}, nullptr).verdict, Verdict::kFail);  // it could not even begin
  EXPECT_EQ(RunHere({&Two, "two-c"}, nullptr).verdict, Verdict::kUnknown);
}

// Half of the swap is in use.
TEST(RunNative, TheLinesOwnNumberWins) {
  const NativeCheck swap{&CheckSwap, "swap"};
  EXPECT_EQ(RunHere(swap, nullptr, "swap_used_share: 0.6").verdict, Verdict::kPass);
  EXPECT_EQ(RunHere(swap, nullptr).verdict, Verdict::kFail);
  const auto own = RunHere(swap, base::JsonObject{{"swap_used_share", 0.5}}, "swap_used_share: 0.1");
  EXPECT_EQ(own.verdict, Verdict::kPass) << DescribeFinding(own);
  EXPECT_EQ(own.expectation_source, "");
}

TEST(RunNative, ANumberThatIsNoneIsUnknown) {
  const auto finding = RunHere({&CheckSwap, "swap"}, base::JsonObject{{"swap_used_share", 7}});
  EXPECT_EQ(finding.verdict, Verdict::kUnknown);
  EXPECT_NE(finding.reason.find("swap_used_share"), std::string::npos);
}

}  // namespace
}  // namespace ashlar::node
