#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "node/fake_tree_testing.h"
#include "node/limits.h"
#include "node/sensors/sampled_machine_testing.h"

namespace ashlar::node {
namespace {

TEST(ReadFilesystemSpaceTest, ReadsTheRealOneAndRefusesNone) {
  const auto space = ReadFilesystemSpace("/");
  ASSERT_TRUE(space.ok()) << space.status();
  EXPECT_GT(space->size_bytes, 0U);
  EXPECT_LE(space->available_bytes, space->size_bytes);
  EXPECT_EQ(ReadFilesystemSpace("/no/such/folder").status().code(), base::StatusCode::kNotFound);
}

TEST(FilesystemSensorTest, AsksLocalFileSystemsOnly) {
  SampledMachine machine(PlainMachine());
  machine.tree.Write("/proc/self/mountinfo",
                     "1 0 8:1 / / rw - ext4 /dev/vda1 rw\n2 1 0:9 / /home rw - nfs4 server:/home rw\n"
                     "3 1 0:10 / /scratch ro - xfs /dev/nvme0n1 ro\n4 1 0:11 / /dev/shm rw - tmpfs tmpfs rw\n"
                     "5 1 0:12 / /devices rw - tmpfs tmpfs rw\n6 1 0:13 / /mnt rw - fuse.sshfs host: rw\n");
  std::vector<std::string> asked;
  machine.sources.space = [&](const std::string& path) -> base::StatusOr<FilesystemSpace> {
    asked.push_back(path.substr(machine.tree.root().size()));
    return FilesystemSpace{1000, 600, 500, 100, 40};
  };
  Sampler sampler(machine.sources);
  const Sample& sample = sampler.Take();
  std::sort(asked.begin(), asked.end());
  EXPECT_EQ(asked, (std::vector<std::string>{"/", "/devices", "/scratch"}));
  EXPECT_EQ(ValueOf(sample, "node_filesystem_readonly", R"(device="/dev/nvme0n1",fstype="xfs",mountpoint="/scratch")"),
            1);
  EXPECT_EQ(ValueOf(sample, "node_filesystem_size_bytes", R"(device="/dev/vda1",fstype="ext4",mountpoint="/")"), 1000);
}

TEST(FilesystemSensorTest, OneThatCannotBeAskedCostsOnlyItself) {
  SampledMachine machine(PlainMachine());
  machine.sources.space = [&](const std::string& path) -> base::StatusOr<FilesystemSpace> {
    if (path.ends_with("/run")) return base::Error(base::StatusCode::kPermissionDenied, "no");
    return FilesystemSpace{1000, 600, 500, 100, 40};
  };
  Sampler sampler(machine.sources);
  const Sample& sample = sampler.Take();
  EXPECT_EQ(SourceOf(sample, "filesystem").status.code(), base::StatusCode::kPermissionDenied);
  EXPECT_TRUE(
      std::isnan(ValueOf(sample, "node_filesystem_size_bytes", R"(device="tmpfs",fstype="tmpfs",mountpoint="/run")")));
  EXPECT_EQ(ValueOf(sample, "node_filesystem_size_bytes", R"(device="/dev/vda1",fstype="ext4",mountpoint="/")"), 1000);
}

TEST(FilesystemSensorTest, OneThatIsUnmountedIsAbsentAfterTheRescan) {
  SampledMachine machine(PlainMachine());
  Sampler sampler(machine.sources);
  sampler.Take();
  machine.tree.Write("/proc/self/mountinfo", "1 0 8:1 / / rw - ext4 /dev/vda1 rw\n");
  machine.clock.Advance(kDeviceRescan);
  const Sample& sample = sampler.Take();
  EXPECT_TRUE(SourceOf(sample, "filesystem").status.ok());
  EXPECT_TRUE(
      std::isnan(ValueOf(sample, "node_filesystem_size_bytes", R"(device="tmpfs",fstype="tmpfs",mountpoint="/run")")));
}

TEST(FilesystemSensorTest, HoldsItsLimit) {
  SampledMachine machine(PlainMachine());
  std::string text;
  for (size_t mount = 0; mount < kMaxWatchedMounts; ++mount) {
    text += fmt::format("1 0 8:1 / /m{} rw - ext4 /dev/vda1 rw\n", mount);
  }
  machine.tree.Write("/proc/self/mountinfo", text);
  Sampler sampler(machine.sources);
  EXPECT_TRUE(SourceOf(sampler.Take(), "filesystem").status.ok());
  machine.tree.Write("/proc/self/mountinfo", text + "1 0 8:1 / /more rw - ext4 /dev/vda1 rw\n");
  machine.clock.Advance(kDeviceRescan);
  EXPECT_EQ(SourceOf(sampler.Take(), "filesystem").status.code(), base::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace ashlar::node
