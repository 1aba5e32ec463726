#include "assess/collectives.h"

#include <gtest/gtest.h>

#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

using base::Verdict;

constexpr const char* kNames[] = {"all_reduce", "all_gather", "reduce", "broadcast", "reduce_scatter"};

void AddRun(Evidence& evidence, uint64_t first, double busbw) {
  for (const char* name : kNames) evidence.Add(TestEntry(first++, "bench.coll", CollectiveBody(name, busbw, 0)));
}

struct Row {
  const char* name;
  double first;
  double second;
  Verdict verdict;
};

// The tolerance in data/assess/tolerances.yaml is a quarter: 4 GB/s before asks for 3 GB/s now.
TEST(CollectivesTest, SecondRunIsHeldAgainstTheFirst) {
  const Row rows[] = {
      {"equal", 4e9, 4e9, Verdict::kPass},
      {"at the bound", 4e9, 3e9, Verdict::kPass},
      {"below the bound", 4e9, 2.99e9, Verdict::kFail},
      {"faster", 4e9, 8e9, Verdict::kPass},
  };
  for (const Row& row : rows) {
    Evidence evidence = NoEvidence();
    AddRun(evidence, 0, row.first);
    AddRun(evidence, 10, row.second);
    const Judgement judgement = JudgeCollectives(evidence, "mpi");
    EXPECT_EQ(judgement.verdict, row.verdict) << row.name << ": " << judgement.reason;
  }
}

TEST(CollectivesTest, FirstRunHasNothingToBeComparedWith) {
  Evidence evidence = NoEvidence();
  AddRun(evidence, 0, 4e9);
  const Judgement judgement = JudgeCollectives(evidence, "mpi");
  EXPECT_EQ(judgement.verdict, Verdict::kUnknown);
  EXPECT_EQ(judgement.pointers.size(), 5U);
}

TEST(CollectivesTest, ConfigurationIsTheBaselineWhenItNamesOne) {
  Evidence evidence(*base::ParseJson(R"({"bench": {"coll": {"minimum_busbw_bytes_per_second": {
      "all_reduce": 5e9, "all_gather": 1e9, "reduce": 1e9, "broadcast": 1e9, "reduce_scatter": 1e9}}}})"),
                    TestTime());
  AddRun(evidence, 0, 4e9);
  const Judgement judgement = JudgeCollectives(evidence, "mpi");
  EXPECT_EQ(judgement.verdict, Verdict::kFail);
  EXPECT_EQ(judgement.reason, "below the baseline: all_reduce");
}

TEST(CollectivesTest, WrongResultsFailWhateverTheSpeed) {
  Evidence evidence = HealthyMachine();
  evidence.Add(TestEntry(50, "bench.coll", CollectiveBody("reduce", 9e9, 3)));
  const Judgement judgement = JudgeCollectives(evidence, "mpi");
  EXPECT_EQ(judgement.verdict, Verdict::kFail);
  EXPECT_EQ(judgement.reason, "wrong results: reduce");
}

TEST(CollectivesTest, MissingOrMalformedCollectiveIsUnknown) {
  EXPECT_EQ(JudgeCollectives(NoEvidence(), "mpi").verdict, Verdict::kUnknown);
  EXPECT_EQ(JudgeCollectives(HealthyMachine(), "nccl").verdict, Verdict::kUnknown);
  Evidence evidence = HealthyMachine();
  evidence.Add(TestEntry(50, "bench.coll", R"({"collective": "reduce", "backend": "mpi", "rows": 3})"));
  EXPECT_EQ(JudgeCollectives(evidence, "mpi").verdict, Verdict::kUnknown);
}

TEST(CollectivesTest, AnotherMachineIsNoBaseline) {
  Evidence evidence = NoEvidence();
  AddRun(evidence, 0, 9e9);
  for (uint64_t i = 0; i < 5; ++i) {
    ledger::Entry entry = TestEntry(10 + i, "bench.coll", CollectiveBody(kNames[i], 4e9, 0));
    entry.body.as_object()["machine"] = base::JsonObject{{"digest", "d2"}};
    evidence.Add(entry);
  }
  EXPECT_EQ(JudgeCollectives(evidence, "mpi").verdict, Verdict::kUnknown);
}

TEST(CollectivesTest, PeakIsTheGreatestRow) {
  const auto entry = TestEntry(0, "bench.coll", R"({"rows": [
      {"size_bytes": 8, "out_of_place": {"busbw_bytes_per_second": 1e6}},
      {"size_bytes": 1024, "out_of_place": {"busbw_bytes_per_second": 3e9}},
      {"size_bytes": 2048, "out_of_place": {"busbw_bytes_per_second": null}}]})");
  const auto peak = PeakOf(entry);
  ASSERT_TRUE(peak.has_value());
  EXPECT_EQ(peak->size_bytes, 1024);
  EXPECT_FALSE(PeakOf(TestEntry(1, "bench.coll", R"({"rows": []})")).has_value());
  EXPECT_FALSE(PeakOf(TestEntry(1, "bench.coll", R"({})")).has_value());
}

}  // namespace
}  // namespace ashlar::assess
