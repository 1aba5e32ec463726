// `ashlar check`: the health checks of this machine.
#pragma once

#include <memory>

#include "cli/command.h"

namespace ashlar::cli {

std::unique_ptr<Command> MakeCheckCommand();

}  // namespace ashlar::cli
