// The table of backends, and opening the right one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bench/coll/backend.h"

namespace ashlar::bench {

// Looks a variable up in the environment; nullopt when it is not set. Comes in so that tests need not set any.
using EnvironmentLookup = std::function<std::optional<std::string>(std::string_view)>;
EnvironmentLookup ProcessEnvironment();

// Which MPI started this process, told by the variables that its launcher sets.
enum class Launcher {
  kNone,     // nobody: this process is alone
  kOpenMpi,  // mpirun of Open MPI, or srun --mpi=pmix
  kMpich,    // mpiexec of MPICH and its kin (Hydra), or srun --mpi=pmi2
};

struct LauncherInfo {
  Launcher launcher = Launcher::kNone;
  int rank = 0;   // -1 when the launcher does not say
  int ranks = 1;  // -1 when the launcher does not say
};

LauncherInfo DetectLauncher(const EnvironmentLookup& environment);

struct BackendRow {
  std::string_view name;  // as `--backend` takes it
  std::string_view summary;
  std::string_view module;  // file name of the shared object
  Launcher launcher;        // under which it is the right one
};

std::span<const BackendRow> Backends();

// Where the modules are: ASHLAR_MODULE_PATH, else lib/ashlar beside the program's bin/, else /usr/lib/ashlar.
std::vector<std::string> ModuleDirectories(const EnvironmentLookup& environment);

// The path of the module for `launcher`; kNotFound that says where it was looked for and what to install.
base::StatusOr<std::string> FindModule(Launcher launcher, const EnvironmentLookup& environment);

// Opens the module at `path` and starts its library. The library stays loaded until the process ends: Open MPI does not
// survive being unloaded. kNotFound, kFailedPrecondition for another version, kInternal with the library's words.
base::StatusOr<std::unique_ptr<CollectiveBackend>> OpenModule(const std::string& path);

}  // namespace ashlar::bench
