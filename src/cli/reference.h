// The command table as text: overview, man page, shell completion. One source, so they cannot drift apart.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/command.h"

namespace ashlar::cli {

inline constexpr std::string_view kVersion = "0.1.0";

// What `ashlar help` prints: each command with its summary, and how exit statuses read.
std::string Overview(std::span<const CommandRow> table);

// The man page ashlar(1) in roff.
std::string ManPage(std::span<const CommandRow> table);

// A completion script for "bash", "zsh" or "fish"; kInvalidArgument for another shell.
base::StatusOr<std::string> Completion(std::span<const CommandRow> table, std::string_view shell);

}  // namespace ashlar::cli
