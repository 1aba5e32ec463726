#include "cluster/node_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster/limits.h"

namespace ashlar::cluster {
namespace {

using base::StatusCode;
using testing::HasSubstr;

NodeState State(NodeBase base, std::initializer_list<NodeFlag> flags = {}) {
  NodeState state{base, 0};
  for (const NodeFlag flag : flags) state.flags |= static_cast<uint32_t>(flag);
  return state;
}

struct StateCase {
  std::string text;
  NodeState state;
};

// What `scontrol -o show node` prints.
TEST(ParseNodeState, ReadsBaseAndFlagsOfScontrol) {
  const std::vector<StateCase> cases = {
      {"IDLE", State(NodeBase::kIdle)},
      {"IDLE+DRAIN", State(NodeBase::kIdle, {NodeFlag::kDrain})},
      {"MIXED+DRAIN", State(NodeBase::kMixed, {NodeFlag::kDrain})},
      {"DOWN+DRAIN+REBOOT_ISSUED", State(NodeBase::kDown, {NodeFlag::kDrain, NodeFlag::kRebootIssued})},
      {"UNKNOWN+NOT_RESPONDING", State(NodeBase::kUnknown, {NodeFlag::kNotResponding})},
      {"IDLE+CLOUD+POWERED_DOWN", State(NodeBase::kIdle, {NodeFlag::kCloud, NodeFlag::kPoweredDown})},
      {"ALLOCATED+COMPLETING", State(NodeBase::kAllocated, {NodeFlag::kCompleting})},
      {"IDLE+MAINTENANCE+RESERVED", State(NodeBase::kIdle, {NodeFlag::kMaintenance, NodeFlag::kReserved})},
      {"IDLE+DRAIN+INVALID_REG", State(NodeBase::kIdle, {NodeFlag::kDrain, NodeFlag::kInvalidRegistration})},
      {"FUTURE", State(NodeBase::kFuture)},
      {"ERROR", State(NodeBase::kError)},
      {"MIXED+PLANNED+DYNAMIC_NORM", State(NodeBase::kMixed, {NodeFlag::kPlanned, NodeFlag::kDynamicNormal})},
      {"IDLE+BLOCKED", State(NodeBase::kIdle, {NodeFlag::kBlocked})},
      {"DOWN+POWERING_UP", State(NodeBase::kDown, {NodeFlag::kPoweringUp})},
      {"IDLE+POWER_DRAIN", State(NodeBase::kIdle, {NodeFlag::kPowerDrain})},
      {"IDLE+REBOOT_CANCELED", State(NodeBase::kIdle, {NodeFlag::kRebootCancelled})},
      // Before 21.08 the suffix stood inside, and POWER for a node that is off.
      {"DOWN*+CLOUD", State(NodeBase::kDown, {NodeFlag::kNotResponding, NodeFlag::kCloud})},
      {"IDLE+POWER", State(NodeBase::kIdle, {NodeFlag::kPoweredDown})},
  };
  for (const auto& row : cases) {
    const auto state = ParseNodeState(row.text);
    ASSERT_TRUE(state.ok()) << row.text << ": " << state.status();
    EXPECT_EQ(*state, row.state) << row.text << " read as " << NodeStateText(*state);
  }
}

// What `sinfo` prints: %T long, %t compact.
TEST(ParseNodeState, ReadsWordsAndSuffixesOfSinfo) {
  const NodeState drain = State(NodeBase::kNotShown, {NodeFlag::kDrain});
  const std::vector<StateCase> cases = {
      {"idle*", State(NodeBase::kIdle, {NodeFlag::kNotResponding})},
      {"idle~", State(NodeBase::kIdle, {NodeFlag::kPoweredDown})},
      {"idle#", State(NodeBase::kIdle, {NodeFlag::kPoweringUp})},
      {"idle!", State(NodeBase::kIdle, {NodeFlag::kPowerDown})},
      {"idle%", State(NodeBase::kIdle, {NodeFlag::kPoweringDown})},
      {"alloc$", State(NodeBase::kAllocated, {NodeFlag::kMaintenance})},
      {"mix@", State(NodeBase::kMixed, {NodeFlag::kRebootRequested})},
      {"mixed^", State(NodeBase::kMixed, {NodeFlag::kRebootIssued})},
      {"mix-", State(NodeBase::kMixed, {NodeFlag::kPlanned})},
      {"alloc+", State(NodeBase::kAllocated, {NodeFlag::kCompleting})},
      {"allocated+", State(NodeBase::kAllocated, {NodeFlag::kCompleting})},
      {"drain", drain},
      {"drained", drain},
      {"drng", drain},
      {"draining", drain},
      {"drng@", State(NodeBase::kNotShown, {NodeFlag::kDrain, NodeFlag::kRebootRequested})},
      {"drained*", State(NodeBase::kNotShown, {NodeFlag::kDrain, NodeFlag::kNotResponding})},
      {"fail", State(NodeBase::kNotShown, {NodeFlag::kFail})},
      {"failg*", State(NodeBase::kNotShown, {NodeFlag::kFail, NodeFlag::kNotResponding})},
      {"comp", State(NodeBase::kNotShown, {NodeFlag::kCompleting})},
      {"maint", State(NodeBase::kNotShown, {NodeFlag::kMaintenance})},
      {"boot", State(NodeBase::kNotShown, {NodeFlag::kRebootRequested})},
      {"boot^", State(NodeBase::kNotShown, {NodeFlag::kRebootIssued})},
      {"reboot*", State(NodeBase::kNotShown, {NodeFlag::kRebootRequested, NodeFlag::kNotResponding})},
      {"unk*", State(NodeBase::kUnknown, {NodeFlag::kNotResponding})},
      {"unknown", State(NodeBase::kUnknown)},
      {"futr", State(NodeBase::kFuture)},
      {"inval", State(NodeBase::kNotShown, {NodeFlag::kInvalidRegistration})},
      {"plnd", State(NodeBase::kIdle, {NodeFlag::kPlanned})},
      {"resv", State(NodeBase::kIdle, {NodeFlag::kReserved})},
      {"npc", State(NodeBase::kIdle, {NodeFlag::kPerformanceCounters})},
      {"pow_dn", State(NodeBase::kNotShown, {NodeFlag::kPowerDown})},
      {"powring_dn", State(NodeBase::kNotShown, {NodeFlag::kPoweringDown})},
      {"powered_dn", State(NodeBase::kNotShown, {NodeFlag::kPoweredDown})},
      {"pow_up", State(NodeBase::kNotShown, {NodeFlag::kPowerUp})},
      {"powering_up", State(NodeBase::kNotShown, {NodeFlag::kPoweringUp})},
      {"canc_r", State(NodeBase::kNotShown, {NodeFlag::kRebootCancelled})},
      {"resm", State(NodeBase::kNotShown, {NodeFlag::kResume})},
  };
  for (const auto& row : cases) {
    const auto state = ParseNodeState(row.text);
    ASSERT_TRUE(state.ok()) << row.text << ": " << state.status();
    EXPECT_EQ(*state, row.state) << row.text << " read as " << NodeStateText(*state);
  }
}

struct WrongCase {
  std::string text;
  std::string names;  // the word that the message must name
};

TEST(ParseNodeState, NamesTheWordThatItDoesNotKnow) {
  const std::vector<WrongCase> cases = {
      {"", "\"\""},
      {"?", "\"?\""},
      {"IDLE+SLEEPING", "SLEEPING"},
      {"IDLE+DOWN", "\"DOWN\""},
      {"IDLE++DRAIN", "\"\""},
      {"IDLE*~", "IDLE*~"},
      {"idle &", "IDLE &"},
      {"+", "\"+\""},
      {"IDLE DRAIN", "IDLE DRAIN"},
      {"resv+alloc", "ALLOC"},
      {"drain\xff", "DRAIN?"},
  };
  for (const auto& row : cases) {
    const auto state = ParseNodeState(row.text);
    EXPECT_EQ(state.status().code(), StatusCode::kInvalidArgument) << row.text;
    EXPECT_THAT(std::string(base::Message(state.status())), HasSubstr(row.names)) << row.text;
  }
  EXPECT_EQ(ParseNodeState(std::string(kMaxStateBytes, 'x')).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(ParseNodeState(std::string(kMaxStateBytes + 1, 'x')).status().code(), StatusCode::kResourceExhausted);
}

TEST(NodeStateText, IsScontrolsAndReadsBack) {
  EXPECT_EQ(NodeStateText(*ParseNodeState("unk*")), "UNKNOWN+NOT_RESPONDING");
  EXPECT_EQ(NodeStateText(*ParseNodeState("drng@")), "DRAIN+REBOOT_REQUESTED");
  EXPECT_EQ(NodeStateText(*ParseNodeState("plnd")), "IDLE+PLANNED");
  for (uint32_t flags = 1; flags != 0 && flags <= static_cast<uint32_t>(NodeFlag::kBlocked); flags <<= 1U) {
    const NodeState state{NodeBase::kMixed, flags};
    EXPECT_EQ(*ParseNodeState(NodeStateText(state)), state) << NodeStateText(state);
  }
}

struct ServiceCase {
  std::string text;
  bool in_service;
  std::string unsettled;
};

TEST(NodeStates, TellWhatIsInServiceAndWhatIsNotSettled) {
  const std::vector<ServiceCase> cases = {
      {"IDLE", true, ""},
      {"MIXED+COMPLETING", true, ""},
      {"ALLOCATED+PLANNED+CLOUD", true, ""},
      {"IDLE+RESERVED", true, ""},
      {"IDLE+DRAIN", false, ""},
      {"IDLE+FAIL", false, ""},
      {"IDLE+MAINTENANCE", false, ""},
      {"IDLE+INVALID_REG", false, ""},
      {"DOWN", false, ""},
      {"ERROR", false, ""},
      {"FUTURE", false, ""},
      {"drained", false, ""},
      {"UNKNOWN", false, "it has not registered with the controller"},
      {"UNKNOWN+NOT_RESPONDING", false, "it has not registered with the controller"},
      {"DOWN+NOT_RESPONDING", false, "it does not answer the controller"},
      {"IDLE+NOT_RESPONDING", false, "it does not answer the controller"},
      {"MIXED+REBOOT_REQUESTED", false, "its reboot is pending"},
      {"DOWN+DRAIN+REBOOT_ISSUED", false, "it is rebooting"},
      {"IDLE+POWERING_UP", false, "it is powering up"},
      {"IDLE+POWER_UP", false, "it was asked to power up"},
      {"IDLE+POWERING_DOWN", false, "it is powering down"},
      {"IDLE+POWER_DOWN", false, "it was asked to power down"},
      {"IDLE+POWER_DRAIN", false, "it powers down when its jobs have ended"},
      {"IDLE+POWERED_DOWN+NOT_RESPONDING", false, "Slurm takes it for powered down"},
  };
  for (const auto& row : cases) {
    const auto state = ParseNodeState(row.text);
    ASSERT_TRUE(state.ok()) << row.text;
    EXPECT_EQ(IsInService(*state), row.in_service) << row.text;
    EXPECT_EQ(WhyNotSettled(*state), row.unsettled) << row.text;
  }
}

}  // namespace
}  // namespace ashlar::cluster
