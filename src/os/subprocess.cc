#include "os/subprocess.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <utility>

#include "os/descriptor.h"
#include "os/limits.h"
#include "os/process_group.h"

namespace ashlar::os {
namespace {

using base::StatusCode;

base::StatusOr<std::string> ProgramPath(const SubprocessOptions& options) {
  if (options.command.empty() || options.command.front().empty()) {
    return base::Error(StatusCode::kInvalidArgument, "no program to run: the command is empty");
  }
  for (const std::string& word : options.command) {
    if (word.find('\0') != std::string::npos) {
      return base::Error(StatusCode::kInvalidArgument, "a word of the command holds a zero byte");
    }
  }
  const std::string& program = options.command.front();
  if (program.find('/') != std::string::npos) return program;
  return FindProgram(program);
}

bool IsRegularFile(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

SubprocessResult MakeResult(const GroupEnding& ending, GroupStream& output, GroupStream& error) {
  SubprocessResult result;
  if (ending.wait_status != -1 && WIFEXITED(ending.wait_status)) result.exit_code = WEXITSTATUS(ending.wait_status);
  if (ending.wait_status != -1 && WIFSIGNALED(ending.wait_status)) result.signal = WTERMSIG(ending.wait_status);
  result.timed_out = ending.timed_out;
  result.output = std::move(output.bytes);
  result.error = std::move(error.bytes);
  return result;
}

base::Status EndingStatus(const GroupEnding& ending, const SubprocessOptions& options) {
  const std::string& program = options.command.front();
  if (ending.stuck) {
    return base::Error(StatusCode::kDeadlineExceeded,
                       "{} does not end even by SIGKILL: it waits inside the kernel, often for a disk or a network "
                       "file system that does not answer; it was left behind",
                       program);
  }
  if (ending.over_limit) {
    return base::Error(StatusCode::kResourceExhausted, "{} wrote more than {} and was ended", program,
                       base::HumanBytes(options.output_limit));
  }
  if (ending.cancelled) return base::Error(StatusCode::kCancelled, "{} was stopped on request", program);
  if (ending.wait_status == -1) {
    return base::Error(StatusCode::kInternal, "{} ended, but how is not known: another part reaped it", program);
  }
  return base::OkStatus();
}

}  // namespace

base::StatusOr<SubprocessResult> RunSubprocess(const SubprocessOptions& options) {
  ASHLAR_ASSIGN_OR_RETURN(std::string program, ProgramPath(options));
  if (options.stop.stop_requested()) {
    return base::Error(StatusCode::kCancelled, "{} was not started: a stop was requested", program);
  }
  ASHLAR_ASSIGN_OR_RETURN(Pipe input, MakePipe());
  ASHLAR_ASSIGN_OR_RETURN(Pipe output, MakePipe());
  ASHLAR_ASSIGN_OR_RETURN(Pipe error, MakePipe());
  ASHLAR_RETURN_IF_ERROR(MakeNonBlocking(input.write));
  ASHLAR_RETURN_IF_ERROR(MakeNonBlocking(output.read));
  ASHLAR_RETURN_IF_ERROR(MakeNonBlocking(error.read));
  const absl::Duration start = base::SystemClock().Monotonic();
  ASHLAR_ASSIGN_OR_RETURN(const pid_t leader, Spawn({.program = std::move(program),
                                                     .command = options.command,
                                                     .environment = options.environment,
                                                     .directory = options.directory,
                                                     .input = input.read.number(),
                                                     .output = output.write.number(),
                                                     .error = error.write.number()}));
  input.read.Close();
  output.write.Close();
  error.write.Close();
  GroupStream output_stream{std::move(output.read), options.output_limit.count, &options.on_output, ""};
  GroupStream error_stream{std::move(error.read), options.output_limit.count, &options.on_error, ""};
  GroupRun run(leader, {.deadline = options.deadline, .grace = options.grace, .stop = options.stop});
  run.Feed(std::move(input.write), options.input);
  run.Collect(&output_stream);
  run.Collect(&error_stream);
  const GroupEnding ending = run.Run();
  ASHLAR_RETURN_IF_ERROR(EndingStatus(ending, options));
  SubprocessResult result = MakeResult(ending, output_stream, error_stream);
  result.wall = base::SystemClock().Monotonic() - start;
  return result;
}

base::StatusOr<std::string> SelfPath() {
  std::array<char, kPathLimit> target;
  const ssize_t length = ::readlink("/proc/self/exe", target.data(), target.size());
  if (length < 0) return base::ErrnoStatus(errno, "/proc/self/exe");
  return std::string(target.data(), static_cast<size_t>(length));
}

base::StatusOr<std::string> FindProgram(std::string_view program) {
  if (program.empty() || program.find('/') != std::string_view::npos) {
    return base::Error(StatusCode::kInvalidArgument, "\"{}\" is no name to look up in PATH", program);
  }
  const char* path = std::getenv("PATH");
  std::string refused;
  for (const std::string_view folder : base::Split(path == nullptr ? "/usr/bin:/bin" : path, ':')) {
    // An empty or relative entry would mean "wherever this process stands": never wanted of a service.
    if (folder.empty() || folder.front() != '/') continue;
    std::string candidate = fmt::format("{}/{}", folder, program);
    if (!IsRegularFile(candidate)) continue;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    refused = std::move(candidate);
  }
  if (!refused.empty()) {
    return base::Error(StatusCode::kPermissionDenied, "{} may not be run by this user: look at its mode", refused);
  }
  return base::Error(StatusCode::kNotFound, "{} is not in PATH: install it or add its folder to PATH", program);
}

base::StatusOr<ChildProcess> ChildProcess::Start(const SubprocessOptions& options, const std::string& log_path) {
  ASHLAR_ASSIGN_OR_RETURN(std::string program, ProgramPath(options));
  const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!nothing.open()) return base::ErrnoStatus(errno, "/dev/null");
  Descriptor log;
  if (!log_path.empty()) {
    log = Descriptor(::open(log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (!log.open()) return base::ErrnoStatus(errno, log_path);
  }
  ASHLAR_ASSIGN_OR_RETURN(const pid_t leader, Spawn({.program = std::move(program),
                                                     .command = options.command,
                                                     .environment = options.environment,
                                                     .directory = options.directory,
                                                     .input = nothing.number(),
                                                     .output = log.number(),
                                                     .error = log.number()}));
  return ChildProcess(leader);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), ended_(std::exchange(other.ended_, std::nullopt)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this != &other) {
    Terminate(absl::ZeroDuration());
    pid_ = std::exchange(other.pid_, -1);
    ended_ = std::exchange(other.ended_, std::nullopt);
  }
  return *this;
}

ChildProcess::~ChildProcess() { Terminate(absl::ZeroDuration()); }

std::optional<int> ChildProcess::Poll() {
  if (pid_ > 0 && !ended_ && HasEnded(pid_)) ended_ = EndGroup(pid_);
  return ended_;
}

void ChildProcess::Terminate(absl::Duration grace) {
  if (pid_ > 0 && !Poll()) ended_ = TerminateGroup(pid_, grace);
}

void ChildProcess::Signal(int signal) {
  if (pid_ > 0 && !Poll()) SignalGroup(pid_, signal);
}

}  // namespace ashlar::os
