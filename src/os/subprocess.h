// Other programs, started with a deadline and ended with everything that they started.
//
// The child runs in a process group of its own; at the deadline or on a stop request the group gets SIGTERM, after
// `grace` SIGKILL. When the child itself has ended, what is left of its group is killed at once and what stands in the
// pipes is still read. No descendant keeps the call waiting: pipes held open by a grandchild that left the group are
// abandoned. The child has no descriptor but 0, 1 and 2, and default signals. Any thread may call these.
#pragma once

#include <absl/time/time.h>
#include <sys/types.h>

#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::os {

struct SubprocessOptions {
  std::vector<std::string> command = {};                 // command[0] is looked up in PATH unless it holds a '/'
  std::map<std::string, std::string> environment = {};   // added to (or replacing) this process's environment
  std::string input = {};                                // standard input, then end of file
  std::string directory = {};                            // working directory; "" keeps this one
  absl::Duration deadline = absl::Seconds(60);           // from the start to the end of the child
  absl::Duration grace = absl::Seconds(2);               // between SIGTERM and SIGKILL
  base::Bytes output_limit{16 * base::kMiB};             // per stream; more ends the child with kResourceExhausted
  std::function<void(std::string_view)> on_output = {};  // each chunk of standard output as it comes; may be empty
  std::function<void(std::string_view)> on_error = {};   // each chunk of standard error as it comes; may be empty
  std::stop_token stop = {};                             // ends the child early with kCancelled
};

struct SubprocessResult {
  int exit_code = -1;      // -1 when a signal ended it
  int signal = 0;          // the signal that ended it, 0 when it exited
  bool timed_out = false;  // it was ended at the deadline; output so far is kept
  std::string output;      // standard output
  std::string error;       // standard error
  absl::Duration wall;     // start to end
};

// Runs to the end. A child that fails, is killed or times out is a result, not an error. kNotFound when the program
// does not exist, kPermissionDenied when it may not be run, kCancelled when `stop` was requested.
base::StatusOr<SubprocessResult> RunSubprocess(const SubprocessOptions& options);

// Runs `work` in a forked child of this process, without exec: what it returns comes back through a pipe. A crash,
// a hang (the child's group is killed at `deadline`) or an exit in `work` is a status: kAborted naming the signal or
// exit code, kDeadlineExceeded. The child must not rely on other threads of the parent: it has only itself, and `work`
// may take no lock that another thread of the parent could have held. `limit` bounds the bytes that come back.
struct IsolatedOptions {
  absl::Duration deadline = absl::Seconds(5);
  base::Bytes limit{4 * base::kMiB};
};
base::StatusOr<std::string> RunIsolated(const std::function<std::string()>& work, const IsolatedOptions& options);

// Absolute path of this program (/proc/self/exe).
base::StatusOr<std::string> SelfPath();

// Absolute path of `program` in PATH (absolute entries only); kNotFound otherwise, kPermissionDenied when there is one
// that may not be run, kInvalidArgument for an empty name or one with a '/'.
base::StatusOr<std::string> FindProgram(std::string_view program);

// A long-running child under the caller's control: servers in tests, the ranks of a benchmark.
class ChildProcess {
 public:
  // Starts it; standard output and error go to `log_path` ("" inherits them). Only `command`, `environment` and
  // `directory` of the options are used.
  static base::StatusOr<ChildProcess> Start(const SubprocessOptions& options, const std::string& log_path);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();  // kills the group and reaps

  pid_t pid() const { return pid_; }
  // The wait status (as waitpid has it) when it has ended, nullopt while it runs. An end kills the rest of the group.
  std::optional<int> Poll();
  // SIGTERM to the group, SIGKILL after `grace`, reaped on return. Nothing when it has ended.
  void Terminate(absl::Duration grace);
  // To the whole group.
  void Signal(int signal);

 private:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}
  pid_t pid_ = -1;
  std::optional<int> ended_;
};

}  // namespace ashlar::os
