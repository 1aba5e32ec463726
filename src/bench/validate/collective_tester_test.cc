// Real processes that stand for nodes, with faults made on purpose, started as a user's are.
#include "bench/validate/collective_tester.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/coll/launch.h"
#include "bench/validate/limits.h"
#include "bench/validate/validation.h"
#include "os/os.h"

namespace ashlar::bench {
namespace {

using testing::HasSubstr;

TEST(CollectiveTester, RefusesWhatCannotBeCompared) {
  EXPECT_EQ(MakeCollectiveTester({}).status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(MakeCollectiveTester({.local_nodes = 1}).status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(MakeCollectiveTester({.local_nodes = kMaxValidatedNodes + 1}).status().code(),
            base::StatusCode::kInvalidArgument);
  const auto uneven = MakeCollectiveTester({.hosts = {{"a", 8}, {"b", 4}}});
  EXPECT_EQ(uneven.status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(base::Message(uneven.status())), HasSubstr("host b has 4 slots"));
  EXPECT_EQ(MakeCollectiveTester({.local_nodes = 4, .inject = "hang:4"}).status().code(),
            base::StatusCode::kInvalidArgument);
}

class RealProcesses : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto program = FindLaunchProgram(ProcessEnvironment());
    if (!program.ok()) GTEST_SKIP() << base::Message(program.status());
  }

  static base::Json Run(const std::string& inject) {
    const std::string self = os::SelfPath().value();
    auto tester = MakeCollectiveTester(
        {.local_nodes = 8, .inject = inject, .rank_command = {self.substr(0, self.rfind('/')) + "/ashlar_bench_rank"}});
    EXPECT_TRUE(tester.ok()) << tester.status();
    const auto document = Validate({.tester = **tester});
    EXPECT_TRUE(document.ok()) << document.status();
    return document.ok() ? *document : base::Json();
  }
};

TEST_P(RealProcesses, AreNamed) {
  // A slow link is not among these: other work on the machine makes more of that kind than a test can tell apart.
  const base::Json document = Run(fmt::format("{}:6", GetParam()));
  const std::string text = ValidationText(document);
  EXPECT_THAT(text, HasSubstr("pinned:\n  node    process-6 ")) << text;
  EXPECT_THAT(text, HasSubstr("# DRILL")) << text;
  EXPECT_EQ(ExitStatusOfValidation(document), base::ExitStatus::kFallsShort);
}

INSTANTIATE_TEST_SUITE_P(Faults, RealProcesses, testing::Values("hang", "corrupt"),
                         [](const auto& fault) { return std::string(fault.param); });

}  // namespace
}  // namespace ashlar::bench
