#include "cli/assessed_ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "os/os.h"

namespace ashlar::cli {
namespace {

TEST(OpenAssessedLedger, WithoutALedgerItSaysWhatToRunFirst) {
  const auto folder = os::TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  const auto opened = OpenAssessedLedger({.data = folder->path() + "/none"}, "explain");
  EXPECT_EQ(opened.status().code(), base::StatusCode::kNotFound);
  EXPECT_THAT(std::string(base::Message(opened.status())), testing::HasSubstr("nothing to explain yet"));
}

}  // namespace
}  // namespace ashlar::cli
