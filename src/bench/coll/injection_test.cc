#include "bench/coll/injection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "bench/coll/collectives.h"
#include "bench/coll/launch.h"
#include "bench/coll/thread_backend_testing.h"
#include "os/os.h"

namespace ashlar::bench {
namespace {

using testing::HasSubstr;

TEST(ParseRankFaults, RefusesWhatItCannotDo) {
  for (const char* text : {"hang", ":hang", "-1:hang", "1:", "1:sleep", "1:hang:2", "1:slow", "1:slow:0", "1:slow:1",
                           "1:slow:-1", "1:slow:x", "1:slow:nan", "x:crash", "1:hang,", ",", "99999999999:hang"}) {
    const auto faults = ParseRankFaults(text);
    ASSERT_FALSE(faults.ok()) << text;
    EXPECT_EQ(faults.status().code(), base::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(faults.status().message()), HasSubstr("--inject")) << text;
  }
}

TEST(ParseRankFaults, ReadsAll) {
  EXPECT_TRUE(ParseRankFaults("")->empty());
  const auto faults = ParseRankFaults("0:slow:0.4,2:corrupt,3:hang,1:crash");
  ASSERT_TRUE(faults.ok()) << faults.status();
  ASSERT_EQ(faults->size(), 4U);
  EXPECT_EQ((*faults)[0].kind, RankFault::Kind::kSlow);
  EXPECT_DOUBLE_EQ((*faults)[0].speed_left, 0.4);
  EXPECT_EQ((*faults)[1].kind, RankFault::Kind::kCorrupt);
  EXPECT_EQ((*faults)[1].rank, 2);
  EXPECT_EQ((*faults)[2].kind, RankFault::Kind::kHang);
  EXPECT_EQ((*faults)[3].kind, RankFault::Kind::kCrash);
}

TEST(WithFaults, WithoutFaultsTheBackendStaysAsItIs) {
  ThreadWorld world(1, [](const CollectiveCall&, int64_t) { return 1e-3; });
  auto backend = world.Backend(0);
  const CollectiveBackend* before = backend.get();
  EXPECT_EQ(WithFaults(std::move(backend), {}).get(), before);
}

TEST(WithFaults, ASlowRankTakesItsShareOfTheSpeed) {
  ThreadWorld world(1, [](const CollectiveCall&, int64_t) { return 10e-3; });
  const auto slow = WithFaults(world.Backend(0), {{.rank = 0, .kind = RankFault::Kind::kSlow, .speed_left = 0.25}});
  float send = 1;
  float receive = 0;
  const CollectiveCall call{.count = 1, .send = &send, .receive = &receive};
  std::array<double, 2> seconds{};
  ASSERT_TRUE(slow->Time(call, 1, seconds).ok());
  // 10 ms at a quarter of the speed are 40 ms; sleeping may take longer, never less.
  for (const double batch : seconds) EXPECT_GE(batch, 40e-3);
}

// Real ranks, started as a user's are.
class InjectedRanks : public testing::Test {
 protected:
  void SetUp() override {
    const auto program = FindLaunchProgram(ProcessEnvironment());
    if (!program.ok()) GTEST_SKIP() << base::Message(program.status());
  }

  static base::StatusOr<CollectiveRun> Run(const std::string& inject, bool drill = true) {
    const std::string self = os::SelfPath().value();
    ArgumentValues arguments = {
        {"collective", "all_reduce"}, {"ranks", "3"},  {"minbytes", "64K"}, {"maxbytes", "256K"}, {"iters", "4"},
        {"timeout", "120"},           {"stall", "3s"}, {"inject", inject}};
    if (drill) arguments["drill"] = "true";
    return RunCollectives(
        {.arguments = std::move(arguments), .rank_command = {self.substr(0, self.rfind('/')) + "/ashlar_bench_rank"}});
  }
};

TEST_F(InjectedRanks, AreRefusedWithoutADrill) {
  const auto run = Run("1:hang", false);
  EXPECT_EQ(run.status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(base::Message(run.status())), HasSubstr("--drill"));
}

TEST_F(InjectedRanks, ARankThatHangsIsNamed) {
  const auto run = Run("1:hang");
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->exit_status, base::ExitStatus::kFallsShort);
  EXPECT_THAT(run->fault, HasSubstr("rank 1 "));
  EXPECT_FALSE(run->died);
  EXPECT_EQ(run->blamed, std::vector<int>{1});
}

TEST_F(InjectedRanks, ARankThatDiesIsNamed) {
  const auto run = Run("2:crash");
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->exit_status, base::ExitStatus::kFallsShort);
  EXPECT_TRUE(run->died);
  EXPECT_EQ(run->blamed, std::vector<int>{2});
}

TEST_F(InjectedRanks, WrongDataIsCountedAndTheDrillIsSaid) {
  const auto run = Run("0:corrupt");
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->exit_status, base::ExitStatus::kFallsShort);
  ASSERT_EQ(run->documents.size(), 1U);
  EXPECT_EQ(base::GetBool(run->documents.front(), "drill").value_or(false), true);
  const base::Json* row = base::Find(run->documents.front(), "rows");
  ASSERT_NE(row, nullptr);
  EXPECT_GT(row->at(0).at("out_of_place").at("wrong").to_number<double>(), 0);
}

}  // namespace
}  // namespace ashlar::bench
