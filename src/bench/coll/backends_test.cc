#include "bench/coll/backends.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "os/os.h"

namespace ashlar::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

EnvironmentLookup Environment(std::map<std::string, std::string, std::less<>> variables) {
  return [variables = std::move(variables)](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

TEST(Backends, TheLauncherIsToldByItsVariables) {
  struct Row {
    const char* name;
    std::map<std::string, std::string, std::less<>> variables;
    Launcher launcher;
    int rank;
    int ranks;
  };
  // Variables as mpirun.openmpi 4.1, mpiexec.mpich 4.0 and srun 22.05 set them.
  const Row rows[] = {
      {"nobody", {{"PATH", "/bin"}}, Launcher::kNone, 0, 1},
      {"a Slurm step without MPI", {{"SLURM_PROCID", "3"}}, Launcher::kNone, 0, 1},
      {"Open MPI",
       {{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "4"}, {"PMIX_RANK", "3"}},
       Launcher::kOpenMpi,
       3,
       4},
      {"srun --mpi=pmix", {{"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "2"}, {"PMIX_RANK", "1"}}, Launcher::kOpenMpi, 1, 2},
      {"MPICH", {{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"MPI_LOCALNRANKS", "2"}}, Launcher::kMpich, 1, 2},
      {"Hydra without PMI", {{"MPI_LOCALNRANKS", "2"}}, Launcher::kMpich, -1, -1},
      {"a rank that is no number", {{"OMPI_COMM_WORLD_RANK", "x"}}, Launcher::kOpenMpi, -1, -1},
  };
  for (const Row& row : rows) {
    const LauncherInfo info = DetectLauncher(Environment(row.variables));
    EXPECT_EQ(info.launcher, row.launcher) << row.name;
    EXPECT_EQ(info.rank, row.rank) << row.name;
    EXPECT_EQ(info.ranks, row.ranks) << row.name;
  }
}

TEST(Backends, AMissingModuleSaysWhatToInstall) {
  const auto environment = Environment({{"ASHLAR_MODULE_PATH", "/nonexistent"}});
  EXPECT_THAT(ModuleDirectories(environment), ElementsAre("/nonexistent"));
  const auto module = FindModule(Launcher::kOpenMpi, environment);
  EXPECT_EQ(module.status().code(), base::StatusCode::kNotFound);
  EXPECT_THAT(std::string(base::Message(module.status())), HasSubstr("libopenmpi-dev"));
  EXPECT_EQ(FindModule(Launcher::kNone, environment).status().code(), base::StatusCode::kNotFound);
}

TEST(Backends, WhatIsNoModuleIsRefused) {
  EXPECT_EQ(OpenModule("/nonexistent.so").status().code(), base::StatusCode::kNotFound);
  // A shared object, but none of ours.
  const auto stranger = OpenModule("libm.so.6");
  EXPECT_EQ(stranger.status().code(), base::StatusCode::kFailedPrecondition);
}

TEST(Backends, ModulesLieBesideTheProgram) {
  const std::vector<std::string> directories = ModuleDirectories(Environment({}));
  EXPECT_THAT(directories.front(), HasSubstr("/../lib/ashlar"));
  EXPECT_EQ(directories.back(), "/usr/lib/ashlar");
}

}  // namespace
}  // namespace ashlar::bench
