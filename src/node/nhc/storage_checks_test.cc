#include "node/nhc/storage_checks.h"

#include <gtest/gtest.h>

#include "node/nhc/nhc_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

const Files kMounts = {{"/proc/self/mountinfo",
                        "21 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n22 21 0:5 / /proc rw - proc proc rw\n"
                        "23 21 0:6 / /btrfs rw - btrfs /dev/sdb rw\n24 21 0:7 / /gone rw - nfs server:/gone rw\n"}};

// 1000 MiB, of which 60 belong to root alone: 600 used, 340 free to others. 600 of 940 are 63.8 %, which df shows as
// 64 %. 1000 inodes, 250 used.
FakeMachine Machine() {
  FakeMachine machine(kMounts);
  constexpr uint64_t kMiB = base::kMiB;
  machine.kernel.usages.insert({"/", FileSystemUsage{.total_bytes = 1000 * kMiB,
                                                     .free_bytes = 400 * kMiB,
                                                     .available_bytes = 340 * kMiB,
                                                     .total_inodes = 1000,
                                                     .free_inodes = 750,
                                                     .available_inodes = 750}});
  machine.kernel.usages.insert({"/proc", FileSystemUsage{}});
  machine.kernel.usages.insert({"/btrfs", FileSystemUsage{.total_bytes = 10, .free_bytes = 5, .available_bytes = 5}});
  return machine;
}

struct RoomCase {
  NhcMapper map;
  std::vector<std::string> arguments;
  Verdict verdict;
  std::string reason;
};

TEST(NhcRoom, Cases) {
  const std::vector<RoomCase> cases = {
      {&MapFsSize, {"/", "1000M", "1000M"}, Verdict::kPass, ""},
      {&MapFsSize, {"/", "1001M"}, Verdict::kFail, "another size"},
      {&MapFsSize, {"/", "", "999M"}, Verdict::kFail, "another size"},
      {&MapFsSize, {"/", "", "1G"}, Verdict::kPass, ""},
      {&MapFsFree, {"/", "340M"}, Verdict::kPass, ""},
      {&MapFsFree, {"/", "341M"}, Verdict::kFail, "64 % are used"},
      {&MapFsFree, {"/", "36%"}, Verdict::kPass, ""},
      {&MapFsFree, {"/", "37%"}, Verdict::kFail, "du -x /"},
      {&MapFsUsed, {"/", "601M"}, Verdict::kPass, ""},
      {&MapFsUsed, {"/", "600M"}, Verdict::kFail, "64 % are used"},
      {&MapFsUsed, {"/", "65%"}, Verdict::kPass, ""},
      {&MapFsUsed, {"/", "64%"}, Verdict::kFail, "64 % are used"},
      {&MapFsInodes, {"/", "1k", "1k"}, Verdict::kPass, ""},
      {&MapFsInodes, {"/", "1001"}, Verdict::kFail, "another size"},
      {&MapFsIfree, {"/", "750"}, Verdict::kPass, ""},
      {&MapFsIfree, {"/", "751"}, Verdict::kFail, "25 % are used"},
      {&MapFsIfree, {"/", "75%"}, Verdict::kPass, ""},
      {&MapFsIfree, {"/", "1k"}, Verdict::kFail, "--inodes"},
      {&MapFsIused, {"/", "251"}, Verdict::kPass, ""},
      {&MapFsIused, {"/", "250"}, Verdict::kFail, "25 % are used"},
      {&MapFsIused, {"/", "26%"}, Verdict::kPass, ""},
      // NHC passes all of these without a word.
      {&MapFsFree, {"/scratch", "1%"}, Verdict::kUnknown, "nothing is mounted at /scratch"},
      {&MapFsFree, {"/proc", "1%"}, Verdict::kUnknown, "has no size"},
      {&MapFsIfree, {"/btrfs", "1%"}, Verdict::kNotApplicable, "no fixed number of inodes"},
      {&MapFsFree, {"/gone", "1%"}, Verdict::kUnknown, "/gone"},
  };
  for (const auto& row : cases) {
    SCOPED_TRACE(base::Join(row.arguments, " "));
    const auto finding = RunMapped(row.map, row.arguments, Machine());
    EXPECT_EQ(finding.verdict, row.verdict) << DescribeFinding(finding);
    EXPECT_NE(finding.reason.find(row.reason), std::string::npos) << DescribeFinding(finding);
  }
}

TEST(NhcRoom, ValuesHaveUnits) {
  const auto bytes = RunMapped(&MapFsFree, {"/", "5%"}, Machine());
  EXPECT_EQ(bytes.value.to_number<uint64_t>(), 340 * base::kMiB);
  EXPECT_EQ(bytes.unit, "bytes");
  EXPECT_EQ(bytes.expectation, "/ >= 5 % free");
  const auto inodes = RunMapped(&MapFsIused, {"/", "1M"}, Machine());
  EXPECT_EQ(inodes.value.to_number<uint64_t>(), 250U);
  EXPECT_EQ(inodes.unit, "inodes");
  EXPECT_EQ(inodes.expectation, "/ < 1000000 inodes used");
}

TEST(NhcRoom, MountsUnreadable) {
  EXPECT_EQ(RunMapped(&MapFsFree, {"/", "5%"}, FakeMachine()).verdict, Verdict::kUnknown);
}

TEST(NhcRoom, Refused) {
  const std::vector<RefusedCase> shares = {{{}, "FOLDER"},
                                           {{"/"}, "FOLDER"},
                                           {{"/", ""}, "FOLDER"},
                                           {{"scratch", "5%"}, "no folder"},
                                           {{"/", "some"}, "no size"},
                                           {{"/", "101%"}, "percentage"},
                                           {{"/", "1%", "2%"}, "FOLDER"}};
  ExpectRefused(&MapFsFree, shares);
  ExpectRefused(&MapFsUsed, shares);
  const std::vector<RefusedCase> totals = {
      {{"/"}, "MIN or MAX"}, {{"/", "", ""}, "MIN or MAX"}, {{"/", "5%"}, "no size"}, {{"", "5M"}, "FOLDER"}};
  ExpectRefused(&MapFsSize, totals);
  const std::vector<RefusedCase> counts = {{{"/", "1kB"}, "no count"}};
  ExpectRefused(&MapFsInodes, counts);
  ExpectRefused(&MapFsIfree, counts);
  ExpectRefused(&MapFsIused, counts);
}

}  // namespace
}  // namespace ashlar::node
