#include "bench/coll/launch.h"

#include <algorithm>

#include "os/os.h"

namespace ashlar::bench {
namespace {

struct Candidate {
  std::string_view program;
  Launcher kind;
};

// Debian's names first: they say which MPI it is. A plain mpirun is asked.
constexpr Candidate kCandidates[] = {{"mpirun.openmpi", Launcher::kOpenMpi},
                                     {"mpirun", Launcher::kNone},
                                     {"mpiexec.mpich", Launcher::kMpich},
                                     {"mpiexec.hydra", Launcher::kMpich},
                                     {"mpiexec", Launcher::kNone}};

Launcher AskVersion(const std::string& path) {
  const auto answer = os::RunSubprocess({.command = {path, "--version"}, .deadline = absl::Seconds(10)});
  if (!answer.ok()) return Launcher::kNone;
  if (answer->output.find("Open MPI") != std::string::npos) return Launcher::kOpenMpi;
  if (answer->output.find("HYDRA") != std::string::npos) return Launcher::kMpich;
  return Launcher::kNone;
}

}  // namespace

LaunchCommand MakeLaunchCommand(const LaunchRequest& request) {
  LaunchCommand launch;
  std::vector<std::string>& command = launch.command;
  command = {request.program.path, "-n", std::to_string(request.ranks)};
  if (request.program.kind == Launcher::kOpenMpi) {
    command.insert(command.end(), {"--bind-to", "none", "--oversubscribe"});
    if (!request.hostfile.empty()) command.insert(command.end(), {"--hostfile", request.hostfile});
    if (request.as_root) {
      // mpirun refuses to run as root unless told twice.
      launch.environment["OMPI_ALLOW_RUN_AS_ROOT"] = "1";
      launch.environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1";
    }
    // On this machine alone there is nobody to log in to: mpirun must not fail for want of ssh.
    if (request.hostfile.empty()) launch.environment["OMPI_MCA_plm_rsh_agent"] = "/bin/false";
  } else {
    command.insert(command.end(), {"-bind-to", "none"});
    if (!request.hostfile.empty()) command.insert(command.end(), {"-f", request.hostfile});
  }
  command.insert(command.end(), request.rank_command.begin(), request.rank_command.end());
  return launch;
}

base::StatusOr<LaunchProgram> FindLaunchProgram(const EnvironmentLookup& environment) {
  base::Status module_missing = base::OkStatus();
  for (const Candidate& candidate : kCandidates) {
    const auto path = os::FindProgram(candidate.program);
    if (!path.ok()) continue;
    const Launcher kind = candidate.kind == Launcher::kNone ? AskVersion(*path) : candidate.kind;
    if (kind == Launcher::kNone) continue;
    const auto module = FindModule(kind, environment);
    if (module.ok()) return LaunchProgram{*path, kind};
    if (module_missing.ok()) module_missing = module.status();
  }
  if (!module_missing.ok()) return module_missing;
  return base::Error(base::StatusCode::kNotFound,
                     "there is no MPI launcher in PATH: install openmpi-bin (apt-get install openmpi-bin)");
}

int64_t DefaultRanks(const std::vector<HostSlots>& hosts, int64_t cores) {
  return hosts.empty() ? std::max<int64_t>(2, cores) : TotalSlots(hosts);
}

}  // namespace ashlar::bench
