#include "cluster/node_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "cluster/hostlist.h"
#include "cluster/limits.h"
#include "cluster/settle_node.h"
#include "cluster/slurm_server_testing.h"

namespace ashlar::cluster {
namespace {

using base::StatusCode;
using base::Verdict;
using testing::HasSubstr;

constexpr absl::Duration kLimit = absl::Seconds(30);
constexpr char kReason[] = "ashlar: dns: no answer [10.0.0.1] Comment=none";

// A real slurmctld with four slurmd for all tests here; n5 is configured and never registers by itself.
class SlurmTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto server = SlurmServer::Start({.nodes = 5, .registered = 4});
    started_ = server.status();
    if (server.ok()) server_ = std::move(*server).release();
    if (server_ != nullptr) setenv("SLURM_CONF", server_->config_path().c_str(), 1);
  }
  static void TearDownTestSuite() {
    delete server_;
    server_ = nullptr;
    unsetenv("SLURM_CONF");
  }
  void SetUp() override {
    if (started_.code() == StatusCode::kNotFound) GTEST_SKIP() << started_;
    ASSERT_TRUE(started_.ok()) << started_;
    control_.emplace(Scontrol::Find().value());
  }

  SlurmNode Read(const std::string& name) {
    auto node = control_->Read(name, kLimit);
    EXPECT_TRUE(node.ok()) << node.status();
    return node.value_or(SlurmNode{});
  }

  base::StatusOr<NodeOutcome> Settle(const std::string& node, Verdict verdict) {
    return SettleNode(*control_, {.node = node, .health = {.verdict = verdict}, .reason = kReason, .limit = kLimit});
  }

  // As an operator would.
  static void Operator(const std::vector<std::string>& words) {
    const auto done = server_->Scontrol(words);
    ASSERT_TRUE(done.ok()) << done.status();
  }

  static inline SlurmServer* server_ = nullptr;
  static inline base::Status started_;
  std::optional<Scontrol> control_;
};

