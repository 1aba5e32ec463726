#include "os/signals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "os/subprocess.h"

namespace ashlar::os {
namespace {

// Waits in the caller until a stop was requested.
void WaitForStop(const std::stop_token& token) {
  base::Mutex mutex;
  base::CondVar changed;
  bool stopped = false;
  const std::stop_callback on_stop(token, [&] {
    const base::MutexLock lock(mutex);
    stopped = true;
    changed.SignalAll();
  });
  const base::MutexLock lock(mutex);
  while (!stopped) changed.Wait(mutex);
}

// Each test runs in a child of its own: signals are a matter of the whole process.
std::string InChild(const std::function<std::string()>& work) {
  const auto answer = RunIsolated(work, {.deadline = absl::Seconds(120)});
  return answer.ok() ? *answer : answer.status().ToString();
}

TEST(StopOnSignalTest, TheFirstSignalRequestsAStop) {
  for (const int signal : {SIGINT, SIGTERM}) {
    EXPECT_EQ(InChild([signal] {
                const StopOnSignal stop;
                const int before = stop.signal();
                ::kill(::getpid(), signal);
                WaitForStop(stop.token());
                return fmt::format("{} {}", before, stop.signal());
              }),
              fmt::format("0 {}", signal));
  }
}

TEST(StopOnSignalTest, TheSecondSignalEndsTheProcess) {
  // 128 + SIGTERM, which is 15: what a shell reports for a process ended by it.
  EXPECT_THAT(InChild([]() -> std::string {
                const StopOnSignal stop;
                ::kill(::getpid(), SIGINT);
                WaitForStop(stop.token());
                ::kill(::getpid(), SIGTERM);
                while (true) ::pause();
              }),
              ::testing::HasSubstr("code 143"));
}

TEST(StopOnSignalTest, ABrokenPipeIsAnErrorAndNoEnd) {
  EXPECT_EQ(InChild([] {
              const StopOnSignal stop;
              int ends[2];
              if (::pipe(ends) != 0) return std::string("no pipe");
              ::close(ends[0]);
              return std::string(::write(ends[1], "x", 1) < 0 && errno == EPIPE ? "EPIPE" : "written");
            }),
            "EPIPE");
}

TEST(StopOnSignalTest, PutsEverythingBack) {
  EXPECT_THAT(InChild([]() -> std::string {
                { const StopOnSignal stop; }
                ::kill(::getpid(), SIGTERM);
                while (true) ::pause();
              }),
              ::testing::HasSubstr("SIGTERM"));
  EXPECT_EQ(InChild([] {
              for (int i = 0; i < 3; ++i) {
                const StopOnSignal stop;
                ::kill(::getpid(), SIGINT);
                WaitForStop(stop.token());
              }
              return std::string("three in a row");
            }),
            "three in a row");
}

TEST(StopOnSignalTest, ChildrenDoNotInheritTheBlockedSignals) {
  EXPECT_EQ(
      InChild([] {
        const StopOnSignal stop;
        const auto result = RunSubprocess({.command = {"tail", "-f", "/dev/null"}, .deadline = absl::Milliseconds(20)});
        return result.ok() ? std::to_string(result->signal) : result.status().ToString();
      }),
      std::to_string(SIGTERM));
}

}  // namespace
}  // namespace ashlar::os
