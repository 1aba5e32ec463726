// Keeping what a command measured: one ledger entry, where the scorecard finds it.
#pragma once

#include <string>

#include "cli/command.h"

namespace ashlar::cli {

// Adds --data and --no-record to a command that measures.
struct RecordOptions {
  std::string data;        // --data DIR
  bool no_record = false;  // --no-record: show it and forget it
};
void AddRecordOptions(CLI::App& app, RecordOptions& options);

// Appends an entry of `kind` about this machine; the ledger and its folder are made when they are missing. The error
// says why it could not be kept: a measurement is shown all the same.
base::Status Record(const CommonOptions& options, std::string_view actor, std::string_view kind, base::Json body);

// Record, with the reason on standard error when it could not be kept.
void RecordOrSay(const CommonOptions& options, std::string_view actor, std::string_view kind, base::Json body);

}  // namespace ashlar::cli
