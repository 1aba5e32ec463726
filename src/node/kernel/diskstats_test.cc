#include "node/kernel/diskstats.h"

#include <gtest/gtest.h>

#include "node/limits.h"

namespace ashlar::node {
namespace {

TEST(ParseDiskstatsTest, RefusesWhatIsMalformed) {
  struct Row {
    std::string_view name;
    std::string_view text;
  };
  const Row rows[] = {
      {"blank line", "\n"},
      {"no device", "8 0\n"},
      {"ten numbers", "8 0 sda 1 2 3 4 5 6 7 8 9 10\n"},
      {"a word among the numbers", "8 0 sda 1 2 3 4 x 6 7 8 9 10 11\n"},
      {"a word after the numbers", "8 0 sda 1 2 3 4 5 6 7 8 9 10 11 x\n"},
      {"negative", "8 0 sda 1 2 3 4 5 6 7 8 -9 10 11\n"},
      {"no device number", "a 0 sda 1 2 3 4 5 6 7 8 9 10 11\n"},
      {"cut short", "8 0 sda 1 2 3 4 5 6 7 8 9 10 11\n8 1 sda1 1 2"},
  };
  for (const Row& row : rows) {
    std::vector<DiskStats> disks;
    EXPECT_EQ(ParseDiskstats(row.text, disks).code(), base::StatusCode::kInvalidArgument) << row.name;
  }
}

TEST(ParseDiskstatsTest, ReadsColumnsInTheKernelsOrder) {
  std::vector<DiskStats> disks;
  // Eleven columns (before 4.18), and twenty (since 5.5).
  const std::string_view text =
      "   8       0 sda 1 2 3 4 5 6 7 8 9 10 11\n 259       0 nvme0n1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n";
  ASSERT_TRUE(ParseDiskstats(text, disks).ok());
  ASSERT_EQ(disks.size(), 2U);
  EXPECT_EQ(disks[0].name, "sda");
  EXPECT_EQ(disks[0].reads, 1U);
  EXPECT_EQ(disks[0].reads_merged, 2U);
  EXPECT_EQ(disks[0].sectors_read, 3U);
  EXPECT_EQ(disks[0].read_milliseconds, 4U);
  EXPECT_EQ(disks[0].writes, 5U);
  EXPECT_EQ(disks[0].writes_merged, 6U);
  EXPECT_EQ(disks[0].sectors_written, 7U);
  EXPECT_EQ(disks[0].write_milliseconds, 8U);
  EXPECT_EQ(disks[0].in_flight, 9U);
  EXPECT_EQ(disks[0].io_milliseconds, 10U);
  EXPECT_EQ(disks[0].weighted_milliseconds, 11U);
  EXPECT_EQ(disks[1].name, "nvme0n1");
}

TEST(ParseDiskstatsTest, AnEmptyFileIsAMachineWithoutDisks) {
  std::vector<DiskStats> disks = {{}};
  ASSERT_TRUE(ParseDiskstats("", disks).ok());
  EXPECT_TRUE(disks.empty());
}

TEST(ParseDiskstatsTest, HoldsItsLimit) {
  std::string text;
  for (size_t row = 0; row < kMaxDiskRows; ++row) text += "8 0 sda 1 2 3 4 5 6 7 8 9 10 11\n";
  std::vector<DiskStats> disks;
  ASSERT_TRUE(ParseDiskstats(text, disks).ok());
  text += "8 0 sda 1 2 3 4 5 6 7 8 9 10 11\n";
  EXPECT_EQ(ParseDiskstats(text, disks).code(), base::StatusCode::kResourceExhausted);
}

// node_exporter's default: ^(z?ram|loop|fd|(h|s|v|xv)d[a-z]|nvme\d+n\d+p)\d+$ is left out.
TEST(IsWatchedDiskTest, LeavesOutPartitionsAndVirtualDevices) {
  for (const std::string_view name :
       {"sda", "vdb", "xvda", "nvme0n1", "nvme10n2", "dm-0", "md127", "sr0", "mmcblk0", "sdaa", "nbd0", "sd"}) {
    EXPECT_TRUE(IsWatchedDisk(name)) << name;
  }
  for (const std::string_view name :
       {"sda1", "vdb12", "xvda1", "hdc3", "nvme0n1p1", "loop0", "ram15", "zram0", "fd0", "mmcblk0p2"}) {
    EXPECT_FALSE(IsWatchedDisk(name)) << name;
  }
}

}  // namespace
}  // namespace ashlar::node
