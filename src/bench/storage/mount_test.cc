#include "bench/storage/mount.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "bench/storage/limits.h"

namespace ashlar::bench {
namespace {

// Lines as Debian 12, a Lustre client and a container show them (proc(5) explains the fields).
constexpr std::string_view kMountInfo =
    "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n"
    "25 24 0:23 / /dev/shm rw,relatime - tmpfs tmpfs rw,size=24684084k\n"
    "40 27 0:50 / /mnt/lustre rw,flock shared:12 - lustre 10.0.0.4@tcp:/scratch rw,flock\n"
    "41 27 0:51 / /mnt/with\\040blank rw shared:1 master:2 - nfs4 filer:/export\\040one rw\n"
    "42 27 259:3 /sub /data rw - xfs /dev/nvme0n1p3 rw\n"
    "43 42 0:60 / /data rw - beegfs beegfs_nodev rw\n"
    "44 27 0:61 / /root rw - fuse.sshfs me@there: rw\n"
    "45 27 0:62 / / rw - overlay overlay rw,lowerdir=/a\n";

TEST(MountInfoTest, NothingReadableIsAnError) {
  for (std::string_view text :
       {"", "\n\n", "not a mount at all", "27 1 254:0 / / rw", "1 2 3:4 / relative rw - ext4 x y"}) {
    EXPECT_EQ(ParseMountInfo(text).status().code(), base::StatusCode::kInvalidArgument) << text;
  }
}

TEST(MountInfoTest, AMalformedLineIsLeftOut) {
  const auto rows = ParseMountInfo("garbage\n27 1 254:0 / / rw - ext4 /dev/vda rw\n30 x\n");
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows->size(), 1U);
}

TEST(MountInfoTest, AtAndOverTheNumberOfLines) {
  std::string text;
  for (size_t i = 0; i < kMaxMountInfoLines; ++i) text += "27 1 254:0 / / rw - ext4 /dev/vda rw\n";
  EXPECT_EQ(ParseMountInfo(text)->size(), kMaxMountInfoLines);
  text += "27 1 254:0 / / rw - ext4 /dev/vda rw\n";
  EXPECT_EQ(ParseMountInfo(text).status().code(), base::StatusCode::kResourceExhausted);
}

TEST(MountInfoTest, EscapesAreUndone) {
  const auto rows = ParseMountInfo(kMountInfo);
  ASSERT_TRUE(rows.ok());
  const MountRow* row = FindMount(*rows, "/mnt/with blank/x");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->filesystem, "nfs4");
  EXPECT_EQ(row->source, "filer:/export one");
}

struct PathCase {
  std::string path;
  std::string filesystem;
};

class FindMountTest : public testing::TestWithParam<PathCase> {};

TEST_P(FindMountTest, LongestMountPointWins) {
  const auto rows = ParseMountInfo(kMountInfo);
  ASSERT_TRUE(rows.ok());
  const MountRow* row = FindMount(*rows, GetParam().path);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->filesystem, GetParam().filesystem);
}

INSTANTIATE_TEST_SUITE_P(Rows, FindMountTest,
                         testing::Values(PathCase{"/mnt/lustre/user", "lustre"}, PathCase{"/mnt/lustre", "lustre"},
                                         PathCase{"/mnt/lustre2", "overlay"},  // not below /mnt/lustre
                                         PathCase{"/data/run", "beegfs"},      // the later of two on one point
                                         PathCase{"/dev/shm", "tmpfs"}, PathCase{"/", "overlay"}));

TEST(FindMountTest, ARelativePathHasNone) {
  const auto rows = ParseMountInfo("27 1 254:0 / / rw - ext4 /dev/vda rw\n");
  EXPECT_EQ(FindMount(*rows, "relative"), nullptr);
}

