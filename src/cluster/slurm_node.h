// A node as the Slurm controller describes it: the lines of `scontrol -o show node`.
//
// Values without resources; any thread. Source of the format: what Slurm 22.05 prints, and the order of the fields in
// its later versions (Reason, Comment, Extra, InstanceId, InstanceType, ReservationName come last).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "cluster/node_state.h"

namespace ashlar::cluster {

struct SlurmNode {
  std::string name;
  std::string host;     // NodeHostName; "" when it is not shown
  std::string address;  // NodeAddr; "" when it is not shown
  NodeState state;
  std::string next_state;  // after a reboot, "RESUME" or "DOWN"; "" when none is pending
  std::vector<std::string> partitions;
  std::string gres;              // "gpu:8"; "" when there is none
  std::optional<uint64_t> cpus;  // CPUTot
  std::string reason;            // without who and when; "" when there is none
  std::string reason_user;       // who set it, as Slurm shows it; "" when it does not
  std::string reason_time;       // when, as Slurm shows it
};

// Reads one line. The reason is free text with blanks and brackets; what stands in a comment is never taken for one.
// kInvalidArgument when the line names no node, has no state, or a state that is not known; kResourceExhausted over
// kMaxNodeLineBytes.
base::StatusOr<SlurmNode> ParseNodeLine(std::string_view line);

// Reads the lines of a listing; empty ones are left out. The same errors, with the line's number; kResourceExhausted
// over kMaxNodes.
base::StatusOr<std::vector<SlurmNode>> ParseNodeListing(std::string_view text);

// {"node", "state", "reason", "reason_user", "reason_time", "next_state"}: what entries and --json say of a node.
base::Json NodeToJson(const SlurmNode& node);

}  // namespace ashlar::cluster
