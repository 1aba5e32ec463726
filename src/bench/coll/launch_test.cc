#include "bench/coll/launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ashlar::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(Launch, OpenMpi) {
  LaunchRequest request{.program = {"/usr/bin/mpirun.openmpi", Launcher::kOpenMpi},
                        .ranks = 4,
                        .rank_command = {"ashlar", "bench", "coll"},
                        .as_root = true};
  LaunchCommand launch = MakeLaunchCommand(request);
  EXPECT_THAT(launch.command, ElementsAre("/usr/bin/mpirun.openmpi", "-n", "4", "--bind-to", "none", "--oversubscribe",
                                          "ashlar", "bench", "coll"));
  // mpirun(1): as root both variables must be 1.
  EXPECT_THAT(launch.environment,
              UnorderedElementsAre(Pair("OMPI_ALLOW_RUN_AS_ROOT", "1"), Pair("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
                                   Pair("OMPI_MCA_plm_rsh_agent", "/bin/false")));
  request.as_root = false;
  request.hostfile = "/tmp/hosts";
  launch = MakeLaunchCommand(request);
  EXPECT_THAT(launch.environment, IsEmpty());
  EXPECT_THAT(launch.command, ::testing::IsSupersetOf({"--hostfile", "/tmp/hosts"}));
}

TEST(Launch, Mpich) {
  const LaunchCommand launch = MakeLaunchCommand({.program = {"mpiexec.mpich", Launcher::kMpich},
                                                  .ranks = 2,
                                                  .hostfile = "h",
                                                  .rank_command = {"x"},
                                                  .as_root = true});
  EXPECT_THAT(launch.command, ElementsAre("mpiexec.mpich", "-n", "2", "-bind-to", "none", "-f", "h", "x"));
  EXPECT_THAT(launch.environment, IsEmpty());
}

TEST(Launch, HowManyRanks) {
  EXPECT_EQ(DefaultRanks({}, 1), 2);
  EXPECT_EQ(DefaultRanks({}, 96), 96);
  EXPECT_EQ(DefaultRanks({{"a", 8}, {"b", 8}}, 2), 16);
}

}  // namespace
}  // namespace ashlar::bench
