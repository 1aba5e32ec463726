// The table of commands. A command is one file pair in this folder and one row in commands.cc.
#pragma once

#include <span>

#include "cli/command.h"

namespace ashlar::cli {

// Every command, in the order that help shows.
std::span<const CommandRow> CommandTable();

}  // namespace ashlar::cli
