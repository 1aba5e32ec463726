// The state of a Slurm node: a base, and flags over it.
//
// Values without resources; any thread. Sources: sinfo(1) "NODE STATE CODES", scontrol(1), Slurm's REST schemas, and
// what Slurm 22.05 prints.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/base.h"

namespace ashlar::cluster {

enum class NodeBase {
  kNotShown,  // sinfo's words for flags hide it: DRAINED may be idle or down
  kUnknown,   // the controller has just started and has not heard of the node
  kDown,
  kIdle,
  kAllocated,
  kError,
  kMixed,
  kFuture,  // configured for later
};

enum class NodeFlag : uint32_t {
  kDrain = 1U << 0U,
  kFail = 1U << 1U,
  kNotResponding = 1U << 2U,
  kCompleting = 1U << 3U,
  kMaintenance = 1U << 4U,
  kRebootRequested = 1U << 5U,
  kRebootIssued = 1U << 6U,
  kRebootCancelled = 1U << 7U,
  kPowerDown = 1U << 8U,     // asked to power down
  kPoweringDown = 1U << 9U,  // doing so
  kPoweredDown = 1U << 10U,  // off
  kPowerUp = 1U << 11U,      // asked to power up
  kPoweringUp = 1U << 12U,   // booting
  kPowerDrain = 1U << 13U,   // power down as soon as its jobs have ended
  kInvalidRegistration = 1U << 14U,
  kReserved = 1U << 15U,
  kPlanned = 1U << 16U,
  kPerformanceCounters = 1U << 17U,
  kCloud = 1U << 18U,
  kDynamicFuture = 1U << 19U,
  kDynamicNormal = 1U << 20U,
  kResume = 1U << 21U,
  kBlocked = 1U << 22U,
};

struct NodeState {
  NodeBase base = NodeBase::kNotShown;
  uint32_t flags = 0;  // NodeFlag, or-ed

  bool Has(NodeFlag flag) const { return (flags & static_cast<uint32_t>(flag)) != 0; }
  friend bool operator==(const NodeState&, const NodeState&) = default;
};

// Reads "IDLE+DRAIN+NOT_RESPONDING" (scontrol), "drained*", "drng@", "mix-", "alloc+" (sinfo, long and compact) and
// Slurm's older forms ("DOWN*+CLOUD", "IDLE+POWER"), in any case. A suffix is one of * ~ # ! % $ @ ^ - +.
// kInvalidArgument naming the word that Slurm is not known to print: nothing is guessed.
base::StatusOr<NodeState> ParseNodeState(std::string_view text);

// The names of scontrol, joined by '+': "IDLE+DRAIN". A base that is not shown is left out. ParseNodeState reads it
// back as it was.
std::string NodeStateText(const NodeState& state);

// Nothing keeps new work from starting on the node: it has a base that takes jobs, and no flag that says otherwise.
bool IsInService(const NodeState& state);

// Why the controller's word on the node is not final yet ("its reboot is pending"): it has not registered, does not
// answer, boots or changes its power; "" when it is.
std::string_view WhyNotSettled(const NodeState& state);

}  // namespace ashlar::cluster
