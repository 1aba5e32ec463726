#include "node/nhc/process_list.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "node/checks/check_limits.h"
#include "node/fake_tree_testing.h"

namespace ashlar::node {
namespace {

using base::StatusCode;

std::string Stat(int pid, const std::string& name) {
  return fmt::format("{} ({}) S 1 1 1 0 -1 4194560 1 0 0 0 5 5 0 0 20 0 1 0 100 1 1\n", pid, name);
}

FakeTree Machine() {
  FakeTree tree;
  tree.Write("/etc/passwd", "root:x:0:0::/:/bin/sh\ntoor:x:0:0::/:/bin/sh\nalice:x:1000:1000::/:/bin/sh\nbroken\n");
  tree.Write("/proc/self/cmdline", std::string("ashlar\0check\0--conf\0sshd.conf\0", 30));
  const auto add = [&](int pid, const std::string& name, const std::string& command, int user) {
    const std::string folder = fmt::format("/proc/{}", pid);
    tree.Write(folder + "/stat", Stat(pid, name));
    tree.Write(folder + "/status", fmt::format("Name:\t{}\nUid:\t0\t{}\t{}\t{}\n", name, user, user, user));
    tree.Write(folder + "/cmdline", command);
  };
  add(1, "init", std::string("/sbin/init\0  splash\0", 19), 0);
  add(2, "kthreadd", "", 0);
  add(70, "sshd", std::string("/usr/sbin/sshd\0-D\0", 18), 0);
  add(71, "job", "job", 1000);
  add(72, "other", "other", 4711);
  add(80, "sudo", std::string("sudo\0ashlar\0check\0--conf\0sshd.conf\0", 35), 0);
  add(81, "ashlar", std::string("ashlar\0check\0--conf\0sshd.conf\0", 30), 0);
  return tree;
}

TEST(ProcessList, EachWithItsOwner) {
  const auto tree = Machine();
  const auto processes = ReadRunningProcesses(tree.reader());
  ASSERT_TRUE(processes.ok()) << processes.status();
  std::vector<std::string> lines;
  for (const auto& one : *processes) {
    lines.push_back(fmt::format("{} {} {}/{}", one.pid, one.arguments, one.user_id, one.user));
  }
  // The program that asks and what started it hold "sshd" in their own words, and are not listed.
  EXPECT_EQ(lines, (std::vector<std::string>{"1 /sbin/init splash 0/root", "2 [kthreadd] 0/root",
                                             "70 /usr/sbin/sshd -D 0/root", "71 job 1000/alice", "72 other 4711/"}));
}

TEST(ProcessList, OneThatEndsMeanwhileIsLeftOut) {
  auto tree = Machine();
  tree.MakeDirectory("/proc/90");
  const auto processes = ReadRunningProcesses(tree.reader());
  ASSERT_TRUE(processes.ok()) << processes.status();
  EXPECT_EQ(processes->size(), 5U);
}

TEST(ProcessList, WhatCannotBeReadIsAnError) {
  struct Row {
    std::string path;
    std::string content;
    StatusCode code;
  };
  const std::vector<Row> rows = {{"/proc/70/stat", "what\n", StatusCode::kInvalidArgument},
                                 {"/proc/70/status", "Name: x\n", StatusCode::kInvalidArgument},
                                 {"/proc/70/status", "Uid: x y\n", StatusCode::kInvalidArgument}};
  for (const auto& row : rows) {
    auto tree = Machine();
    tree.Write(row.path, row.content);
    EXPECT_EQ(ReadRunningProcesses(tree.reader()).status().code(), row.code) << row.content;
  }
  for (const auto* path : {"/etc/passwd", "/proc/self/cmdline", "/proc/70/cmdline"}) {
    auto tree = Machine();
    tree.Remove(path);
    EXPECT_EQ(ReadRunningProcesses(tree.reader()).status().code(), StatusCode::kNotFound) << path;
  }
  FakeTree none;
  none.Write("/etc/passwd", "");
  none.Write("/proc/self/cmdline", "x");
  EXPECT_EQ(ReadRunningProcesses(none.reader()).status().code(), StatusCode::kNotFound);
}

TEST(ProcessList, OfThisMachine) {
  const auto processes = ReadRunningProcesses(os::SysReader());
  ASSERT_TRUE(processes.ok()) << processes.status();
  for (const auto& one : *processes) EXPECT_NE(one.pid, getpid());
}

}  // namespace
}  // namespace ashlar::node
