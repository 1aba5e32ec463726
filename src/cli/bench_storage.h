// `ashlar bench storage`: bandwidth, latency, fsync and names per second of a folder's storage.
#pragma once

#include <memory>

#include "cli/command.h"

namespace ashlar::cli {

std::unique_ptr<Command> MakeBenchStorageCommand();

}  // namespace ashlar::cli
