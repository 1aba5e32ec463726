// What `ashlar check` and `ashlar up` call: finds out which size this machine is, loads what is expected of it, runs
// the checks.
#pragma once

#include <string>
#include <vector>

#include "base/base.h"
#include "node/checks/check.h"
#include "node/identity.h"

namespace ashlar::node {

struct CheckMachineRequest {
  base::Json configuration;        // the whole configuration; its `node:` is what counts; null when there is none
  std::string size;                // when the caller knows it (Identity::azure); "" asks `azure`
  AzureFetch azure;                // empty: the size stays unknown unless it is stated
  std::string writable_directory;  // as in CheckContext
  RunChecksOptions run;
};

// Errors of Expectations::Load and RunChecks: the configuration or the choice of checks is wrong. The machine itself
// never is an error.
base::StatusOr<std::vector<base::Finding>> CheckMachine(const CheckMachineRequest& request);

// The expectations that CheckMachine would use on the machine below `system`.
base::StatusOr<Expectations> LoadExpectations(const os::SysReader& system, const CheckMachineRequest& request);

}  // namespace ashlar::node