TEST(StorageKindTest, FileSystemsByName) {
  const std::vector<std::pair<std::string, StorageKind>> rows = {
      {"ext4", StorageKind::kLocal},      {"xfs", StorageKind::kLocal},          {"somethingnew", StorageKind::kLocal},
      {"nfs", StorageKind::kNetwork},     {"nfs4", StorageKind::kNetwork},       {"cifs", StorageKind::kNetwork},
      {"lustre", StorageKind::kParallel}, {"beegfs", StorageKind::kParallel},    {"wekafs", StorageKind::kParallel},
      {"gpfs", StorageKind::kParallel},   {"fuse.ceph", StorageKind::kParallel}, {"tmpfs", StorageKind::kMemory},
      {"ramfs", StorageKind::kMemory},    {"overlay", StorageKind::kLayered},    {"fuse.sshfs", StorageKind::kLayered},
  };
  for (const auto& [name, kind] : rows) EXPECT_EQ(KindOfFilesystem(name), kind) << name;
  EXPECT_EQ(StorageKindName(StorageKind::kParallel), "parallel");
}

class StorageTargetTest : public testing::Test {
 protected:
  void SetUp() override {
    auto made = os::TemporaryDirectory::Create();
    ASSERT_TRUE(made.ok());
    root_.emplace(*std::move(made));
    std::filesystem::create_directories(root_->path() + "/proc/self");
    std::filesystem::create_directories(root_->path() + "/sys/dev/block");
  }
  void WriteMountInfo(std::string_view text) { std::ofstream(root_->path() + "/proc/self/mountinfo") << text; }

  std::optional<os::TemporaryDirectory> root_;
};

TEST_F(StorageTargetTest, TheDeviceIsTheKernelsName) {
  WriteMountInfo("27 1 259:3 / / rw - ext4 /dev/root rw\n");
  std::filesystem::create_symlink("../../devices/pci0000:00/nvme/nvme0/nvme0n1/nvme0n1p3",
                                  root_->path() + "/sys/dev/block/259:3");
  const StorageTarget target = ReadStorageTarget(os::SysReader(root_->path()), "/home");
  EXPECT_EQ(target.filesystem, "ext4");
  EXPECT_EQ(target.device, "nvme0n1p3");
  EXPECT_EQ(target.mount_point, "/");
  EXPECT_EQ(target.direct_in_name_only, "");
}

TEST_F(StorageTargetTest, WithoutABlockDeviceTheSourceSaysIt) {
  WriteMountInfo(kMountInfo);
  const os::SysReader reader(root_->path());
  EXPECT_EQ(ReadStorageTarget(reader, "/mnt/lustre/x").device, "10.0.0.4@tcp:/scratch");
  EXPECT_EQ(ReadStorageTarget(reader, "/mnt/lustre/x").kind, StorageKind::kParallel);
}

TEST_F(StorageTargetTest, MemoryAndZfsAreDirectInNameOnly) {
  WriteMountInfo("27 1 0:2 / / rw - tmpfs tmpfs rw\n28 27 0:3 / /tank rw - zfs tank rw\n");
  const os::SysReader reader(root_->path());
  EXPECT_THAT(ReadStorageTarget(reader, "/x").direct_in_name_only, testing::HasSubstr("memory"));
  EXPECT_THAT(ReadStorageTarget(reader, "/tank/x").direct_in_name_only, testing::HasSubstr("ARC"));
}

// /proc itself is "proc" by its magic number, which no row names: unknown, not a guess.
TEST_F(StorageTargetTest, UnreadableMountInfoFallsBackToTheMagicNumber) {
  const os::SysReader reader(root_->path());
  EXPECT_EQ(ReadStorageTarget(reader, "/proc").filesystem, "unknown");
  EXPECT_EQ(ReadStorageTarget(reader, "/proc").device, "unknown");
  WriteMountInfo("rubbish");
  EXPECT_EQ(ReadStorageTarget(reader, "/nowhere/at/all").filesystem, "unknown");
}

}  // namespace
}  // namespace ashlar::bench
