// `ashlar check --slurm`: the health checks as Slurm's HealthCheckProgram, and what follows for the node.
//
// slurmd ends the program after 60 s, whatever it does: checks, ledger and controller share one deadline below that.
#pragma once

#include <absl/time/time.h>

#include <functional>
#include <string>
#include <vector>

#include "base/base.h"
#include "cli/command.h"
#include "node/node.h"

namespace ashlar::cli {

struct SlurmCheckOptions {
  bool enabled = false;          // --slurm
  std::string node;              // --node; else SLURMD_NODENAME
  std::string deadline = "50s";  // --deadline, of everything
  std::string wait = "0s";       // --wait for a node whose state is not final
  bool drain_unknown = false;    // --drain-unknown
  bool dry_run = false;          // --dry-run
};

void AddSlurmCheckOptions(CLI::App& app, SlurmCheckOptions& options);

struct SlurmCheckRequest {
  SlurmCheckOptions options;
  CommonOptions common;
  node::CheckMachineRequest checks;  // its deadline is set by RunSlurmCheck
  // Which checks are run; must keep to the deadline in the request.
  std::function<base::StatusOr<std::vector<base::Finding>>(const node::CheckMachineRequest&)> run_checks =
      &node::CheckMachine;
  bool record = true;
  bool own = true;  // all of Ashlar's own checks: only those are kept as an answer to whether the machine is healthy
};

// Runs the checks, shows them, acts on the node and keeps both. kInvalidArgument for options that make no sense and for
// what CheckMachine refuses; a controller that could not be asked or told is said, and ends with kCouldNotRun.
base::StatusOr<base::ExitStatus> RunSlurmCheck(SlurmCheckRequest request);

}  // namespace ashlar::cli
