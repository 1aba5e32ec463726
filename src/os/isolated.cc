#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "os/descriptor.h"
#include "os/process_group.h"
#include "os/subprocess.h"

namespace ashlar::os {
namespace {

using base::StatusCode;

// The answer is one tag, then the text, then the end mark: an exit inside `work` leaves an answer without an end.
constexpr char kReturned = 'R';
constexpr char kThrew = 'T';
constexpr char kEnd = '.';
constexpr uint64_t kFrameBytes = 2;

void WriteAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

void ResetSignals() {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void RunChild(const std::function<std::string()>& work, pid_t parent, int answer) {
  ::setpgid(0, 0);
  ResetSignals();
  // No orphan that goes on by itself when the parent is killed.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(EXIT_FAILURE);
  std::string text(1, kReturned);
  try {
    text += work();
  } catch (const std::exception& problem) {
    text = fmt::format("{}{}", kThrew, problem.what());
  } catch (...) {
    text = fmt::format("{}something that is no std::exception", kThrew);
  }
  text += kEnd;
  WriteAll(answer, text);
  ::_exit(EXIT_SUCCESS);
}

std::string EndingText(int wait_status) {
  if (wait_status == -1) return "ended in an unknown way";
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    const char* name = ::sigabbrev_np(signal);
    return fmt::format("crashed with SIG{}", name == nullptr ? std::to_string(signal) : name);
  }
  return fmt::format("exited with code {} instead of returning", WEXITSTATUS(wait_status));
}

base::StatusOr<std::string> ReadAnswer(const GroupEnding& ending, std::string answer, const IsolatedOptions& options) {
  if (ending.timed_out || ending.stuck) {
    return base::Error(StatusCode::kDeadlineExceeded, "did not answer within {}{}",
                       base::HumanDuration(options.deadline),
                       ending.stuck ? " and cannot be killed: it waits inside the kernel" : "");
  }
  if (ending.over_limit) {
    return base::Error(StatusCode::kResourceExhausted, "answered more than {}", base::HumanBytes(options.limit));
  }
  const bool whole = answer.size() >= kFrameBytes && answer.back() == kEnd && ending.wait_status == 0;
  if (!whole) return base::Error(StatusCode::kAborted, "{}", EndingText(ending.wait_status));
  const bool threw = answer.front() == kThrew;
  std::string text = answer.substr(1, answer.size() - kFrameBytes);
  if (threw) return base::Error(StatusCode::kAborted, "threw: {}", text);
  return text;
}

}  // namespace

base::StatusOr<std::string> RunIsolated(const std::function<std::string()>& work, const IsolatedOptions& options) {
  ASHLAR_ASSIGN_OR_RETURN(Pipe answer, MakePipe());
  ASHLAR_RETURN_IF_ERROR(MakeNonBlocking(answer.read));
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return base::ErrnoStatus(errno, "starting a child process");
  if (child == 0) {
    answer.read.Close();
    RunChild(work, parent, answer.write.number());
  }
  // Both sides set the group: whichever comes first, no signal misses it.
  ::setpgid(child, child);
  answer.write.Close();
  GroupStream stream{std::move(answer.read), options.limit.count + kFrameBytes, nullptr, ""};
  GroupRun run(child, {.deadline = options.deadline, .grace = absl::ZeroDuration(), .stop = {}});
  run.Collect(&stream);
  const GroupEnding ending = run.Run();
  return ReadAnswer(ending, std::move(stream.bytes), options);
}

}  // namespace ashlar::os
