// `ashlar up`: validate this machine, show the scorecard, serve the report.
#pragma once

#include <memory>

#include "cli/command.h"

namespace ashlar::cli {

std::unique_ptr<Command> MakeUpCommand();

}  // namespace ashlar::cli
