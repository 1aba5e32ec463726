#include "cluster/settle_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <thread>

#include "cluster/limits.h"

namespace ashlar::cluster {
namespace {

using base::StatusCode;
using base::Verdict;
using testing::ElementsAre;
using testing::HasSubstr;

SlurmNode Node(const std::string& state, const std::string& reason = "") {
  SlurmNode node;
  node.name = "n1";
  node.state = ParseNodeState(state).value();
  node.reason = reason;
  return node;
}

// A controller whose node changes between two looks as the test says; what a real one cannot be made to do on time.
class ScriptedControl : public NodeControl {
 public:
  explicit ScriptedControl(std::deque<base::StatusOr<SlurmNode>> looks) : looks_(std::move(looks)) {}

  base::StatusOr<SlurmNode> Read(const std::string& name, absl::Duration limit) override {
    calls.push_back("read " + name);
    last_limit = limit;
    if (looks_.empty()) return base::Error(StatusCode::kInternal, "the test has no more looks");
    auto look = looks_.front();
    looks_.pop_front();
    return look;
  }
  base::Status Drain(const std::string& name, const std::string& reason, absl::Duration limit) override {
    calls.push_back(fmt::format("drain {} {}", name, reason));
    last_limit = limit;
    return answer;
  }
  base::Status Resume(const std::string& name, absl::Duration limit) override {
    calls.push_back("resume " + name);
    last_limit = limit;
    return answer;
  }

  std::vector<std::string> calls;
  base::Status answer;
  absl::Duration last_limit;

