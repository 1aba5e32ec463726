#include "os/process_group.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "os/limits.h"

namespace ashlar::os {
namespace {

// Without pidfd (kernels before 5.3) the leader is looked at this often.
constexpr absl::Duration kLookAgain = absl::Milliseconds(5);

absl::Duration Now() { return base::SystemClock().Monotonic(); }

Descriptor WatchProcess(pid_t process) { return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, process, 0))); }

int PollMilliseconds(absl::Duration wait) {
  constexpr int64_t kLongest = 60'000;  // a longer wait goes round the loop again
  if (wait <= absl::ZeroDuration()) return 0;
  return static_cast<int>(std::min(kLongest, absl::ToInt64Milliseconds(wait)) + 1);  // rounded up: no spinning
}

// Waits until the leader ended or the time ran out.
bool WaitForEnd(pid_t leader, absl::Duration timeout) {
  const Descriptor watch = WatchProcess(leader);
  const absl::Duration until = Now() + timeout;
  while (!HasEnded(leader)) {
    const absl::Duration left = until - Now();
    if (left <= absl::ZeroDuration()) return false;
    pollfd entry{watch.number(), POLLIN, 0};
    ::poll(&entry, 1, PollMilliseconds(watch.open() ? left : std::min(left, kLookAgain)));
  }
  return true;
}

// write(2) to a pipe whose reader may be gone, without SIGPIPE reaching anybody: the signal is blocked in this thread
// meanwhile and taken back when this very write raised it.
ssize_t WriteWithoutSignal(int descriptor, std::string_view bytes) {
  sigset_t pipe_only;
  sigemptyset(&pipe_only);
  sigaddset(&pipe_only, SIGPIPE);
  sigset_t pending;
  sigpending(&pending);
  const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
  const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
  const int error_number = errno;
  if (written < 0 && error_number == EPIPE && !was_pending) {
    const timespec at_once{};
    while (sigtimedwait(&pipe_only, nullptr, &at_once) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error_number;
  return written;
}

}  // namespace

bool HasEnded(pid_t leader) {
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(leader), &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
    if (errno != EINTR) return true;
  }
  return info.si_pid == leader;
}

void SignalGroup(pid_t leader, int signal) { ::kill(-leader, signal); }

int EndGroup(pid_t leader) {
  SignalGroup(leader, SIGKILL);
  int status = -1;
  while (::waitpid(leader, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return status;
}

int TerminateGroup(pid_t leader, absl::Duration grace) {
  SignalGroup(leader, SIGTERM);
  if (!WaitForEnd(leader, grace)) {
    SignalGroup(leader, SIGKILL);
    if (!WaitForEnd(leader, kUnkillableWait)) return -1;
  }
  return EndGroup(leader);
}

GroupRun::GroupRun(pid_t leader, GroupOptions options)
    : leader_(leader), options_(std::move(options)), start_(Now()), watch_(WatchProcess(leader)), chunk_(kPipeChunk) {
  next_step_ = start_ + options_.deadline;
}

void GroupRun::Feed(Descriptor sink, std::string_view input) {
  sink_ = std::move(sink);
  input_ = input;
  if (input_.empty()) sink_.Close();
}

void GroupRun::BeginEnding(absl::Duration now) {
  if (phase_ != Phase::kRunning) return;
  const bool ask = options_.grace > absl::ZeroDuration();
  SignalGroup(leader_, ask ? SIGTERM : SIGKILL);
  phase_ = ask ? Phase::kAsked : Phase::kKilled;
  next_step_ = now + (ask ? options_.grace : kUnkillableWait);
}

void GroupRun::Advance(absl::Duration now) {
  if (phase_ == Phase::kRunning && options_.stop.stop_requested()) {
    ending_.cancelled = true;
    BeginEnding(now);
  }
  if (now < next_step_) return;
  if (phase_ == Phase::kRunning) {
    ending_.timed_out = true;
    BeginEnding(now);
  } else if (phase_ == Phase::kAsked) {
    SignalGroup(leader_, SIGKILL);
    phase_ = Phase::kKilled;
    next_step_ = now + kUnkillableWait;
  }
}

bool GroupRun::gave_up(absl::Duration now) const { return phase_ == Phase::kKilled && now >= next_step_; }

void GroupRun::WriteInput() {
  const ssize_t written = WriteWithoutSignal(sink_.number(), input_);
  if (written < 0 && (errno == EINTR || errno == EAGAIN)) return;
  // A child that does not want its input is no error.
  input_.remove_prefix(written < 0 ? input_.size() : static_cast<size_t>(written));
  if (input_.empty()) sink_.Close();
}

// False when there is nothing more to read now.
bool GroupRun::ReadOnce(GroupStream& stream) {
  const ssize_t got = ::read(stream.source.number(), chunk_.data(), chunk_.size());
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return false;
  if (got <= 0) {
    stream.source.Close();
    return false;
  }
  const std::string_view all(chunk_.data(), static_cast<size_t>(got));
  const std::string_view kept = all.substr(0, std::min<uint64_t>(all.size(), stream.limit - stream.bytes.size()));
  stream.bytes.append(kept);
  if (!kept.empty() && stream.on_chunk != nullptr && *stream.on_chunk) (*stream.on_chunk)(kept);
  if (kept.size() < all.size()) {
    ending_.over_limit = true;
    BeginEnding(Now());
  }
  return true;
}

void GroupRun::WaitForEvents(absl::Duration now) {
  std::vector<pollfd> entries{{watch_.number(), POLLIN, 0}, {sink_.number(), POLLOUT, 0}};
  // The eventfd stays readable once it was written: after that it must not keep the loop spinning.
  entries.push_back({phase_ == Phase::kRunning ? wake_.number() : -1, POLLIN, 0});
  const size_t first_stream = entries.size();
  for (const GroupStream* stream : streams_) entries.push_back({stream->source.number(), POLLIN, 0});
  absl::Duration wait = next_step_ - now;
  if (!watch_.open()) wait = std::min(wait, kLookAgain);
  if (::poll(entries.data(), entries.size(), PollMilliseconds(wait)) <= 0) return;
  if (entries[1].revents != 0) WriteInput();
  for (size_t i = 0; i < streams_.size(); ++i) {
    if (entries[first_stream + i].revents != 0) ReadOnce(*streams_[i]);
  }
}

// The writers are dead: what they wrote stands in the pipes. Somebody who left the group may still write, so the
// number of reads is bounded.
void GroupRun::Drain() {
  for (GroupStream* stream : streams_) {
    for (int i = 0; i < kDrainReads && stream->source.open() && ReadOnce(*stream); ++i) {
    }
    stream->source.Close();
  }
}

GroupEnding GroupRun::Run() {
  if (options_.stop.stop_possible()) wake_ = Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  const std::stop_callback on_stop(options_.stop, [this] {
    const uint64_t one = 1;
    // Cannot fail but by a full counter, and then it is readable already.
    if (::write(wake_.number(), &one, sizeof(one)) < 0) return;
  });
  while (!HasEnded(leader_)) {
    const absl::Duration now = Now();
    Advance(now);
    if (gave_up(now)) {
      ending_.stuck = true;
      return ending_;
    }
    WaitForEvents(now);
  }
  sink_.Close();
  phase_ = Phase::kKilled;  // nothing is left that a full stream could end
  ending_.wait_status = EndGroup(leader_);
  Drain();
  return ending_;
}

}  // namespace ashlar::os
