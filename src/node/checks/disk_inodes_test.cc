#include "node/checks/disk_inodes.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

const Files kOneDisk = {{"/proc/self/mountinfo", "22 1 254:1 / / rw - ext4 /dev/vda1 rw\n"}};

FileSystemUsage Free(uint64_t available, uint64_t total) {
  FileSystemUsage usage;
  usage.total_inodes = total;
  usage.available_inodes = available;
  return usage;
}

base::Finding Check(const Files& files, const base::StatusOr<FileSystemUsage>& usage,
                    const std::string& node_yaml = "") {
  FakeMachine machine(files);
  machine.kernel.usages.insert({"/", usage});
  return OnlyFinding(machine.Run(&CheckDiskInodes, node_yaml));
}

TEST(DiskInodes, MissingAndMalformedMounts) {
  const std::vector<CheckCase> cases = {
      {"missing", {}, "", Verdict::kUnknown, "mountinfo"},
      {"empty", {{"/proc/self/mountinfo", ""}}, "", Verdict::kUnknown, "empty"},
      {"malformed", {{"/proc/self/mountinfo", "22 1 254:1 /\n"}}, "", Verdict::kUnknown, ""},
      {"no disk",
       {{"/proc/self/mountinfo", "22 1 0:1 / / rw - tmpfs tmpfs rw\n"}},
       "",
       Verdict::kNotApplicable,
       "mounted"},
      {"disk that cannot be asked", kOneDisk, "", Verdict::kUnknown, "/: statvfs"},
      {"read-only disk",
       {{"/proc/self/mountinfo", "22 1 254:1 / / ro - ext4 /dev/vda1 ro\n"}},
       "",
       Verdict::kUnknown,
       ""},
  };
  ExpectCases(&CheckDiskInodes, cases);
}

TEST(DiskInodes, AtAndBelowTheLimitOfFivePerCent) {
  EXPECT_EQ(Check(kOneDisk, Free(5, 100)).verdict, Verdict::kPass);
  const auto finding = Check(kOneDisk, Free(49, 1000));
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_NE(finding.reason.find("too little inodes on /"), std::string::npos) << finding.reason;
  EXPECT_DOUBLE_EQ(finding.value.get_double(), 0.049);
  EXPECT_EQ(finding.expectation_source, "data/node/defaults.yaml: inode_free_share");
}

TEST(DiskInodes, TheConfigurationWins) {
  const auto finding = Check(kOneDisk, Free(15, 100), "inode_free_share: 0.2");
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.expectation_source, "configuration: node.inode_free_share");
}

TEST(DiskInodes, NothingToCountDoesNotApply) {
  EXPECT_EQ(Check(kOneDisk, Free(0, 0)).verdict, Verdict::kNotApplicable);
}

TEST(DiskInodes, ReadOnlyDisksDoNotFillUp) {
  FileSystemUsage usage = Free(0, 100);
  usage.read_only = true;
  EXPECT_EQ(Check(kOneDisk, usage).verdict, Verdict::kNotApplicable);
}

TEST(DiskInodes, AFullDiskIsWorseThanAnUnreadableOne) {
  FakeMachine machine(Files{{"/proc/self/mountinfo",
                             "22 1 254:1 / / rw - ext4 /dev/vda1 rw\n"
                             "23 22 254:2 / /data rw - xfs /dev/vdb rw\n"}});
  machine.kernel.usages.insert({"/data", Free(1, 100)});
  EXPECT_EQ(OnlyFinding(machine.Run(&CheckDiskInodes)).verdict, Verdict::kFail);
  machine.kernel.usages.insert_or_assign("/data", Free(50, 100));
  EXPECT_EQ(OnlyFinding(machine.Run(&CheckDiskInodes)).verdict, Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::node
