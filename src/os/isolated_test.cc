#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <stdexcept>

#include "os/subprocess.h"
#include "os/sys_reader.h"

namespace ashlar::os {
namespace {

using base::StatusCode;
using ::testing::HasSubstr;

constexpr absl::Duration kFarAway = absl::Seconds(120);

class IsolatedTest : public ::testing::Test {
 protected:
  void SetUp() override { descriptors_ = SysReader().List("/proc/self/fd")->size(); }
  void TearDown() override {
    EXPECT_EQ(SysReader().List("/proc/self/fd")->size(), descriptors_);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
  }

  size_t descriptors_ = 0;
};

[[noreturn]] std::string Hang() {
  while (true) ::pause();
}

TEST_F(IsolatedTest, EveryBadEndHasItsStatus) {
  struct Row {
    std::string name;
    std::function<std::string()> work;
    IsolatedOptions options;
    StatusCode code;
    std::string message;
  };
  const IsolatedOptions patient{.deadline = kFarAway};
  const Row rows[] = {
      {"segmentation fault", [] { return std::to_string(::raise(SIGSEGV)); }, patient, StatusCode::kAborted, "SIGSEGV"},
      {"abort", []() -> std::string { std::abort(); }, patient, StatusCode::kAborted, "SIGABRT"},
      {"exit 3", []() -> std::string { ::_exit(3); }, patient, StatusCode::kAborted, "code 3"},
      {"exit 0", []() -> std::string { ::_exit(0); }, patient, StatusCode::kAborted, "code 0"},
      {"throw", []() -> std::string { throw std::runtime_error("odd"); }, patient, StatusCode::kAborted, "threw: odd"},
      {"throw a number", []() -> std::string { throw 1; }, patient, StatusCode::kAborted, "threw"},
      {"hang",
       Hang,
       {.deadline = absl::Milliseconds(50)},
       StatusCode::kDeadlineExceeded,
       "did not answer within 50.0 ms"},
      {"hang that ignores requests",
       [] {
         ::signal(SIGTERM, SIG_IGN);
         return Hang();
       },
       {.deadline = absl::Milliseconds(50)},
       StatusCode::kDeadlineExceeded,
       "did not answer"},
      {"too long",
       [] { return std::string(1001, 'x'); },
       {.deadline = kFarAway, .limit = base::Bytes{1000}},
       StatusCode::kResourceExhausted,
       "answered more than 1000 B"},
  };
  for (const Row& row : rows) {
    const auto answer = RunIsolated(row.work, row.options);
    EXPECT_EQ(answer.status().code(), row.code) << row.name << ": " << answer.status();
    EXPECT_THAT(base::Message(answer.status()), HasSubstr(row.message)) << row.name;
  }
}

TEST_F(IsolatedTest, BringsBackWhatTheWorkReturned) {
  EXPECT_EQ(*RunIsolated([] { return std::string(); }, {.deadline = kFarAway}), "");
  const std::string binary("a\0.\n", 4);
  EXPECT_EQ(*RunIsolated([&] { return binary; }, {.deadline = kFarAway}), binary);
  const IsolatedOptions small{.deadline = kFarAway, .limit = base::Bytes{1000}};
  const auto at = RunIsolated([] { return std::string(1000, 'x'); }, small);
  ASSERT_TRUE(at.ok()) << at.status();
  EXPECT_EQ(at->size(), 1000U);
  const auto large = RunIsolated([] { return std::string(3 << 20, 'x'); }, {.deadline = kFarAway});
  ASSERT_TRUE(large.ok()) << large.status();
  EXPECT_EQ(large->size(), size_t{3} << 20U);
}

TEST_F(IsolatedTest, TheWorkRunsElsewhere) {
  int here = 1;
  const auto answer = RunIsolated(
      [&] {
        here = 2;
        return fmt::format("{} {}", ::getpid() == ::getpgrp(), ::getppid());
      },
      {.deadline = kFarAway});
  EXPECT_EQ(*answer, fmt::format("true {}", ::getpid()));
  EXPECT_EQ(here, 1);
}

TEST_F(IsolatedTest, WhatTheWorkStartedEndsWithIt) {
  const auto answer = RunIsolated(
      [] {
        const pid_t grandchild = ::fork();
        if (grandchild == 0) Hang();  // holds the pipe of the answer
        return std::to_string(grandchild);
      },
      {.deadline = kFarAway});
  ASSERT_TRUE(answer.ok()) << answer.status();
  // Killed, but the kernel takes its time.
  const int watch = static_cast<int>(::syscall(SYS_pidfd_open, std::stoi(*answer), 0));
  if (watch < 0) return;
  pollfd entry{watch, POLLIN, 0};
  EXPECT_EQ(::poll(&entry, 1, static_cast<int>(absl::ToInt64Milliseconds(kFarAway))), 1);
  ::close(watch);
}

}  // namespace
}  // namespace ashlar::os
