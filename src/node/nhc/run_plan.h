// Runs what a configuration of NHC became, as the native checks are run: each in a child process with a time limit.
#pragma once

#include <string>
#include <vector>

#include "base/base.h"
#include "node/checks/check.h"
#include "node/checks/check_machine.h"
#include "node/nhc/plan.h"

namespace ashlar::node {

// The file at `path`, read for the machine that `kernel` names. kNotFound, kPermissionDenied and so on with the path
// when it cannot be read, never kInvalidArgument; errors of MakeNhcPlan.
base::StatusOr<NhcPlan> ReadNhcPlan(os::FileSystem& files, const std::string& path, const KernelCalls& kernel);

// One finding for each line that is for this host, in their order: "nhc:12 check_hw_eth", expectation_source
// "PATH:12". Lines that cannot be honoured are `unknown`. kFailedPrecondition when the file holds no check for this
// host: nothing was asked, and that is no pass.
base::StatusOr<std::vector<base::Finding>> RunNhcPlan(const NhcPlan& plan, const CheckContext& context,
                                                      const RunChecksOptions& options);

// The same on this machine, with the expectations of CheckMachine for lines that state none.
base::StatusOr<std::vector<base::Finding>> CheckMachineByPlan(const NhcPlan& plan, const CheckMachineRequest& request);

}  // namespace ashlar::node
