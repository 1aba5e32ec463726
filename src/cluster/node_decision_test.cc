#include "cluster/node_decision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster/limits.h"

namespace ashlar::cluster {
namespace {

using base::Verdict;
using testing::HasSubstr;

SlurmNode Node(const std::string& state, const std::string& reason) {
  SlurmNode node;
  node.name = "n1";
  node.state = ParseNodeState(state).value();
  node.reason = reason;
  if (!reason.empty()) node.reason_user = "root";
  return node;
}

struct DecisionCase {
  std::string state;
  std::string reason;
  Verdict verdict;
  NodeAction action;
  std::string says;
  bool attention = false;
};

void Expect(const std::vector<DecisionCase>& cases, HealthJudgement health = {}) {
  for (const auto& row : cases) {
    health.verdict = row.verdict;
    const NodeDecision decision = DecideNode(Node(row.state, row.reason), health);
    const std::string at = fmt::format("{} \"{}\" {}", row.state, row.reason, base::VerdictName(row.verdict));
    EXPECT_EQ(NodeActionName(decision.action), NodeActionName(row.action)) << at;
    EXPECT_THAT(decision.why, HasSubstr(row.says)) << at;
    EXPECT_EQ(decision.attention, row.attention) << at;
  }
}

TEST(DecideNode, DrainsAFailingNodeThatIsInService) {
  Expect({
      {"IDLE", "", Verdict::kFail, NodeAction::kDrain, "its checks fail"},
      {"ALLOCATED", "", Verdict::kFail, NodeAction::kDrain, "its checks fail"},
      {"MIXED+PLANNED", "", Verdict::kFail, NodeAction::kDrain, "its checks fail"},
      {"ALLOCATED+COMPLETING", "", Verdict::kConflict, NodeAction::kDrain, "its checks fail"},
      {"IDLE+MAINTENANCE+RESERVED", "", Verdict::kFail, NodeAction::kDrain, "its checks fail"},
      {"IDLE+CLOUD", "", Verdict::kFail, NodeAction::kDrain, "its checks fail"},
      {"IDLE+BLOCKED", "", Verdict::kFail, NodeAction::kDrain, "its checks fail"},
      // Somebody took the drain off and left our note: it fails still.
      {"IDLE", "ashlar: dns", Verdict::kFail, NodeAction::kDrain, "its checks fail"},
      {"IDLE", "", Verdict::kPass, NodeAction::kNone, "its checks pass"},
      {"MIXED", "", Verdict::kNotApplicable, NodeAction::kNone, "its checks pass"},
      {"IDLE", "bob: look at the fan", Verdict::kPass, NodeAction::kNone, "its checks pass"},
  });
}

TEST(DecideNode, NeverTouchesAnothersReason) {
  const std::vector<std::string> reasons = {"bob: bad DIMM",  "", "NHC: check_hw_ib", "ashlar", "Ashlar: dns",
                                            "see ashlar: dns"};
  for (const std::string& reason : reasons) {
    for (const Verdict verdict : {Verdict::kPass, Verdict::kFail, Verdict::kUnknown, Verdict::kConflict}) {
      for (const bool drain_on_unknown : {false, true}) {
        const HealthJudgement health{.verdict = verdict, .drain_on_unknown = drain_on_unknown};
        for (const std::string state : {"IDLE+DRAIN", "MIXED+DRAIN", "ALLOCATED+DRAIN+COMPLETING"}) {
          const NodeDecision decision = DecideNode(Node(state, reason), health);
          EXPECT_EQ(decision.action, NodeAction::kNone) << state << " " << reason;
          EXPECT_THAT(decision.why, HasSubstr("another's to lift"));
        }
      }
    }
  }
  Expect({{"IDLE", "bob: look at the fan", Verdict::kFail, NodeAction::kNone,
           "carries another's note (by root: \"bob: look at the fan\")", true}});
}

TEST(DecideNode, ResumesItsOwnDrainOnAPassAndOnNothingElse) {
  Expect({
      {"IDLE+DRAIN", "ashlar: dns", Verdict::kPass, NodeAction::kResume, "the drain is ours (\"ashlar: dns\")"},
      {"MIXED+DRAIN", "ashlar: dns", Verdict::kNotApplicable, NodeAction::kResume, "the drain is ours"},
      {"IDLE+DRAIN", "ashlar: dns", Verdict::kFail, NodeAction::kNone, "drained already"},
      {"IDLE+DRAIN", "ashlar: dns", Verdict::kConflict, NodeAction::kNone, "drained already"},
      {"IDLE+DRAIN", "ashlar: dns", Verdict::kUnknown, NodeAction::kNone, "stays drained", true},
      {"DOWN+DRAIN", "ashlar: dns", Verdict::kPass, NodeAction::kNone, "nothing else"},
      {"IDLE+DRAIN+INVALID_REG", "ashlar: dns", Verdict::kPass, NodeAction::kNone, "does not accept"},
      {"IDLE+DRAIN+FAIL", "ashlar: dns", Verdict::kPass, NodeAction::kNone, "set to fail"},
  });
  Expect({{"IDLE+DRAIN", "ashlar: dns", Verdict::kPass, NodeAction::kNone, "only a part of the checks"}},
         {.partial = true});
  Expect({{"IDLE", "", Verdict::kFail, NodeAction::kDrain, "its checks fail"}}, {.partial = true});
}

TEST(DecideNode, UnknownDrainsOnlyWhereItIsAskedFor) {
  Expect({{"IDLE", "", Verdict::kUnknown, NodeAction::kNone, "not drained for that", true}});
  Expect(
      {
          {"IDLE", "", Verdict::kUnknown, NodeAction::kDrain, "its checks are unknown"},
          {"IDLE", "bob: fan", Verdict::kUnknown, NodeAction::kNone, "another's note", true},
          {"IDLE+DRAIN", "ashlar: dns", Verdict::kUnknown, NodeAction::kNone, "stays drained", true},
      },
      {.drain_on_unknown = true});
}

TEST(DecideNode, WaitsWhileTheControllersWordIsNotFinal) {
  for (const std::string state :
       {"UNKNOWN", "UNKNOWN+NOT_RESPONDING", "IDLE+NOT_RESPONDING", "DOWN+NOT_RESPONDING", "IDLE+DRAIN+NOT_RESPONDING",
        "DOWN+DRAIN+REBOOT_ISSUED", "MIXED+REBOOT_REQUESTED", "IDLE+POWERING_UP", "IDLE+POWER_UP", "IDLE+POWERING_DOWN",
        "IDLE+POWER_DOWN", "MIXED+POWER_DRAIN", "IDLE+POWERED_DOWN", "UNKNOWN+DRAIN"}) {
    for (const Verdict verdict : {Verdict::kPass, Verdict::kFail, Verdict::kUnknown}) {
      for (const std::string reason : {"", "ashlar: dns", "bob: fan"}) {
        const NodeDecision decision = DecideNode(Node(state, reason), {.verdict = verdict, .drain_on_unknown = true});
        EXPECT_EQ(decision.action, NodeAction::kWait) << state;
        EXPECT_THAT(decision.why, HasSubstr("the next run looks again"));
      }
    }
  }
}

TEST(DecideNode, LeavesWhatIsNotItsToChange) {
  Expect({
      {"DOWN", "Node unexpectedly rebooted", Verdict::kFail, NodeAction::kNone, "Node unexpectedly rebooted"},
      {"DOWN", "ashlar: dns : reboot timed out", Verdict::kPass, NodeAction::kNone, "nothing else"},
      {"DOWN", "", Verdict::kFail, NodeAction::kNone, "down without a reason"},
      {"ERROR", "", Verdict::kFail, NodeAction::kNone, "nothing else"},
      {"IDLE+FAIL", "bob: fan", Verdict::kFail, NodeAction::kNone, "set to fail by root: \"bob: fan\""},
      {"FUTURE", "", Verdict::kFail, NodeAction::kNone, "configured for later"},
      {"IDLE+DYNAMIC_FUTURE", "", Verdict::kFail, NodeAction::kNone, "configured for later"},
      {"IDLE+DRAIN+INVALID_REG", "Low RealMemory", Verdict::kFail, NodeAction::kNone, "slurmd -C"},
  });
}

base::Finding Finding(const std::string& id, Verdict verdict, const std::string& reason = "") {
  base::Finding finding;
  finding.id = id;
  finding.verdict = verdict;
  finding.reason = reason;
  return finding;
}

TEST(DrainReason, NamesWhatFailedAndIsRecognisedAsOurs) {
  using Findings = std::vector<base::Finding>;
  const Findings mixed = {Finding("swap", Verdict::kUnknown, "no /proc"), Finding("load", Verdict::kPass),
                          Finding("dns", Verdict::kFail, "no answer from 10.0.0.1"),
                          Finding("mounts", Verdict::kFail, "x")};
  EXPECT_EQ(DrainReason(mixed), "ashlar: dns, mounts: no answer from 10.0.0.1");
  EXPECT_EQ(DrainReason(Findings{mixed[0], mixed[1]}), "ashlar: swap: no /proc");
  EXPECT_EQ(DrainReason({}), "ashlar: no check was run");
  Findings many;
  for (int i = 0; i < 7; ++i) many.push_back(Finding(fmt::format("check-{}", i), Verdict::kFail));
  EXPECT_EQ(DrainReason(many), "ashlar: check-0, check-1, check-2, check-3, check-4 and 2 more");
  EXPECT_TRUE(IsOwnReason(DrainReason(mixed)));
  EXPECT_FALSE(IsOwnReason("ashlar:dns"));
}

TEST(CleanReason, IsOneLineOfUtf8WithinTheLimit) {
  EXPECT_EQ(CleanReason("a\nb\tc\x01"), "a b c");
  EXPECT_EQ(CleanReason("\"quoted\""), "'quoted'");
  EXPECT_EQ(CleanReason("bad \xff byte"), "bad ? byte");
  EXPECT_EQ(CleanReason(std::string(kMaxReasonBytes, 'x')).size(), kMaxReasonBytes);
  const std::string cut = CleanReason(std::string(kMaxReasonBytes + 1, 'x'));
  EXPECT_EQ(cut.size(), kMaxReasonBytes);
  EXPECT_TRUE(cut.ends_with("x..."));
  std::string wide;
  while (wide.size() <= kMaxReasonBytes) wide += "ä";
  EXPECT_TRUE(base::IsUtf8(CleanReason(wide)));
  EXPECT_LE(CleanReason(wide).size(), kMaxReasonBytes);
}

}  // namespace
}  // namespace ashlar::cluster
