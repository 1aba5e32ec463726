// The check part of a line as words, as bash would split it: quotes, backslashes, variables. Nothing is ever run: what
// only a shell could do (pipes, redirections, command substitution, globs) is an error that names the construct.
//
// Source: bash(1), Quoting and Expansion; mej/nhc nhc, nhcmain_run_checks (`eval $CHECK` with globs off). Any thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base.h"

namespace ashlar::node {

// What the file has set so far for this host.
using NhcVariables = std::map<std::string, std::string, std::less<>>;

struct ShellLine {
  std::vector<std::string> words;  // the check's name and its arguments; empty for a line that only sets variables
  std::vector<std::pair<std::string, std::string>> assignments;  // `export` or not
};

// kUnimplemented for a construct of the shell, kInvalidArgument for an open quote or an empty line, kNotFound for a
// variable that the file has not set, kResourceExhausted over kMaxNhcLineBytes or kMaxNhcWords.
base::StatusOr<ShellLine> ReadShellLine(std::string_view text, const NhcVariables& variables);

}  // namespace ashlar::node
