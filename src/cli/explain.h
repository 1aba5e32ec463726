// `ashlar explain ID`: what a verdict rests on, down to the file, the line and the entry of the ledger.
#pragma once

#include <memory>

#include "cli/command.h"

namespace ashlar::cli {

std::unique_ptr<Command> MakeExplainCommand();

}  // namespace ashlar::cli
