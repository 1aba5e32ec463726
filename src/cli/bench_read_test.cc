#include "cli/bench_read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ashlar::cli {
namespace {

using base::ExitStatus;
using ::testing::HasSubstr;

const char* const kSample = ASHLAR_SOURCE_ROOT "/src/bench/read/testdata/all_reduce_2_17.log";

struct Ran {
  base::StatusOr<ExitStatus> status = ExitStatus::kUsage;
  std::string output;
};

Ran RunRead(const std::string& arguments) {
  const auto command = MakeBenchReadCommand();
  CLI::App app;
  command->Describe(app);
  app.parse(arguments);
  testing::internal::CaptureStdout();
  Ran ran;
  ran.status = command->Run();
  ran.output = testing::internal::GetCapturedStdout();
  return ran;
}

TEST(BenchReadCommandTest, AWholeRunPasses) {
  const Ran ran = RunRead(kSample);
  EXPECT_EQ(*ran.status, ExitStatus::kPass);
  EXPECT_THAT(ran.output, HasSubstr("all_reduce_perf"));
}

TEST(BenchReadCommandTest, JsonHasTheSameVerdict) {
  const Ran ran = RunRead(std::string("--json ") + kSample);
  EXPECT_EQ(*ran.status, ExitStatus::kPass);
  const auto json = base::ParseJson(ran.output);
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_EQ(base::GetString(*json, "verdict").value(), "pass");
}

TEST(BenchReadCommandTest, WhatIsNotThereIsUnknownWithItsName) {
  const Ran ran = RunRead("/no/such/file.log");
  EXPECT_EQ(*ran.status, ExitStatus::kCouldNotRun);
  EXPECT_THAT(ran.output, HasSubstr("/no/such/file.log"));
}

TEST(BenchReadCommandTest, NoPathIsAUsageError) {
  const auto command = MakeBenchReadCommand();
  CLI::App app;
  command->Describe(app);
  EXPECT_THROW(app.parse(""), CLI::ParseError);
}

}  // namespace
}  // namespace ashlar::cli
