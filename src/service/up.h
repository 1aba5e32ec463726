// `ashlar up`: take the state folder, serve, validate, show the scorecard, and stay until interrupted.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "base/base.h"

namespace ashlar::service {

struct UpOptions {
  std::string folder;      // the state folder
  std::string ledger_url;  // path or postgresql:// URL
  base::Json config;       // the user's configuration, an object
  std::string program;     // this program, to start ranks with
  std::string address = "127.0.0.1";
  uint16_t port = 7413;  // 0 takes any free one
  bool once = false;     // end after the scorecard
  bool collectives = true;
  bool storage = true;
  bool json = false;  // the scorecard as JSON instead of a table
  bool colour = false;
  std::stop_token stop;
  std::function<void(const std::string&)> on_result;    // standard output
  std::function<void(const std::string&)> on_progress;  // standard error, one line
};

// Returns the scorecard's exit status. Errors say in one line what is in the way, and nothing is lost: a busy port
// (kAlreadyExists), a folder that cannot be written, a damaged ledger (kDataLoss), a second instance. An interrupt
// before the scorecard is kCancelled; after it, the scorecard's status.
base::StatusOr<base::ExitStatus> Up(const UpOptions& options);

}  // namespace ashlar::service
