#include "bench/coll/backends.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "os/os.h"

namespace ashlar::bench {
namespace {

constexpr BackendRow kBackends[] = {
    {"openmpi", "Open MPI, shared memory and network", "ashlar_mpi_openmpi.so", Launcher::kOpenMpi},
    {"mpich", "MPICH and its kin, shared memory and network", "ashlar_mpi_mpich.so", Launcher::kMpich},
};

int NumberOr(const EnvironmentLookup& environment, std::string_view name, int otherwise) {
  const auto text = environment(name);
  if (!text.has_value()) return otherwise;
  const auto number = base::ParseInt64(*text);
  if (!number.has_value() || *number < 0 || *number > 1'000'000'000) return otherwise;
  return static_cast<int>(*number);
}

bool Readable(const std::string& path) { return access(path.c_str(), R_OK) == 0; }

}  // namespace

EnvironmentLookup ProcessEnvironment() {
  return [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    if (value == nullptr) return std::nullopt;
    return std::string(value);
  };
}

LauncherInfo DetectLauncher(const EnvironmentLookup& environment) {
  if (environment("OMPI_COMM_WORLD_RANK").has_value()) {
    return {Launcher::kOpenMpi, NumberOr(environment, "OMPI_COMM_WORLD_RANK", -1),
            NumberOr(environment, "OMPI_COMM_WORLD_SIZE", -1)};
  }
  // Slurm sets PMIX_RANK with --mpi=pmix only, and PMI_RANK with --mpi=pmi2 only.
  if (environment("PMIX_RANK").has_value()) {
    return {Launcher::kOpenMpi, NumberOr(environment, "PMIX_RANK", -1), NumberOr(environment, "SLURM_NTASKS", -1)};
  }
  if (environment("PMI_RANK").has_value()) {
    return {Launcher::kMpich, NumberOr(environment, "PMI_RANK", -1), NumberOr(environment, "PMI_SIZE", -1)};
  }
  if (environment("MPI_LOCALNRANKS").has_value()) return {Launcher::kMpich, -1, -1};
  return {};
}

std::span<const BackendRow> Backends() { return kBackends; }

std::vector<std::string> ModuleDirectories(const EnvironmentLookup& environment) {
  const auto chosen = environment("ASHLAR_MODULE_PATH");
  if (chosen.has_value() && !chosen->empty()) return {*chosen};
  std::vector<std::string> directories;
  const auto self = os::SelfPath();
  if (self.ok()) {
    const size_t slash = self->rfind('/');
    directories.push_back(self->substr(0, slash) + "/../lib/ashlar");
  }
  directories.emplace_back("/usr/lib/ashlar");
  return directories;
}

base::StatusOr<std::string> FindModule(Launcher launcher, const EnvironmentLookup& environment) {
  const std::vector<std::string> directories = ModuleDirectories(environment);
  for (const BackendRow& row : kBackends) {
    if (row.launcher != launcher) continue;
    for (const std::string& directory : directories) {
      std::string path = directory + "/" + std::string(row.module);
      if (Readable(path)) return path;
    }
    return base::Error(base::StatusCode::kNotFound,
                       "{} is not in {}: build it (tools/build) with {} installed, or set ASHLAR_MODULE_PATH",
                       row.module, base::Join(directories, " or "),
                       launcher == Launcher::kOpenMpi ? "libopenmpi-dev" : "libmpich-dev");
  }
  return base::Error(base::StatusCode::kNotFound, "no MPI launcher started this process: use --ranks or mpirun");
}

base::StatusOr<std::unique_ptr<CollectiveBackend>> OpenModule(const std::string& path) {
  // Open MPI's own plug-ins look for its symbols in the global scope.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
  if (library == nullptr) {
    return base::Error(base::StatusCode::kNotFound, "opening {}: {}", path, dlerror());
  }
  const auto version = reinterpret_cast<BackendModuleVersionFunction>(dlsym(library, kBackendModuleVersionSymbol));
  const auto open = reinterpret_cast<BackendModuleOpenFunction>(dlsym(library, kBackendModuleOpenSymbol));
  if (version == nullptr || open == nullptr) {
    return base::Error(base::StatusCode::kFailedPrecondition, "{} is no backend of Ashlar: build it anew", path);
  }
  if (version() != kBackendModuleVersion) {
    return base::Error(base::StatusCode::kFailedPrecondition, "{} is of version {}, this program wants {}: build anew",
                       path, version(), kBackendModuleVersion);
  }
  char error[512] = "";
  std::unique_ptr<CollectiveBackend> backend(open(error, sizeof(error)));
  if (backend == nullptr) return base::Error(base::StatusCode::kInternal, "{}", error);
  return backend;
}

}  // namespace ashlar::bench
