// The table of checks is whole: each row has its files, its test and its section of docs/checks.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "node/checks/check.h"
#include "node/checks/check_report.h"
#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

// ASHLAR_TESTDATA is src/node/testdata.
const std::string kNode = std::string(ASHLAR_TESTDATA) + "/..";

std::string FileName(std::string_view id) {
  std::string name(id);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

TEST(CheckRegistry, EachRowHasFilesTestAndSection) {
  auto& files = os::RealFileSystem();
  const auto docs = os::ReadWholeFile(files, kNode + "/../../docs/checks.md", base::Bytes{base::kMiB});
  ASSERT_TRUE(docs.ok()) << docs.status();
  for (const auto& row : CheckTable()) {
    for (const std::string ending : {".h", ".cc", "_test.cc"}) {
      const std::string path = kNode + "/checks/" + FileName(row.id) + ending;
      EXPECT_TRUE(files.Stat(path).ok()) << path;
    }
    EXPECT_NE(docs->find(fmt::format("\n## {}\n", row.id)), std::string::npos) << row.id << " has no section";
    EXPECT_FALSE(row.title.empty()) << row.id;
    EXPECT_GT(row.time_limit, absl::ZeroDuration()) << row.id;
  }
}

TEST(CheckRegistry, EachSectionHasItsRow) {
  const auto docs = os::ReadWholeFile(os::RealFileSystem(), kNode + "/../../docs/checks.md", base::Bytes{base::kMiB});
  ASSERT_TRUE(docs.ok());
  for (const auto line : base::SplitLines(*docs)) {
    if (!line.starts_with("## ")) continue;
    const auto rows = CheckTable();
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.id == line.substr(3); }))
        << line;
  }
}

TEST(CheckRegistry, EveryKeyOfTheConfigurationIsDocumented) {
  const auto docs = os::ReadWholeFile(os::RealFileSystem(), kNode + "/../../docs/checks.md", base::Bytes{base::kMiB});
  ASSERT_TRUE(docs.ok());
  for (const auto& key : ExpectationKeys()) {
    EXPECT_NE(docs->find(fmt::format("`{}`", key.name)), std::string::npos) << key.name << " is not in docs/checks.md";
  }
}

TEST(CheckRegistry, IdsAreUniqueAndKebabCase) {
  std::set<std::string_view> ids;
  for (const auto& row : CheckTable()) {
    EXPECT_TRUE(ids.insert(row.id).second) << row.id;
    EXPECT_EQ(row.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos) << row.id;
    EXPECT_NE(FormatCheckList().find(row.id), std::string::npos);
  }
}

// An empty machine gives no pass and a reason for everything; nothing crashes.
TEST(CheckRegistry, NothingPassesOnAMachineThatShowsNothing) {
  FakeMachine machine;
  machine.kernel.clock = base::Error(base::StatusCode::kInternal, "no clock");
  machine.kernel.locked_memory = base::Error(base::StatusCode::kInternal, "no limit");
  machine.kernel.open_files = base::Error(base::StatusCode::kInternal, "no limit");
  machine.writable_directory = "/no/such/folder";
  machine.accelerated = true;
  machine.size = "Standard_ND96isr_H100_v5";
  for (const auto& row : CheckTable()) {
    for (const auto& finding : machine.Run(row.run)) {
      EXPECT_NE(finding.verdict, base::Verdict::kPass) << DescribeFinding(finding);
      EXPECT_FALSE(finding.reason.empty()) << DescribeFinding(finding);
      const bool own = finding.id == row.id || finding.id.starts_with(std::string(row.id) + "-");
      EXPECT_TRUE(own) << finding.id << " of " << row.id;
    }
  }
}

// The deadline of a driver ends before its check's, so that the call that hung is named.
TEST(CheckRegistry, GpuChecksOutlastBothDrivers) {
  for (const auto& row : CheckTable()) {
    if (!row.id.starts_with("gpu-")) continue;
    EXPECT_GT(row.time_limit, 2 * kGpuAnswerDeadline) << row.id;
  }
}

}  // namespace
}  // namespace ashlar::node
