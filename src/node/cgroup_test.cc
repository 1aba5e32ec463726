#include "node/cgroup.h"

#include <gtest/gtest.h>

#include "node/fake_tree_testing.h"

namespace ashlar::node {
namespace {

TEST(ParseCgroupTest, ReadsBothVersions) {
  // cgroups(7): "5:cpuacct,cpu,cpuset:/daemons", and "0::/..." for version 2.
  const auto lines = ParseCgroup("5:cpuacct,cpu,cpuset:/daemons\n1:name=systemd:/a:b\n0::/user.slice\n");
  ASSERT_TRUE(lines.ok()) << lines.status();
  ASSERT_EQ(lines->size(), 3U);
  EXPECT_EQ((*lines)[0].controllers, (std::vector<std::string>{"cpuacct", "cpu", "cpuset"}));
  EXPECT_EQ((*lines)[0].path, "/daemons");
  EXPECT_EQ((*lines)[1].path, "/a:b");
  EXPECT_EQ((*lines)[2].hierarchy, 0U);
  EXPECT_TRUE((*lines)[2].controllers.empty());
}

TEST(ParseCgroupTest, RefusesWhatIsMalformed) {
  for (const std::string_view text : {"\n", "5\n", "5:cpu\n", "x:cpu:/a\n", "5:cpu:a\n", "5:cpu:\n"}) {
    EXPECT_EQ(ParseCgroup(text).status().code(), base::StatusCode::kInvalidArgument) << text;
  }
}

// Version 2 alone, the process two groups below the root.
FakeTree Version2() {
  FakeTree tree;
  tree.Write("/proc/self/cgroup", "0::/job/step\n");
  tree.Write("/proc/self/mountinfo", "24 21 0:22 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  tree.Write("/sys/fs/cgroup/job/memory.max", "1073741824\n");
  tree.Write("/sys/fs/cgroup/job/cpu.max", "200000 100000\n");
  tree.Write("/sys/fs/cgroup/job/pids.max", "100\n");
  tree.Write("/sys/fs/cgroup/job/step/memory.max", "max\n");
  tree.Write("/sys/fs/cgroup/job/step/cpu.max", "max 100000\n");
  tree.Write("/sys/fs/cgroup/job/step/pids.max", "max\n");
  tree.Write("/sys/fs/cgroup/job/step/cpuset.cpus.effective", "0-3\n");
  return tree;
}

TEST(ReadCgroupLimitsTest, TakesTheTightestOfVersion2) {
  FakeTree tree = Version2();
  Unknowns unknowns;
  CgroupLimits limits = ReadCgroupLimits(tree.reader(), unknowns);
  EXPECT_TRUE(unknowns.empty()) << unknowns.front().reason;
  EXPECT_EQ(limits.version, 2U);
  EXPECT_EQ(limits.path, "/job/step");
  EXPECT_EQ(limits.memory_bytes, 1073741824U);
  EXPECT_EQ(limits.cpus, 2.0);
  EXPECT_EQ(limits.processes, 100U);
  EXPECT_EQ(limits.cpuset, (std::vector<uint32_t>{0, 1, 2, 3}));
  tree.Write("/sys/fs/cgroup/job/step/memory.max", "4096\n");
  tree.Write("/sys/fs/cgroup/job/step/cpu.max", "50000 100000\n");
  limits = ReadCgroupLimits(tree.reader(), unknowns);
  EXPECT_EQ(limits.memory_bytes, 4096U);
  EXPECT_EQ(limits.cpus, 0.5);
}

// Version 1 with the controllers, version 2 beside it with none: what systemd calls hybrid.
TEST(ReadCgroupLimitsTest, ReadsVersion1BesideVersion2) {
  FakeTree tree;
  tree.Write("/proc/self/cgroup", "6:memory:/job\n5:cpu,cpuacct:/job\n4:cpuset:/\n3:pids:/job\n0::/\n");
  tree.Write("/proc/self/mountinfo",
             "30 21 0:22 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
             "31 21 0:23 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
             "32 21 0:24 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
             "33 21 0:25 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
             "34 21 0:26 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n");
  tree.Write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");  // what "no limit" looks like
  tree.Write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "2147483648\n");
  tree.Write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  tree.Write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "150000\n");
  tree.Write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  tree.Write("/sys/fs/cgroup/cpuset/cpuset.cpus", "0-1\n");
  tree.Write("/sys/fs/cgroup/pids/job/pids.max", "50\n");
  Unknowns unknowns;
  const CgroupLimits limits = ReadCgroupLimits(tree.reader(), unknowns);
  EXPECT_TRUE(unknowns.empty()) << unknowns.front().reason;
  EXPECT_EQ(limits.version, 1U);
  EXPECT_EQ(limits.path, "/job");
  EXPECT_EQ(limits.memory_bytes, 2147483648U);
  EXPECT_EQ(limits.cpus, 1.5);
  EXPECT_EQ(limits.processes, 50U);
  EXPECT_EQ(limits.cpuset, (std::vector<uint32_t>{0, 1}));
}

TEST(ReadCgroupLimitsTest, NoLimitIsAbsentWithoutAReason) {
  Unknowns unknowns;
  const CgroupLimits limits = ReadCgroupLimits(PlainMachine().reader(), unknowns);
  EXPECT_TRUE(unknowns.empty());
  EXPECT_EQ(limits.version, 2U);
  EXPECT_FALSE(limits.memory_bytes || limits.cpus || limits.processes || limits.cpuset);
}

TEST(ReadCgroupLimitsTest, WhatIsMalformedIsUnknown) {
  FakeTree tree = Version2();
  tree.Write("/sys/fs/cgroup/job/memory.max", "a lot\n");
  tree.Write("/sys/fs/cgroup/job/cpu.max", "200000 0\n");
  tree.Write("/sys/fs/cgroup/job/step/cpuset.cpus.effective", "3-0\n");
  Unknowns unknowns;
  const CgroupLimits limits = ReadCgroupLimits(tree.reader(), unknowns);
  EXPECT_FALSE(limits.memory_bytes || limits.cpus || limits.cpuset);
  EXPECT_EQ(limits.processes, 100U);
  ASSERT_EQ(unknowns.size(), 3U);
}

TEST(ReadCgroupLimitsTest, WithoutGroupsThereIsAReason) {
  FakeTree tree;
  Unknowns unknowns;
  EXPECT_EQ(ReadCgroupLimits(tree.reader(), unknowns).version, std::nullopt);
  EXPECT_EQ(unknowns.size(), 1U);
  tree.Write("/proc/self/cgroup", "0::/\n");
  tree.Write("/proc/self/mountinfo", "");
  unknowns.clear();
  ReadCgroupLimits(tree.reader(), unknowns);
  ASSERT_EQ(unknowns.size(), 1U);
  EXPECT_EQ(unknowns[0].field, "cgroup");
}

TEST(CgroupJsonTest, AbsentIsNull) {
  CgroupLimits limits;
  limits.cpuset = {0, 1, 2};
  const base::Json json = CgroupLimitsToJson(limits);
  EXPECT_TRUE(json.at("memory_bytes").is_null());
  EXPECT_EQ(json.at("cpuset"), "0-2");
}

}  // namespace
}  // namespace ashlar::node
