#include "node/checks/mounts.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

// As the kernel writes it: id parent major:minor root mount-point options - type device super-options.
constexpr std::string_view kMountinfo =
    "22 1 254:1 / / rw,relatime - ext4 /dev/vda1 rw\n"
    "23 22 254:1 /var /srv/again rw,relatime - ext4 /dev/vda1 rw\n"
    "24 22 0:4 / /proc rw - proc proc rw\n"
    "25 22 0:30 / /run rw - tmpfs tmpfs rw\n"
    "26 22 0:40 / /home rw - nfs4 server:/home rw\n"
    "27 22 0:41 / /a rw - overlay overlay rw\n"
    "28 22 0:42 / /b rw - overlay overlay rw\n";

std::vector<MountUsage> Usages(const FakeMachine& machine) {
  std::vector<MountUsage> result;
  machine.With("", [&](const CheckContext& context) {
    auto usages = DiskUsage(context);
    if (usages.ok()) result = *std::move(usages);
  });
  return result;
}

TEST(Mounts, DisksOnceEachAndNothingElse) {
  const FakeMachine machine(Files{{"/proc/self/mountinfo", std::string(kMountinfo)}});
  std::vector<std::string> points;
  for (const auto& usage : Usages(machine)) points.push_back(usage.mount.mount_point);
  EXPECT_EQ(points, (std::vector<std::string>{"/", "/a", "/b", "/home"}));
}

TEST(Mounts, AServerThatHangsIsNamedAndKeepsNoOtherFromItsAnswer) {
  FakeMachine machine(Files{{"/proc/self/mountinfo", std::string(kMountinfo)}});
  machine.kernel.usages.insert({"/", FileSystemUsage{.total_bytes = 100, .available_bytes = 40}});
  machine.kernel.hanging["/home"] = 1;
  const auto usages = Usages(machine);
  ASSERT_EQ(usages.size(), 4U);
  ASSERT_TRUE(usages[0].usage.ok());
  EXPECT_EQ(usages[0].usage->available_bytes, 40U);
  EXPECT_EQ(usages[3].mount.mount_point, "/home");
  EXPECT_EQ(usages[3].usage.status().code(), base::StatusCode::kDeadlineExceeded);
}

TEST(Mounts, ANetworkFileSystemAnswersThroughItsChild) {
  FakeMachine machine(Files{{"/proc/self/mountinfo", std::string(kMountinfo)}});
  machine.kernel.usages.insert({"/home", FileSystemUsage{.total_bytes = 1ULL << 52U,
                                                         .available_bytes = 7,
                                                         .total_inodes = 3,
                                                         .available_inodes = 2,
                                                         .read_only = true}});
  const auto usages = Usages(machine);
  ASSERT_EQ(usages.size(), 4U);
  ASSERT_TRUE(usages[3].usage.ok()) << usages[3].usage.status();
  EXPECT_EQ(usages[3].usage->total_bytes, 1ULL << 52U);
  EXPECT_EQ(usages[3].usage->available_bytes, 7U);
  EXPECT_EQ(usages[3].usage->total_inodes, 3U);
  EXPECT_EQ(usages[3].usage->available_inodes, 2U);
  EXPECT_TRUE(usages[3].usage->read_only);
  EXPECT_EQ(usages[0].usage.status().code(), base::StatusCode::kNotFound);
}

}  // namespace
}  // namespace ashlar::node
