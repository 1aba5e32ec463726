#include "cli/bench_coll.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/bench.h"

namespace ashlar::cli {
namespace {

// Parses `words` as the program would and runs the command.
base::StatusOr<base::ExitStatus> RunWords(std::vector<std::string> words) {
  const auto command = MakeBenchCollCommand();
  CLI::App app;
  command->Describe(app);
  std::reverse(words.begin(), words.end());
  app.parse(words);
  return command->Run();
}

TEST(BenchColl, ABadOptionIsAUsageError) {
  const std::vector<std::vector<std::string>> rows = {
      {}, {"allreduce"}, {"all_reduce", "-e", "8Q"}, {"all_reduce", "-n", "0"}, {"all_reduce", "-o", "band"}};
  for (const auto& words : rows) {
    const auto status = RunWords(words);
    EXPECT_EQ(base::MapStatus(status.status().code()).exit_status, base::ExitStatus::kUsage) << status.status();
  }
  EXPECT_THROW((void)RunWords({"all_reduce", "--no-such-option"}), CLI::ParseError);
}

TEST(BenchColl, KnowsTheFieldsOptions) {
  const auto command = MakeBenchCollCommand();
  CLI::App app;
  command->Describe(app);
  for (const bench::CollectiveArgument& argument : bench::CollectiveArguments()) {
    EXPECT_NE(app.get_option_no_throw("--" + std::string(argument.name)), nullptr) << argument.name;
    if (argument.letter == 0) continue;
    EXPECT_NE(app.get_option_no_throw(std::string("-") + argument.letter), nullptr) << argument.name;
  }
  // What starts a rank is not for people.
  EXPECT_EQ(app.help().find(bench::kRankOption), std::string::npos);
}

}  // namespace
}  // namespace ashlar::cli
