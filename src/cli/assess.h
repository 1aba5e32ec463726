// `ashlar assess`: the scorecard over what the ledger holds.
#pragma once

#include <memory>

#include "cli/command.h"

namespace ashlar::cli {

std::unique_ptr<Command> MakeAssessCommand();

}  // namespace ashlar::cli
