// `ashlar bench coll`: collective bandwidth and latency by message size.
#pragma once

#include <memory>

#include "cli/command.h"

namespace ashlar::cli {

std::unique_ptr<Command> MakeBenchCollCommand();

}  // namespace ashlar::cli
