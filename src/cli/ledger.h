// `ashlar ledger`: show, verify, prove, checkpoint.
#pragma once

#include <memory>

#include "cli/command.h"

namespace ashlar::cli {

std::unique_ptr<Command> MakeLedgerCommand();

}  // namespace ashlar::cli
