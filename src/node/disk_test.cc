#include "node/disk.h"

#include <gtest/gtest.h>

#include "node/fake_tree_testing.h"
#include "node/limits.h"

namespace ashlar::node {
namespace {

TEST(ParseSchedulerTest, ReadsTheOneInBrackets) {
  EXPECT_EQ(*ParseScheduler("none [mq-deadline] bfq\n"), "mq-deadline");
  EXPECT_EQ(*ParseScheduler("[none] mq-deadline"), "none");
  EXPECT_EQ(*ParseScheduler("none\n"), "none");
  for (const std::string_view text : {"", "none mq-deadline", "[", "]none[", "[]", "[none", "[a\x01]"}) {
    EXPECT_EQ(ParseScheduler(text).status().code(), base::StatusCode::kInvalidArgument) << text;
  }
}

TEST(ReadDisksTest, ReadsModelsSizesAndSchedulers) {
  const FakeTree tree = NdH100Machine();
  const auto disks = ReadDisks(tree.reader());
  ASSERT_TRUE(disks.ok()) << disks.status();
  ASSERT_EQ(disks->size(), 9U);
  const Disk& nvme = disks->front();
  EXPECT_EQ(nvme.name, "nvme0n1");
  EXPECT_TRUE(nvme.nvme);
  EXPECT_EQ(nvme.model, "Microsoft NVMe Direct Disk v2");
  EXPECT_EQ(nvme.size_bytes, 3'500'000'000'000U);  // 3.5 TB
  EXPECT_EQ(nvme.rotational, false);
  EXPECT_EQ(nvme.scheduler, "none");
  EXPECT_TRUE(nvme.unknowns.empty());
  EXPECT_EQ(disks->back().name, "sda");
  EXPECT_EQ(disks->back().scheduler, "mq-deadline");
  EXPECT_EQ(DiskToJson(nvme).at("size_bytes"), 3'500'000'000'000U);
}

TEST(ReadDisksTest, AVirtualDiskHasNoModelAndThatIsNoFailure) {
  const auto disks = ReadDisks(PlainMachine().reader());
  ASSERT_EQ(disks->size(), 1U);
  EXPECT_EQ(disks->front().model, std::nullopt);
  EXPECT_TRUE(disks->front().unknowns.empty());
  EXPECT_TRUE(DiskToJson(disks->front()).at("model").is_null());
}

TEST(ReadDisksTest, WhatIsMalformedIsAbsentWithItsReason) {
  FakeTree tree = PlainMachine();
  tree.Write("/sys/block/vda/size", "-1\n");
  tree.Write("/sys/block/vda/queue/rotational", "2\n");
  tree.Write("/sys/block/vda/queue/scheduler", "\n");
  const auto disks = ReadDisks(tree.reader());
  ASSERT_TRUE(disks.ok()) << disks.status();
  const Disk& disk = disks->front();
  EXPECT_FALSE(disk.size_bytes || disk.rotational || disk.scheduler);
  EXPECT_EQ(disk.unknowns.size(), 3U);
}

TEST(ReadDisksTest, ASizeBeyond64BitsIsNotBelieved) {
  FakeTree tree = PlainMachine();
  tree.Write("/sys/block/vda/size", "18014398509481984\n");  // 2^54 sectors are 2^63 bytes
  EXPECT_EQ(ReadDisks(tree.reader())->front().size_bytes, std::nullopt);
}

TEST(ReadDisksTest, LeavesOutLoopDevicesAndHoldsItsLimit) {
  FakeTree tree;
  EXPECT_TRUE(ReadDisks(tree.reader())->empty()) << "no block devices at all";
  tree.MakeDirectory("/sys/block/loop0");
  EXPECT_TRUE(ReadDisks(tree.reader())->empty());
  for (size_t disk = 0; disk < kMaxDisks; ++disk) tree.MakeDirectory(fmt::format("/sys/block/dm-{}", disk));
  EXPECT_TRUE(ReadDisks(tree.reader()).ok());
  tree.MakeDirectory("/sys/block/sda");
  EXPECT_EQ(ReadDisks(tree.reader()).status().code(), base::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace ashlar::node
