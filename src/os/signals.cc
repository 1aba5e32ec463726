#include "os/signals.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>

#include "os/descriptor.h"

namespace ashlar::os {
namespace {

constexpr int kSignalExit = 128;  // what shells add to the number of a fatal signal

sigset_t StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

}  // namespace

// A thread reads the signals from a descriptor: what a stop sets off (locks, callbacks) is not allowed in a handler.
struct StopOnSignal::Watcher {
  Descriptor signals;
  Descriptor quit;
  sigset_t mask_before{};
  struct sigaction pipe_before {};
  std::jthread thread;

  // The number of the next signal, 0 when the owner wants to end.
  int Next() const {
    while (true) {
      pollfd entries[] = {{quit.number(), POLLIN, 0}, {signals.number(), POLLIN, 0}};
      if (::poll(entries, 2, -1) < 0) continue;
      if (entries[0].revents != 0) return 0;
      signalfd_siginfo info{};
      if (::read(signals.number(), &info, sizeof(info)) == sizeof(info)) return static_cast<int>(info.ssi_signo);
    }
  }
};

StopOnSignal::StopOnSignal() : watcher_(std::make_unique<Watcher>()) {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &watcher_->pipe_before);
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_BLOCK, &signals, &watcher_->mask_before);
  watcher_->signals = Descriptor(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
  watcher_->quit = Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!watcher_->signals.open() || !watcher_->quit.open()) {
    // Out of descriptors: the signals end the program as they always did.
    pthread_sigmask(SIG_SETMASK, &watcher_->mask_before, nullptr);
    return;
  }
  watcher_->thread = std::jthread([this] {
    for (int number = watcher_->Next(); number != 0; number = watcher_->Next()) {
      if (signal_.exchange(number) != 0) ::_exit(kSignalExit + number);
      source_.request_stop();
    }
  });
}

StopOnSignal::~StopOnSignal() {
  if (watcher_->thread.joinable()) {
    const uint64_t one = 1;
    if (::write(watcher_->quit.number(), &one, sizeof(one)) == sizeof(one)) watcher_->thread.join();
  }
  pthread_sigmask(SIG_SETMASK, &watcher_->mask_before, nullptr);
  ::sigaction(SIGPIPE, &watcher_->pipe_before, nullptr);
}

}  // namespace ashlar::os
