#include "node/kernel/mountinfo.h"

#include <gtest/gtest.h>

#include "node/limits.h"

namespace ashlar::node {
namespace {

TEST(ParseMountinfoTest, RefusesWhatIsMalformed) {
  struct Row {
    std::string_view name;
    std::string_view text;
  };
  const Row rows[] = {
      {"blank line", "\n"},
      {"no dash", "36 35 98:0 / /mnt rw,noatime master:1 ext3 /dev/root rw\n"},
      {"no type", "36 35 98:0 / /mnt rw,noatime -\n"},
      {"no mount number", "x 35 98:0 / /mnt rw - ext3 /dev/root rw\n"},
      {"no device number", "36 35 98 / /mnt rw - ext3 /dev/root rw\n"},
      {"a broken escape", "36 35 98:0 / /mnt\\04 rw - ext3 /dev/root rw\n"},
      {"cut short", "36 35 98:0 / /mn"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ParseMountinfo(row.text).status().code(), base::StatusCode::kInvalidArgument) << row.name;
  }
}

TEST(ParseMountinfoTest, ReadsTheExampleOfTheManual) {
  // proc(5): "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue".
  const auto mounts =
      ParseMountinfo("36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue\n");
  ASSERT_TRUE(mounts.ok()) << mounts.status();
  ASSERT_EQ(mounts->size(), 1U);
  const MountLine& mount = mounts->front();
  EXPECT_EQ(mount.mount_point, "/mnt2");
  EXPECT_EQ(mount.device, "/dev/root");
  EXPECT_EQ(mount.type, "ext3");
  EXPECT_EQ(mount.options, (std::vector<std::string>{"rw", "noatime", "errors=continue"}));
  EXPECT_FALSE(mount.read_only);
}

TEST(ParseMountinfoTest, SeesReadOnlyOnEitherSide) {
  const auto mounts = ParseMountinfo(
      "1 0 8:1 / /a ro - ext4 /dev/sda1 rw\n2 0 8:1 / /b rw shared:1 master:2 - ext4 /dev/sda1 ro\n"
      "3 0 8:1 / /c rw - ext4 /dev/sda1 rw,errors=remount-ro\n");
  ASSERT_TRUE(mounts.ok()) << mounts.status();
  ASSERT_EQ(mounts->size(), 3U);
  EXPECT_TRUE((*mounts)[0].read_only);
  EXPECT_TRUE((*mounts)[1].read_only);
  EXPECT_FALSE((*mounts)[2].read_only) << "errors=remount-ro is a plan, not a state";
}

TEST(ParseMountinfoTest, HoldsItsLimit) {
  std::string text;
  for (size_t mount = 0; mount < kMaxMounts; ++mount) text += "1 0 8:1 / /a rw - tmpfs t rw\n";
  ASSERT_TRUE(ParseMountinfo(text).ok());
  text += "1 0 8:1 / /a rw - tmpfs t rw\n";
  EXPECT_EQ(ParseMountinfo(text).status().code(), base::StatusCode::kResourceExhausted);
}

TEST(UnescapeMountFieldTest, ReadsOctalEscapes) {
  EXPECT_EQ(UnescapeMountField("/my\\040disk\\134x"), "/my disk\\x");
  EXPECT_EQ(UnescapeMountField("/plain"), "/plain");
  for (const std::string_view broken : {"\\", "\\0", "\\04", "\\048", "\\400", "\\x20"}) {
    EXPECT_EQ(UnescapeMountField(broken), std::nullopt) << broken;
  }
}

}  // namespace
}  // namespace ashlar::node