 private:
  std::deque<base::StatusOr<SlurmNode>> looks_;
};

constexpr char kReason[] = "ashlar: dns: no answer";

SettleNodeRequest Request(Verdict verdict) {
  SettleNodeRequest request;
  request.node = "n1";
  request.health.verdict = verdict;
  request.reason = kReason;
  request.limit = absl::Seconds(10);
  return request;
}

TEST(SettleNode, DrainsAfterASecondLookAndVerifies) {
  ScriptedControl control({Node("IDLE"), Node("MIXED"), Node("MIXED+DRAIN", kReason)});
  auto request = Request(Verdict::kFail);
  std::vector<std::string> told;
  request.on_decision = [&](const NodeOutcome& outcome) {
    told.push_back(std::string(NodeActionName(outcome.decision.action)));
    EXPECT_FALSE(outcome.acted);
    EXPECT_EQ(control.calls.size(), 1U);
  };
  const auto outcome = SettleNode(control, request);
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_THAT(control.calls, ElementsAre("read n1", "read n1", "drain n1 ashlar: dns: no answer", "read n1"));
  EXPECT_THAT(told, ElementsAre("drain"));
  EXPECT_TRUE(outcome->acted);
  EXPECT_TRUE(outcome->status.ok()) << outcome->status;
  EXPECT_EQ(OutcomeText(*outcome, false), "drained n1 (\"ashlar: dns: no answer\"): its checks fail");
}

TEST(SettleNode, ResumesItsOwn) {
  ScriptedControl control({Node("IDLE+DRAIN", kReason), Node("IDLE+DRAIN", kReason), Node("IDLE+NOT_RESPONDING")});
  const auto outcome = SettleNode(control, Request(Verdict::kPass));
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_THAT(control.calls, ElementsAre("read n1", "read n1", "resume n1", "read n1"));
  EXPECT_TRUE(outcome->status.ok()) << outcome->status;
  EXPECT_THAT(OutcomeText(*outcome, false), HasSubstr("resumed n1: its checks pass"));
}

struct RaceCase {
  std::string name;
  Verdict verdict;
  SlurmNode first;
  SlurmNode second;
  std::string action;
  std::string says;
};

TEST(SettleNode, LeavesANodeThatAnotherChangedBetweenTheTwoLooks) {
  const std::vector<RaceCase> cases = {
      {"drained by another", Verdict::kFail, Node("IDLE"), Node("IDLE+DRAIN", "bob: fan"), "none", "another's to lift"},
      {"noted by another", Verdict::kFail, Node("IDLE"), Node("IDLE", "bob: fan"), "none", "another's note"},
      {"taken over by another", Verdict::kPass, Node("IDLE+DRAIN", kReason), Node("IDLE+DRAIN", "bob: fan"), "none",
       "another's to lift"},
      {"gone down", Verdict::kPass, Node("IDLE+DRAIN", kReason), Node("DOWN+DRAIN", kReason), "none", "it is down"},
      {"rebooting", Verdict::kFail, Node("IDLE"), Node("DOWN+REBOOT_ISSUED"), "wait", "it is rebooting"},
  };
  for (const auto& row : cases) {
    ScriptedControl control({row.first, row.second});
    const auto outcome = SettleNode(control, Request(row.verdict));
    ASSERT_TRUE(outcome.ok()) << row.name << outcome.status();
    EXPECT_THAT(control.calls, ElementsAre("read n1", "read n1")) << row.name;
    EXPECT_EQ(NodeActionName(outcome->decision.action), row.action) << row.name;
    EXPECT_THAT(outcome->decision.why, HasSubstr("another changed it meanwhile: ")) << row.name;
    EXPECT_THAT(outcome->decision.why, HasSubstr(row.says)) << row.name;
    EXPECT_FALSE(outcome->acted) << row.name;
    EXPECT_EQ(outcome->reason, "") << row.name;
  }
}

struct AfterCase {
  std::string name;
  Verdict verdict;
  SlurmNode before;
  base::StatusOr<SlurmNode> after;
  StatusCode code;
  std::string says;
};

TEST(SettleNode, SaysWhenTheChangeDidNotHold) {
  const std::vector<AfterCase> cases = {
      {"not drained", Verdict::kFail, Node("IDLE"), Node("IDLE"), StatusCode::kAborted, "it is IDLE all the same"},
      {"another's reason", Verdict::kFail, Node("IDLE"), Node("IDLE+DRAIN", "bob: fan"), StatusCode::kAborted,
       "another's reason stands now: \"bob: fan\""},
      {"not resumed", Verdict::kPass, Node("IDLE+DRAIN", kReason), Node("IDLE+DRAIN", kReason), StatusCode::kAborted,
       "it is IDLE+DRAIN all the same"},
      {"not seen", Verdict::kFail, Node("IDLE"), base::Error(StatusCode::kUnavailable, "gone"),
       StatusCode::kUnavailable, "the controller was told"},
  };
  for (const auto& row : cases) {
    ScriptedControl control({row.before, row.before, row.after});
    const auto outcome = SettleNode(control, Request(row.verdict));
    ASSERT_TRUE(outcome.ok()) << row.name;
    EXPECT_EQ(outcome->status.code(), row.code) << row.name;
    EXPECT_THAT(OutcomeText(*outcome, false), HasSubstr(row.says)) << row.name;
    EXPECT_THAT(OutcomeText(*outcome, false), HasSubstr("could not ")) << row.name;
  }
}

TEST(SettleNode, AnErrorIsTheFirstReadingsAndLaterOnesAreTold) {
  ScriptedControl none({base::Error(StatusCode::kNotFound, "no node n1")});
  EXPECT_EQ(SettleNode(none, Request(Verdict::kFail)).status().code(), StatusCode::kNotFound);

  ScriptedControl second({Node("IDLE"), base::Error(StatusCode::kUnavailable, "gone")});
  const auto looked = SettleNode(second, Request(Verdict::kFail));
  ASSERT_TRUE(looked.ok());
  EXPECT_EQ(looked->status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(second.calls, ElementsAre("read n1", "read n1"));

  ScriptedControl refused({Node("IDLE"), Node("IDLE"), Node("IDLE")});
  refused.answer = base::Error(StatusCode::kPermissionDenied, "Invalid user id");
  const auto outcome = SettleNode(refused, Request(Verdict::kFail));
  ASSERT_TRUE(outcome.ok());
  EXPECT_FALSE(outcome->acted);
  EXPECT_EQ(outcome->status.code(), StatusCode::kPermissionDenied);
  EXPECT_TRUE(outcome->after.has_value());
  const base::Json json = OutcomeToJson(*outcome);
  EXPECT_EQ(*base::GetString(json, "action"), "drain");
  EXPECT_EQ(*base::GetString(json, "error"), "Invalid user id");
  EXPECT_EQ(base::FindPath(json, "before.state")->get_string(), "IDLE");
}

TEST(SettleNode, ADryRunDecidesAndChangesNothing) {
  ScriptedControl control({Node("IDLE")});
  auto request = Request(Verdict::kFail);
  request.dry_run = true;
  const auto outcome = SettleNode(control, request);
  ASSERT_TRUE(outcome.ok());
  EXPECT_THAT(control.calls, ElementsAre("read n1"));
  EXPECT_EQ(OutcomeText(*outcome, true), "would drain n1 (\"ashlar: dns: no answer\"), IDLE: its checks fail");
  EXPECT_TRUE(OutcomeToJson(*outcome).at("after").is_null());
}

// A clock that moves by what is waited for.
class WaitingTest : public testing::Test {
 protected:
  SettleNodeRequest Waiting(absl::Duration wait) {
    return {.node = "n1",
            .health = {.verdict = Verdict::kFail},
            .reason = kReason,
            .limit = absl::Seconds(10),
            .wait = wait,
            .pause =
                [this](absl::Duration time) {
                  clock_.Advance(time);
                  ++pauses_;
                },
            .stop = stop_.get_token(),
            .clock = clock_};
  }
  base::FakeClock clock_{absl::UnixEpoch()};
  int pauses_ = 0;
  std::stop_source stop_;
};

TEST_F(WaitingTest, WaitsForANodeThatRegisters) {
  ScriptedControl control({Node("UNKNOWN+NOT_RESPONDING"), Node("UNKNOWN+NOT_RESPONDING"), Node("IDLE"), Node("IDLE"),
                           Node("IDLE+DRAIN", kReason)});
  const auto outcome = SettleNode(control, Waiting(absl::Seconds(5)));
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(pauses_, 2);
  EXPECT_TRUE(outcome->acted);
  EXPECT_EQ(control.last_limit, absl::Seconds(8));
}

TEST_F(WaitingTest, GivesUpAtItsTimeAndSaysSo) {
  std::deque<base::StatusOr<SlurmNode>> looks(20, Node("UNKNOWN"));
  ScriptedControl control(looks);
  const auto outcome = SettleNode(control, Waiting(absl::Seconds(3)));
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(pauses_, 3);
  EXPECT_EQ(outcome->decision.action, NodeAction::kWait);
  EXPECT_EQ(OutcomeText(*outcome, false),
            "waiting for n1, UNKNOWN: it has not registered with the controller: the next run looks again");

  // The limit of everything wins over the wait, and leaves time for a last look.
  ScriptedControl longer(looks);
  ASSERT_TRUE(SettleNode(longer, Waiting(absl::Minutes(5))).ok());
  EXPECT_EQ(pauses_, 3 + 9);
}

TEST_F(WaitingTest, DoesNotWaitUnlessAskedToAndNotAfterAStop) {
  ScriptedControl control({Node("UNKNOWN")});
  EXPECT_EQ(SettleNode(control, Waiting(absl::ZeroDuration()))->decision.action, NodeAction::kWait);
  stop_.request_stop();
  ScriptedControl stopped({Node("UNKNOWN")});
  EXPECT_EQ(SettleNode(stopped, Waiting(absl::Seconds(5)))->decision.action, NodeAction::kWait);
  EXPECT_EQ(pauses_, 0);
}

TEST_F(WaitingTest, ARealWaitEndsWithAStop) {
  ScriptedControl control({Node("UNKNOWN"), Node("UNKNOWN")});
  auto request = Waiting(absl::Seconds(5));
  request.pause = {};
  const std::jthread stopper([this] { stop_.request_stop(); });
  const auto outcome = SettleNode(control, request);
  ASSERT_TRUE(outcome.ok());
  EXPECT_LE(control.calls.size(), 2U);
}

}  // namespace
}  // namespace ashlar::cluster
