// One command of the program: a row of the table in commands.cc and one file pair named after it.
//
// The table is the one source of `ashlar help`, the man page and the shell completion.
#pragma once

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <string_view>

#include "base/base.h"

namespace ashlar::cli {

// Options that every command that reads or writes the state folder has.
struct CommonOptions {
  bool json = false;   // --json: one JSON document on standard output instead of a table
  std::string data;    // --data DIR: the state folder; default $XDG_STATE_HOME/ashlar or ~/.local/state/ashlar
  std::string config;  // --config FILE: YAML with expectations and demands; "" when there is none
};

class Command {
 public:
  virtual ~Command() = default;
  // Adds the command's options to `app`; the values land in members of this object.
  virtual void Describe(CLI::App& app) = 0;
  // Does it, after a successful parse: results on standard output, progress on standard error. Errors that the table
  // of base/status.h maps (kInvalidArgument ends with 2, others with 3) come back as a Status and are printed once.
  virtual base::StatusOr<base::ExitStatus> Run() = 0;
};

struct CommandRow {
  std::string_view name;     // "bench coll": words as typed
  std::string_view summary;  // one line, no full stop
  std::string_view example;  // one command line that works
  std::unique_ptr<Command> (*make)();
};

// Adds --json, --data and --config.
void AddCommonOptions(CLI::App& app, CommonOptions& options);

// --data, or its default; the folder is not created.
std::string DataDirectory(const CommonOptions& options);

// Where entries are kept: --data DIR gives DIR/ledger.db; a PostgreSQL URL in ASHLAR_LEDGER or in the configuration's
// `ledger:` wins over it.
base::StatusOr<std::string> LedgerUrl(const CommonOptions& options);

// The configuration as JSON; an empty object when --config was not given. kNotFound, kInvalidArgument with the path.
base::StatusOr<base::Json> LoadConfig(const CommonOptions& options);

// True when standard output (or error) is a terminal and NO_COLOR is not set.
bool UseColour(int descriptor);

}  // namespace ashlar::cli
