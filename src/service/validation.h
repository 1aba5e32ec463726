// One validation of this machine: identity, health checks, collectives, storage, scorecard, each a ledger entry.
//
// Runs on the caller's thread. What cannot be run is a problem that the scorecard's entry names, never a pass and never
// the end of the validation.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "assess/assess.h"
#include "base/base.h"
#include "ledger/ledger.h"

namespace ashlar::service {

struct ValidationOptions {
  base::Json config;        // the user's configuration, an object
  std::string folder;       // whose storage is measured, and where checks may write
  std::string program;      // this program, to start ranks with
  bool collectives = true;  // false leaves the collectives out
  bool storage = true;      // false leaves the storage out
  std::stop_token stop;
  std::function<void(const std::string&)> on_progress;  // one line; may be empty
};

struct Validation {
  assess::Evidence evidence;
  assess::Scorecard scorecard;
  std::vector<std::string> problems;  // what could not be run, and why
};

// kCancelled when `stop` was requested; errors of the ledger end the validation, since nothing could be kept.
base::StatusOr<Validation> Validate(ledger::Ledger& ledger, const ValidationOptions& options);

}  // namespace ashlar::service
