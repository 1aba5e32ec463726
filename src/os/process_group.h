// A child that leads a process group: watched, fed, read and ended with the whole group. For use inside `os`.
//
// The leader stays unreaped until EndGroup, so its number cannot be another's while signals are sent. One thread.
#pragma once

#include <absl/time/time.h>
#include <sys/types.h>

#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "os/descriptor.h"

namespace ashlar::os {

// What to start: `program` is a path, `command[0]` what the program sees as its name. Descriptors are this process's;
// all others are closed in the child, its signals are as after login.
struct SpawnRequest {
  std::string program = {};
  std::vector<std::string> command = {};
  std::map<std::string, std::string> environment = {};  // added to this process's
  std::string directory = {};                           // "" keeps this one
  int input = -1;
  int output = -1;
  int error = -1;
};

// Starts the program as the leader of a new process group. kNotFound, kPermissionDenied and others as exec says.
base::StatusOr<pid_t> Spawn(const SpawnRequest& request);

// True when the leader has ended and waits to be reaped (or was lost to a handler that reaps every child).
bool HasEnded(pid_t leader);

// Sends `signal` to every process of the group.
void SignalGroup(pid_t leader, int signal);

// Kills what is left of the group and reaps the ended leader; its wait status, -1 when another reaped it.
int EndGroup(pid_t leader);

// SIGTERM, SIGKILL after `grace`, then EndGroup. -1 when even that did not end it within kUnkillableWait.
int TerminateGroup(pid_t leader, absl::Duration grace);

// One stream that comes out of the group.
struct GroupStream {
  Descriptor source = {};
  uint64_t limit = 0;
  const std::function<void(std::string_view)>* on_chunk = nullptr;  // may be null; not owned
  std::string bytes = {};
};

struct GroupOptions {
  absl::Duration deadline = {};
  absl::Duration grace = {};  // between SIGTERM and SIGKILL; zero goes to SIGKILL at once
  std::stop_token stop = {};
};

struct GroupEnding {
  int wait_status = -1;  // as waitpid has it; -1 when it could not be had
  bool timed_out = false;
  bool cancelled = false;   // a stop was requested
  bool over_limit = false;  // a stream brought more than its limit; the rest was thrown away
  bool stuck = false;       // even SIGKILL did not end it
};

// Runs the group to its end: writes `input` to `sink`, reads `streams`, ends it at the deadline or on a stop.
class GroupRun {
 public:
  GroupRun(pid_t leader, GroupOptions options);
  void Feed(Descriptor sink, std::string_view input);
  // The stream lives as long as the run.
  void Collect(GroupStream* stream) { streams_.push_back(stream); }
  GroupEnding Run();

 private:
  enum class Phase { kRunning, kAsked, kKilled };

  void BeginEnding(absl::Duration now);
  void Advance(absl::Duration now);
  void WaitForEvents(absl::Duration now);
  void WriteInput();
  bool ReadOnce(GroupStream& stream);
  void Drain();
  bool gave_up(absl::Duration now) const;

  const pid_t leader_;
  const GroupOptions options_;
  const absl::Duration start_;
  Descriptor watch_;  // pidfd: readable when the leader ends; closed when the kernel has none
  Descriptor wake_;   // eventfd: readable when a stop was requested
  Descriptor sink_;
  std::string_view input_;
  std::vector<GroupStream*> streams_;
  std::vector<char> chunk_;
  Phase phase_ = Phase::kRunning;
  absl::Duration next_step_;  // when the phase ends by itself
  GroupEnding ending_;
};

}  // namespace ashlar::os
