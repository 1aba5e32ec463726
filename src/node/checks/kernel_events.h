// Faults in the kernel's log as events: an id, what it is about, first and last time, how often. Not a gauge that
// sticks: what is outside the window does not count.
//
// Which lines are faults is data: data/node/kernel_events.yaml and data/node/xid.yaml. Immutable after Load; any
// thread may use it.
#pragma once

#include <absl/time/time.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "node/checks/kernel_log.h"

namespace ashlar::node {

// What an event means for the machine: its own fault makes the check fail; what a job did to itself, or what is a
// fault only when it repeats, is noted; a number that no catalogue names leaves the verdict open.
enum class FaultOf { kMachine, kNoted, kUnlisted };

struct KernelEventClass {
  std::string id;  // "machine-check": the finding is kernel-errors-machine-check
  std::string title;
};

struct KernelEvent {
  std::string class_id;
  std::string id;       // "xid-79", "input-output-error"
  std::string subject;  // "PCI:0000:3b:00"; "" when the line names none
  FaultOf fault = FaultOf::kMachine;
  std::string action;         // what to do
  std::string text;           // the latest line, cut to 200 bytes
  absl::Duration first_seen;  // since boot
  absl::Duration last_seen;
  size_t count = 0;
};

class KernelEventRules {
 public:
  // Reads the two files. kInternal naming file and entry when they are not as documented there.
  static base::StatusOr<KernelEventRules> Load();

  const std::vector<KernelEventClass>& classes() const { return classes_; }
  // The event that a line is, with count 1 and no times; nullopt for a line that is none.
  std::optional<KernelEvent> Match(std::string_view text) const;

 private:
  struct Rule {
    std::string class_id;
    std::string id;
    std::string pattern;  // * and ?
    FaultOf fault = FaultOf::kMachine;
    std::string action;
  };
  struct GpuError {
    std::string name;
    FaultOf fault = FaultOf::kMachine;
    std::string action;
  };
  base::Status LoadRules();
  base::Status LoadGpuErrors();
  std::optional<KernelEvent> MatchGpuError(std::string_view text) const;

  std::vector<KernelEventClass> classes_;
  std::vector<Rule> rules_;
  std::map<uint64_t, GpuError> gpu_errors_;
};

// Events of records at or after `from` (since boot), each kind and subject once, in order of first appearance.
std::vector<KernelEvent> FindKernelEvents(const KernelEventRules& rules, const KernelLogText& log, absl::Duration from);

// {"id", "subject", "count", "first_seen", "last_seen", "fault", "action", "text"}; times in RFC 3339 given the boot.
base::Json KernelEventToJson(const KernelEvent& event, absl::Time boot);

}  // namespace ashlar::node
