// `ashlar bench read`: results of other tools, read and held against themselves.
#pragma once

#include <memory>

#include "cli/command.h"

namespace ashlar::cli {

std::unique_ptr<Command> MakeBenchReadCommand();

}  // namespace ashlar::cli
