#include "cli/commands.h"

#include <gtest/gtest.h>

#include <set>

#include "cli/program.h"

namespace ashlar::cli {
namespace {

TEST(CommandsTest, EachRowHasSummaryExampleAndADescription) {
  std::set<std::string_view> names;
  for (const CommandRow& row : CommandTable()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.summary.ends_with('.')) << row.name;
    EXPECT_TRUE(row.example.starts_with(fmt::format("ashlar {}", row.name))) << row.name;
    const auto command = row.make();
    const auto app = DescribeCommand(row, *command);
    EXPECT_NE(app->help().find(std::string(row.example)), std::string::npos) << row.name;
    for (const CLI::Option* option : app->get_options()) {
      if (option->get_group().empty()) continue;
      EXPECT_FALSE(option->get_description().empty()) << row.name << " " << option->get_name();
    }
  }
}

}  // namespace
}  // namespace ashlar::cli
