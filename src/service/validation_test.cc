#include "service/validation.h"

#include <gtest/gtest.h>

#include "os/os.h"

namespace ashlar::service {
namespace {

// The whole of it on this machine, without the benchmarks that take long.
TEST(ValidationTest, StoresOneEntryForEachStepAndTheScorecardLast) {
  const auto folder = os::TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  auto ledger = ledger::Ledger::Open({.url = folder->path() + "/ledger.db"}, base::SystemClock());
  ASSERT_TRUE(ledger.ok()) << ledger.status();
  std::vector<std::string> steps;
  ValidationOptions options;
  options.config = base::JsonObject{};
  options.folder = folder->path();
  options.collectives = false;
  options.storage = false;
  options.on_progress = [&](const std::string& line) { steps.push_back(line); };
  const auto validation = Validate(**ledger, options);
  ASSERT_TRUE(validation.ok()) << validation.status();
  EXPECT_GE(steps.size(), 3U);
  EXPECT_TRUE(validation->problems.empty());
  const auto entries = (*ledger)->Read({});
  ASSERT_TRUE(entries.ok());
  ASSERT_EQ(entries->size(), 3U);
  EXPECT_EQ((*entries)[0].kind, "node.identity");
  EXPECT_EQ((*entries)[1].kind, "node.check");
  EXPECT_EQ((*entries)[2].kind, "assess.scorecard");
  const auto run = base::GetString((*entries)[0].body, "run");
  ASSERT_TRUE(run.ok());
  for (const auto& entry : *entries) EXPECT_EQ(base::GetString(entry.body, "run").value_or(""), *run);
}

// A rank program that does not exist cannot measure: it is a named problem, and the scorecard is still made.
TEST(ValidationTest, WhatCannotRunIsAProblemAndNeverAPass) {
  const auto folder = os::TemporaryDirectory::Create();
  auto ledger = ledger::Ledger::Open({.url = folder->path() + "/ledger.db"}, base::SystemClock());
  ASSERT_TRUE(ledger.ok());
  ValidationOptions options;
  options.config = base::JsonObject{};
  options.folder = folder->path();
  options.program = "/no/such/program";
  options.storage = false;
  const auto validation = Validate(**ledger, options);
  ASSERT_TRUE(validation.ok()) << validation.status();
  EXPECT_EQ(validation->problems.size(), 5U);
  for (const assess::ScorecardRow& row : validation->scorecard.rows) {
    if (row.consideration->id == "bench-nccl") {
      EXPECT_NE(row.judgement.verdict, base::Verdict::kPass);
    }
  }
}

TEST(ValidationTest, StorageDemandThatIsMalformedIsRefused) {
  const auto folder = os::TemporaryDirectory::Create();
  auto ledger = ledger::Ledger::Open({.url = folder->path() + "/ledger.db"}, base::SystemClock());
  ASSERT_TRUE(ledger.ok());
  ValidationOptions options;
  options.config = *base::ParseJson(R"({"storage": {"demand": {"no_such_key": 1}}})");
  options.folder = folder->path();
  options.collectives = false;
  EXPECT_EQ(Validate(**ledger, options).status().code(), base::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace ashlar::service
