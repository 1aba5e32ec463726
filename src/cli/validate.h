// `ashlar validate`: who is at fault among many nodes.
#pragma once

#include <memory>

#include "cli/command.h"

namespace ashlar::cli {

std::unique_ptr<Command> MakeValidateCommand();

}  // namespace ashlar::cli
