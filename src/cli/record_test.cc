#include "cli/record.h"

#include <gtest/gtest.h>

#include "ledger/ledger.h"
#include "os/os.h"

namespace ashlar::cli {
namespace {

TEST(RecordTest, MakesTheLedgerAndAppends) {
  const auto folder = os::TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  const CommonOptions options{.data = folder->path() + "/state"};
  ASSERT_TRUE(Record(options, "ashlar check", "node.check", base::JsonObject{{"findings", base::JsonArray{}}}).ok());
  ASSERT_TRUE(Record(options, "ashlar check", "node.check", base::JsonObject{{"run", "mine"}}).ok());
  auto ledger = ledger::Ledger::Open({.url = options.data + "/ledger.db", .read_only = true}, base::SystemClock());
  ASSERT_TRUE(ledger.ok()) << ledger.status();
  const auto entries = (*ledger)->Read({});
  ASSERT_TRUE(entries.ok());
  ASSERT_EQ(entries->size(), 2U);
  EXPECT_EQ((*entries)[0].actor, "ashlar check");
  EXPECT_FALSE((*entries)[0].subject.empty());
  EXPECT_FALSE(base::GetString((*entries)[0].body, "run").value().empty());
  EXPECT_EQ(base::GetString((*entries)[1].body, "run").value(), "mine");
}

TEST(RecordTest, FolderThatCannotBeMadeIsAnErrorWithItsPath) {
  const auto folder = os::TemporaryDirectory::Create();
  ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), folder->path() + "/file", "x").ok());
  const auto status = Record({.data = folder->path() + "/file"}, "ashlar check", "node.check", base::JsonObject{});
  ASSERT_FALSE(status.ok());
  EXPECT_NE(base::Message(status).find(folder->path()), std::string_view::npos) << status;
}

}  // namespace
}  // namespace ashlar::cli
