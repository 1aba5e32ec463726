#include "cli/program.h"

#include <gtest/gtest.h>

namespace ashlar::cli {
namespace {

// A command that ends as its option says.
class EndCommand : public Command {
 public:
  void Describe(CLI::App& app) override { app.add_option("--how", how_, "pass, short or an error code's name"); }
  base::StatusOr<base::ExitStatus> Run() override {
    if (how_ == "short") return base::ExitStatus::kFallsShort;
    if (how_ == "argument") return base::Error(base::StatusCode::kInvalidArgument, "bad value");
    if (how_ == "missing") return base::Error(base::StatusCode::kNotFound, "no such thing");
    return base::ExitStatus::kPass;
  }

 private:
  std::string how_;
};

std::unique_ptr<Command> MakeEnd() { return std::make_unique<EndCommand>(); }

constexpr CommandRow kTable[] = {
    {"end", "Ends", "ashlar end", &MakeEnd},
    {"end well", "Ends well", "ashlar end well", &MakeEnd},
};

struct Row {
  const char* name;
  std::vector<std::string> words;
  base::ExitStatus status;
};

TEST(ProgramTest, ExitStatuses) {
  const Row rows[] = {
      {"nothing typed shows help", {}, base::ExitStatus::kPass},
      {"help", {"help"}, base::ExitStatus::kPass},
      {"--help", {"--help"}, base::ExitStatus::kPass},
      {"--version", {"--version"}, base::ExitStatus::kPass},
      {"man", {"man"}, base::ExitStatus::kPass},
      {"completion", {"completion", "bash"}, base::ExitStatus::kPass},
      {"completion of no shell", {"completion"}, base::ExitStatus::kUsage},
      {"no such command", {"begin"}, base::ExitStatus::kUsage},
      {"help of no such command", {"help", "begin"}, base::ExitStatus::kUsage},
      {"help of a command", {"help", "end"}, base::ExitStatus::kPass},
      {"command", {"end"}, base::ExitStatus::kPass},
      {"command's help", {"end", "--help"}, base::ExitStatus::kPass},
      {"two words", {"end", "well"}, base::ExitStatus::kPass},
      {"unknown option", {"end", "--what"}, base::ExitStatus::kUsage},
      {"missing value", {"end", "--how"}, base::ExitStatus::kUsage},
      {"stray word", {"end", "badly"}, base::ExitStatus::kUsage},
      {"falls short", {"end", "--how", "short"}, base::ExitStatus::kFallsShort},
      {"wrong argument", {"end", "--how", "argument"}, base::ExitStatus::kUsage},
      {"could not run", {"end", "--how", "missing"}, base::ExitStatus::kCouldNotRun},
  };
  for (const Row& row : rows) EXPECT_EQ(RunProgram(kTable, row.words), row.status) << row.name;
}

TEST(ProgramTest, LongestNameWins) {
  EXPECT_EQ(FindCommand(kTable, {"end", "well"})->name, "end well");
  EXPECT_EQ(FindCommand(kTable, {"end", "badly"})->name, "end");
  EXPECT_EQ(FindCommand(kTable, {"well"}), nullptr);
  EXPECT_EQ(FindCommand(kTable, {}), nullptr);
}

}  // namespace
}  // namespace ashlar::cli
