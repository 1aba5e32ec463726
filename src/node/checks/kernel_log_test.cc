#include "node/checks/kernel_log.h"

#include <gtest/gtest.h>

#include "node/checks/check_limits.h"

namespace ashlar::node {
namespace {

TEST(KernelRecord, ReadsBothForms) {
  // The first line is the example of Documentation/ABI/testing/dev-kmsg.
  const auto kmsg = ParseKernelRecord("7,160,424069,-;pci_root PNP0A03:00: host bridge window [io  0x0000-0x0cf7]");
  ASSERT_TRUE(kmsg.has_value());
  EXPECT_EQ(kmsg->severity, 7);
  EXPECT_TRUE(kmsg->from_kernel);
  EXPECT_EQ(kmsg->since_boot, absl::Microseconds(424069));
  EXPECT_EQ(kmsg->text, "pci_root PNP0A03:00: host bridge window [io  0x0000-0x0cf7]");

  const auto newer = ParseKernelRecord("6,1,5140900,-,caller=T1;NET: Registered");
  ASSERT_TRUE(newer.has_value());
  EXPECT_EQ(newer->text, "NET: Registered");

  const auto program = ParseKernelRecord("30,340,5690716,-;udevd[80]: starting version 181");
  ASSERT_TRUE(program.has_value());
  EXPECT_FALSE(program->from_kernel);  // 30 is facility 3, severity 6
  EXPECT_EQ(program->severity, 6);

  const auto syslog = ParseKernelRecord("<4>[   12.000345] EXT4-fs error (device sda1): x");
  ASSERT_TRUE(syslog.has_value());
  EXPECT_EQ(syslog->severity, 4);
  EXPECT_EQ(syslog->since_boot, absl::Seconds(12) + absl::Microseconds(345));
  EXPECT_EQ(syslog->text, "EXT4-fs error (device sda1): x");
}

TEST(KernelRecord, RefusesEverythingElse) {
  for (const std::string_view line : {"",
                                      ";",
                                      "6;x",
                                      "6,1;x",
                                      "6,1,2;x",
                                      "a,1,2,-;x",
                                      "6,b,2,-;x",
                                      "6,1,-2,-;x",
                                      "6,1,2,-",
                                      "1024,1,2,-;x",
                                      "<>",
                                      "<6>",
                                      "<6>text",
                                      "<6>[ 1.5] x",
                                      "<6>[1] x",
                                      "<x>[ 1.500000] x",
                                      "<6>[ 1.500000 x",
                                      "<6>[ -1.500000] x",
                                      "<6>[ 9999999999999999.500000] x",
                                      "<1024>[ 1.500000] x"}) {
    EXPECT_FALSE(ParseKernelRecord(line).has_value()) << line;
  }
}

TEST(KernelLog, SkipsDictionariesAndCountsWhatItCannotRead) {
  const auto log =
      ParseKernelLog("6,0,1000,-;first\n SUBSYSTEM=pci\n DEVICE=+pci:0000\n\nrubbish\n6,1,2000,-;second\n");
  ASSERT_TRUE(log.ok()) << log.status();
  ASSERT_EQ(log->records.size(), 2U);
  EXPECT_EQ(log->records[1].text, "second");
  EXPECT_EQ(log->unreadable_lines, 1U);
  EXPECT_TRUE(log->from_boot);
}

TEST(KernelLog, KnowsWhenItDoesNotReachBackToTheBoot) {
  const auto log = ParseKernelLog("6,17,1000,-;first\n");
  ASSERT_TRUE(log.ok());
  EXPECT_FALSE(log->from_boot);
}

TEST(KernelLog, ALogOfRubbishIsAnError) {
  EXPECT_EQ(ParseKernelLog("rubbish\nmore\n").status().code(), base::StatusCode::kInvalidArgument);
  const auto empty = ParseKernelLog("\n\n");
  ASSERT_TRUE(empty.ok());
  EXPECT_TRUE(empty->records.empty());
}

TEST(KernelLog, AtAndOverTheLimitOfRecords) {
  std::string text;
  for (size_t count = 0; count < kMaxKernelRecords; ++count) text += "6,1,2,-;x\n";
  EXPECT_TRUE(ParseKernelLog(text).ok());
  text += "6,1,2,-;x\n";
  EXPECT_EQ(ParseKernelLog(text).status().code(), base::StatusCode::kResourceExhausted);
}

TEST(KernelLog, AtAndOverTheLimitOfBytes) {
  std::string text = "6,1,2,-;";
  text.resize(kMaxKernelLog.count, 'x');
  EXPECT_TRUE(ParseKernelLog(text).ok());
  text.push_back('x');
  EXPECT_EQ(ParseKernelLog(text).status().code(), base::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace ashlar::node
