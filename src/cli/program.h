// The program's front door: from the words typed to a command of the table and its exit status.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/command.h"

namespace ashlar::cli {

// The row whose name is the longest match of the first words, nullptr when none matches.
const CommandRow* FindCommand(std::span<const CommandRow> table, const std::vector<std::string>& words);

// The command's options as CLI11 has them, with summary and example; `command` must outlive it.
std::unique_ptr<CLI::App> DescribeCommand(const CommandRow& row, Command& command);

// Runs `words` (without the program's name) and says how the process should end. Results go to standard output,
// errors to standard error as one line "ashlar: ...".
base::ExitStatus RunProgram(std::span<const CommandRow> table, const std::vector<std::string>& words);

}  // namespace ashlar::cli
