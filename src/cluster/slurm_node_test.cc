#include "cluster/slurm_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster/limits.h"

namespace ashlar::cluster {
namespace {

using base::StatusCode;
using testing::ElementsAre;
using testing::HasSubstr;

// As Slurm 22.05.8 prints them, with what a test puts after the power readings.
std::string Line(const std::string& state, const std::string& last) {
  return "NodeName=n1 Arch=x86_64 CoresPerSocket=1  CPUAlloc=0 CPUEfctv=96 CPUTot=96 CPULoad=0.82 "
         "AvailableFeatures=(null) ActiveFeatures=(null) Gres=gpu:8 NodeAddr=127.0.0.1 NodeHostName=host1 Port=37118 "
         "Version=22.05.8 OS=Linux 6.18.44 #1 SMP PREEMPT_DYNAMIC @0  RealMemory=900000 AllocMem=0 FreeMem=21997 "
         "Sockets=96 Boards=1 State=" +
         state +
         " ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A Partitions=main,debug  "
         "BootTime=2026-11-30T18:12:14 SlurmdStartTime=2026-12-01T03:07:32 LastBusyTime=2026-12-01T03:07:32 "
         "CfgTRES=cpu=96,mem=900000M,billing=96 AllocTRES= CapWatts=n/a CurrentWatts=0 AveWatts=0 "
         "ExtSensorsJoules=n/s ExtSensorsWatts=0 ExtSensorsTemp=n/s" +
         last;
}

TEST(ParseNodeLine, ReadsWhatSlurmPrints) {
  const auto node = ParseNodeLine(Line("IDLE", ""));
  ASSERT_TRUE(node.ok()) << node.status();
  EXPECT_EQ(node->name, "n1");
  EXPECT_EQ(node->host, "host1");
  EXPECT_EQ(node->address, "127.0.0.1");
  EXPECT_EQ(node->state, ParseNodeState("IDLE").value());
  EXPECT_EQ(node->gres, "gpu:8");
  EXPECT_EQ(node->cpus, 96U);
  EXPECT_THAT(node->partitions, ElementsAre("main", "debug"));
  EXPECT_EQ(node->reason, "");
  EXPECT_EQ(node->next_state, "");
}

TEST(ParseNodeLine, TheStateAfterARebootIsNotTheState) {
  const auto node = ParseNodeLine(
      "NodeName=n2 OS=Linux State=of the art State=DOWN+DRAIN+REBOOT_ISSUED MCS_label=N/A NextState=RESUME "
      "Reason=kernel : reboot issued [root@2026-12-01T03:07:33]");
  ASSERT_TRUE(node.ok()) << node.status();
  EXPECT_TRUE(node->state.Has(NodeFlag::kRebootIssued));
  EXPECT_EQ(node->next_state, "RESUME");
  EXPECT_EQ(node->reason, "kernel : reboot issued");
}

struct ReasonCase {
  std::string last;
  std::string reason;
  std::string user;
};

TEST(ParseNodeLine, FindsTheReasonWhateverItHolds) {
  const std::string stamp = " [root@2026-12-01T03:07:33]";
  const std::vector<ReasonCase> cases = {
      {" Reason=ashlar: dns: no answer" + stamp, "ashlar: dns: no answer", "root"},
      {" Reason=bad  DIMM [slot 3]" + stamp, "bad  DIMM [slot 3]", "root"},
      {" Reason=a [bob@2026-01-01T00:00:00] b" + stamp, "a [bob@2026-01-01T00:00:00] b", "root"},
      {" Reason=State=IDLE Comment=x Reason=y" + stamp, "State=IDLE Comment=x Reason=y", "root"},
      {" Reason=first" + stamp + "        second line Comment=no Comment=yes", "first", "root"},
      {" Reason=x" + stamp + " Comment=Reason=ashlar: c [bob@2026-01-01T00:00:00]", "x", "root"},
      {" Reason=x [slurm@2026-12-01T03:07:33] Extra=e ReservationName=r", "x", "slurm"},
      {" Reason=Not responding [slurm@2026-12-01T03:07:33]", "Not responding", "slurm"},
      // Without a stamp, as when nobody's time is known.
      {" Reason=no stamp here", "no stamp here", ""},
      {" Reason=no stamp Comment=c", "no stamp", ""},
      {" Reason=half a stamp [root@2026-12-01", "half a stamp [root@2026-12-01", ""},
      // What a comment holds is no reason.
      {" Comment=Reason=ashlar: c", "", ""},
      {" Comment=c Reason=ashlar: c" + stamp, "", ""},
      {" Extra=e Reason=ashlar: c", "", ""},
      {"", "", ""},
      {" Reason=", "", ""},
  };
  for (const auto& row : cases) {
    const auto node = ParseNodeLine(Line("IDLE+DRAIN", row.last));
    ASSERT_TRUE(node.ok()) << row.last << node.status();
    EXPECT_EQ(node->reason, row.reason) << row.last;
    EXPECT_EQ(node->reason_user, row.user) << row.last;
    EXPECT_EQ(node->reason_time.empty(), row.user.empty()) << row.last;
  }
}

struct WrongCase {
  std::string line;
  StatusCode code;
  std::string says;
};

TEST(ParseNodeLine, RefusesWhatIsNoNode) {
  const std::vector<WrongCase> cases = {
      {"", StatusCode::kInvalidArgument, "begin with NodeName="},
      {"Node n77 not found", StatusCode::kInvalidArgument, "begin with NodeName="},
      {"NodeName=", StatusCode::kInvalidArgument, "no name of a node"},
      {"NodeName= State=IDLE", StatusCode::kInvalidArgument, "no name of a node"},
      {"NodeName=n1;x State=IDLE", StatusCode::kInvalidArgument, "no name of a node"},
      {"NodeName=n1 Arch=x", StatusCode::kInvalidArgument, "node n1: its line holds no state"},
      {"NodeName=n1 NextState=RESUME", StatusCode::kInvalidArgument, "holds no state"},
      {"NodeName=n1 Reason=State=IDLE State=IDLE", StatusCode::kInvalidArgument, "holds no state"},
      {"NodeName=n1 State=IDLE+SLEEPY", StatusCode::kInvalidArgument, "node n1: node state"},
  };
  for (const auto& row : cases) {
    const auto node = ParseNodeLine(row.line);
    EXPECT_EQ(node.status().code(), row.code) << row.line;
    EXPECT_THAT(std::string(base::Message(node.status())), HasSubstr(row.says)) << row.line;
  }
  std::string longest = "NodeName=n1 State=IDLE Comment=";
  longest.append(kMaxNodeLineBytes - longest.size(), 'x');
  EXPECT_TRUE(ParseNodeLine(longest).ok());
  EXPECT_EQ(ParseNodeLine(longest + "x").status().code(), StatusCode::kResourceExhausted);
}

TEST(ParseNodeListing, ReadsEveryLineAndNamesTheOneThatIsWrong) {
  const auto nodes = ParseNodeListing("NodeName=n1 State=IDLE\n\nNodeName=n2 State=DOWN\n");
  ASSERT_TRUE(nodes.ok()) << nodes.status();
  ASSERT_EQ(nodes->size(), 2U);
  EXPECT_EQ((*nodes)[1].name, "n2");
  EXPECT_TRUE(ParseNodeListing("")->empty());

  const auto wrong = ParseNodeListing("NodeName=n1 State=IDLE\nNodeName=n2 State=ODD\n");
  EXPECT_EQ(wrong.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(base::Message(wrong.status())), HasSubstr("line 2 of the nodes: node n2"));

  std::string many;
  for (size_t i = 0; i < kMaxNodes; ++i) many += "NodeName=n State=IDLE\n";
  EXPECT_EQ(ParseNodeListing(many)->size(), kMaxNodes);
  EXPECT_EQ(ParseNodeListing(many + "NodeName=n State=IDLE").status().code(), StatusCode::kResourceExhausted);
}

TEST(NodeToJson, IsUtf8WhateverTheReasonHolds) {
  const auto node = ParseNodeLine("NodeName=n1 State=IDLE+DRAIN Reason=bad \xff [root@2026-12-01T03:07:33]");
  ASSERT_TRUE(node.ok());
  const base::Json json = NodeToJson(*node);
  EXPECT_EQ(*base::GetString(json, "state"), "IDLE+DRAIN");
  EXPECT_EQ(*base::GetString(json, "reason"), "bad ?");
  EXPECT_EQ(*base::GetString(json, "reason_user"), "root");
  EXPECT_EQ(*base::GetString(json, "reason_time"), "2026-12-01T03:07:33");
}

}  // namespace
}  // namespace ashlar::cluster
