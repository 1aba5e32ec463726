// The command line that starts the ranks.
//
// No state; any thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/base.h"
#include "bench/coll/backends.h"
#include "bench/coll/hostfile.h"

namespace ashlar::bench {

// An MPI launcher on this machine.
struct LaunchProgram {
  std::string path;
  Launcher kind = Launcher::kOpenMpi;
};

struct LaunchRequest {
  LaunchProgram program;
  int64_t ranks = 2;
  std::string hostfile;  // already in the launcher's own form; "" for this machine
  std::vector<std::string> rank_command;
  bool as_root = false;
};

struct LaunchCommand {
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;
};

// More ranks than cores are allowed and none is bound to a core: a benchmark of one machine is to use all of it.
LaunchCommand MakeLaunchCommand(const LaunchRequest& request);

// The first launcher of this machine whose backend is there too: Open MPI's before MPICH's. kNotFound says what to
// install.
base::StatusOr<LaunchProgram> FindLaunchProgram(const EnvironmentLookup& environment);

// How many ranks when nobody said: the slots of the host file, else one a core, at least two.
int64_t DefaultRanks(const std::vector<HostSlots>& hosts, int64_t cores);

}  // namespace ashlar::bench