TEST_F(SlurmTest, ListsTheNodesThatAreAskedFor) {
  const auto all = control_->List("", kLimit);
  ASSERT_TRUE(all.ok()) << all.status();
  ASSERT_EQ(all->size(), 5U);
  EXPECT_EQ((*all)[0].name, "n1");
  EXPECT_EQ((*all)[0].cpus, 4U);
  EXPECT_THAT((*all)[0].partitions, testing::ElementsAre("main"));
  EXPECT_EQ((*all)[4].state.base, NodeBase::kUnknown);

  const auto some = control_->List("n[1-2],n4", kLimit);
  ASSERT_TRUE(some.ok()) << some.status();
  ASSERT_EQ(some->size(), 3U);
  EXPECT_EQ((*some)[2].name, "n4");

  EXPECT_EQ(control_->List("n[1-", kLimit).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(control_->List("n9", kLimit).status().code(), StatusCode::kNotFound);
}

TEST_F(SlurmTest, DrainsWithAReasonThatOthersSeeAndResumesItsOwn) {
  const auto drained = Settle("n1", Verdict::kFail);
  ASSERT_TRUE(drained.ok()) << drained.status();
  EXPECT_TRUE(drained->status.ok()) << drained->status;
  EXPECT_TRUE(drained->acted);
  const auto line = server_->Scontrol({"-o", "show", "node", "n1"});
  ASSERT_TRUE(line.ok());
  EXPECT_THAT(*line, HasSubstr(" State=IDLE+DRAIN "));
  EXPECT_THAT(*line, HasSubstr(std::string("Reason=") + kReason + " ["));
  EXPECT_EQ(Read("n1").reason, kReason);

  // Still failing, unknown, and half a look: it stays.
  EXPECT_FALSE(Settle("n1", Verdict::kFail)->acted);
  EXPECT_FALSE(Settle("n1", Verdict::kUnknown)->acted);
  EXPECT_TRUE(Read("n1").state.Has(NodeFlag::kDrain));

  const auto resumed = Settle("n1", Verdict::kPass);
  ASSERT_TRUE(resumed.ok()) << resumed.status();
  EXPECT_TRUE(resumed->acted);
  EXPECT_TRUE(resumed->status.ok()) << resumed->status;
  EXPECT_EQ(Read("n1").reason, "");
  EXPECT_TRUE(server_->WaitForNode("n1", " State=IDLE").ok());
}

TEST_F(SlurmTest, NeverTouchesAnothersDrain) {
  Operator({"update", "NodeName=n2", "State=DRAIN", "Reason=bob: bad DIMM"});
  const SlurmNode before = Read("n2");
  ASSERT_EQ(before.reason, "bob: bad DIMM");
  for (const Verdict verdict : {Verdict::kFail, Verdict::kPass, Verdict::kUnknown}) {
    const auto outcome = Settle("n2", verdict);
    ASSERT_TRUE(outcome.ok()) << outcome.status();
    EXPECT_FALSE(outcome->acted);
    EXPECT_THAT(outcome->decision.why, HasSubstr("bob: bad DIMM"));
  }
  const SlurmNode after = Read("n2");
  EXPECT_EQ(after.reason, before.reason);
  EXPECT_EQ(after.reason_time, before.reason_time);
  EXPECT_TRUE(after.state.Has(NodeFlag::kDrain));
  Operator({"update", "NodeName=n2", "State=RESUME"});
}

TEST_F(SlurmTest, LeavesANodeThatIsDown) {
  Operator({"update", "NodeName=n3", "State=DOWN", "Reason=bob: rack move"});
  for (const Verdict verdict : {Verdict::kFail, Verdict::kPass}) {
    const auto outcome = Settle("n3", verdict);
    ASSERT_TRUE(outcome.ok()) << outcome.status();
    EXPECT_FALSE(outcome->acted);
    EXPECT_EQ(outcome->decision.action, NodeAction::kNone) << OutcomeText(*outcome, false);
  }
  EXPECT_EQ(Read("n3").reason, "bob: rack move");
  Operator({"update", "NodeName=n3", "State=RESUME"});
}

TEST_F(SlurmTest, ReadsEveryStateAsSinfoShowsItToo) {
  const std::vector<std::vector<std::string>> changes = {{"State=DRAIN", "Reason=bob: 1"}, {"State=RESUME"},
                                                         {"State=FAIL", "Reason=bob: 2"},  {"State=RESUME"},
                                                         {"State=DOWN", "Reason=bob: 3"},  {"State=RESUME"}};
  for (const auto& change : changes) {
    std::vector<std::string> words = {"update", "NodeName=n4"};
    words.insert(words.end(), change.begin(), change.end());
    Operator(words);
    const NodeState full = Read("n4").state;
    for (const std::string format : {"%T", "%t"}) {
      const auto sinfo = os::RunSubprocess({.command = {"sinfo", "-h", "-n", "n4", "-o", format}});
      ASSERT_TRUE(sinfo.ok()) << sinfo.status();
      const auto shown = ParseNodeState(base::Trim(sinfo->output));
      ASSERT_TRUE(shown.ok()) << shown.status();
      EXPECT_EQ(shown->flags & full.flags, shown->flags) << sinfo->output << NodeStateText(full);
    }
  }
}

TEST_F(SlurmTest, ExpandsListsAsScontrolDoes) {
  for (const std::string list : {"n1", "n[01-04,7]", "n[1-3],login,gpu-a", "n[08-11]", "n[98-101]", "n[001-002]",
                                 "r[1-2]n[0-1]", "n2,n1,n2", "a,,b", "n[5]", "n1-ib,n2-ib"}) {
    const auto theirs = server_->Scontrol({"show", "hostnames", list});
    ASSERT_TRUE(theirs.ok()) << theirs.status();
    std::vector<std::string> names;
    for (const std::string_view line : base::SplitLines(*theirs)) names.emplace_back(line);
    EXPECT_EQ(ExpandHostList(list).value(), names) << list;
    // And Slurm reads what we compress.
    const auto again = server_->Scontrol({"show", "hostnames", CompressHostList(names)});
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(ExpandHostList(CompressHostList(names)).value().size(), base::SplitLines(*again).size()) << list;
  }
}

TEST_F(SlurmTest, SaysWhatIsWrongInWordsThatHelp) {
  EXPECT_EQ(control_->Read("n77", kLimit).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(control_->Read("-n1", kLimit).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(control_->Drain("n1 n2", "x", kLimit).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(control_->Drain("n77", "ashlar: x", kLimit).code(), StatusCode::kNotFound);
  EXPECT_EQ(control_->Resume("n1;n2", kLimit).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(control_->Read("n1", absl::ZeroDuration()).status().code(), StatusCode::kDeadlineExceeded);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(Scontrol::Find("", stop.get_token())->Read("n1", kLimit).status().code(), StatusCode::kCancelled);
}

TEST_F(SlurmTest, WaitsForANodeThatHasNotRegisteredAndActsWhenItHas) {
  const auto early = Settle("n5", Verdict::kFail);
  ASSERT_TRUE(early.ok()) << early.status();
  EXPECT_EQ(early->decision.action, NodeAction::kWait);
  EXPECT_THAT(early->decision.why, HasSubstr("it has not registered"));
  EXPECT_EQ(Read("n5").reason, "");

  bool started = false;
  const SettleNodeRequest request{.node = "n5",
                                  .health = {.verdict = Verdict::kFail},
                                  .reason = kReason,
                                  .limit = kLimit * 2,
                                  .wait = kLimit * 2,
                                  .pause = [&](absl::Duration) {
                                    if (!started) started = server_->StartNode(5).ok();
                                    EXPECT_TRUE(server_->WaitForNode("n5", " State=IDLE").ok());
                                  }};
  const auto outcome = SettleNode(*control_, request);
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_TRUE(outcome->acted) << OutcomeText(*outcome, false);
  EXPECT_TRUE(Read("n5").state.Has(NodeFlag::kDrain));
}

// What a program called scontrol says is never a pass, whatever it is.
class FakeScontrolTest : public testing::Test {
 protected:
  base::StatusOr<SlurmNode> ReadFrom(const std::string& body) {
    const std::string path = folder_.path() + "/scontrol";
    EXPECT_TRUE(os::WriteFileDurably(os::RealFileSystem(), path, "#!/bin/sh\n" + body + "\n").ok());
    EXPECT_EQ(chmod(path.c_str(), 0755), 0);
    return Scontrol::Find(path)->Read("n1", absl::Seconds(10));
  }
  os::TemporaryDirectory folder_ = os::TemporaryDirectory::Create().value();
};

struct SaysCase {
  std::string body;
  StatusCode code;
};

TEST_F(FakeScontrolTest, EveryComplaintHasItsCode) {
  const std::vector<SaysCase> cases = {
      {"echo 'slurm_load_node error: Unable to contact slurm controller (connect failure)' >&2; exit 1",
       StatusCode::kUnavailable},
      {"echo 'scontrol: error: Munge encode failed: Unable to connect to munged: Unable to connect to munge' >&2; exit "
       "1",
       StatusCode::kUnavailable},
      {"echo 'scontrol: fatal: Could not establish a configuration source' >&2; exit 1", StatusCode::kUnavailable},
      {"echo 'slurm_update error: Invalid user id' >&2; exit 1", StatusCode::kPermissionDenied},
      {"echo 'slurm_update error: Invalid node state specified' >&2; exit 1", StatusCode::kFailedPrecondition},
      {"echo 'Node n1 not found'; exit 1", StatusCode::kNotFound},
      {"exit 7", StatusCode::kInternal},
      {"exit 0", StatusCode::kNotFound},
      {"echo 'NodeName=n2 State=IDLE'", StatusCode::kNotFound},
      {"echo 'NodeName=n1 State=WEIRD'", StatusCode::kInvalidArgument},
      {"echo garbage", StatusCode::kInvalidArgument},
  };
  for (const auto& row : cases) {
    const auto node = ReadFrom(row.body);
    EXPECT_EQ(node.status().code(), row.code) << row.body << ": " << node.status();
    EXPECT_FALSE(base::Message(node.status()).empty());
  }
}

TEST_F(FakeScontrolTest, AProgramThatHangsIsEndedInTime) {
  const std::string path = folder_.path() + "/scontrol";
  ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), path, "#!/bin/sh\ntail -f /dev/null\n").ok());
  ASSERT_EQ(chmod(path.c_str(), 0755), 0);
  const auto node = Scontrol::Find(path)->Read("n1", absl::Milliseconds(200));
  EXPECT_EQ(node.status().code(), StatusCode::kDeadlineExceeded) << node.status();
  EXPECT_THAT(std::string(base::Message(node.status())), HasSubstr("did not end within 200 ms"));
  EXPECT_EQ(Scontrol::Find("/no/such/scontrol")->Read("n1", kLimit).status().code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace ashlar::cluster
