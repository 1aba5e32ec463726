#include "bench/coll/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/coll/limits.h"

namespace ashlar::bench {
namespace {

using ::testing::HasSubstr;

TEST(Report, EnvironmentIsAnAllowlistWithoutSecrets) {
  const std::vector<std::string> entries = {"HOME=/root",
                                            "OMPI_MCA_btl=self,tcp",
                                            "NCCL_DEBUG=INFO",
                                            "NCCL_AUTH_TOKEN=s3cret",
                                            "AWS_SECRET_ACCESS_KEY=x",
                                            "OMPI_MCA_orte_hnp_uri=1;tcp://10.0.0.1:1",
                                            "UCX_TLS=rc",
                                            "broken",
                                            "=odd",
                                            "FI_PROVIDER=\xff",
                                            "UCX_LONG=" + std::string(kMaxEnvironmentValueBytes + 10, 'v'),
                                            "UCX_EXACT=" + std::string(kMaxEnvironmentValueBytes, 'w')};
  const base::Json reported = ReportedEnvironment(entries);
  EXPECT_EQ(reported.as_object().size(), 6U);
  EXPECT_EQ(base::GetString(reported, "OMPI_MCA_btl").value(), "self,tcp");
  EXPECT_EQ(base::GetString(reported, "FI_PROVIDER").value(), "(not text)");
  EXPECT_EQ(base::GetString(reported, "UCX_LONG")->size(), kMaxEnvironmentValueBytes);
  EXPECT_EQ(base::GetString(reported, "UCX_EXACT")->size(), kMaxEnvironmentValueBytes);
  EXPECT_EQ(base::WriteJson(reported).find("s3cret"), std::string::npos);
}

base::JsonObject Begin(const ArgumentValues& arguments) {
  const DocumentFacts facts{.run = "r1",
                            .collective = Collective::kAllReduce,
                            .backend = "mpi",
                            .library = "Open MPI",
                            .places = {{0, 10, "a"}, {1, 11, "a"}, {2, 12, "b"}}};
  return BeginDocument(facts, ReadArguments(arguments).value(), arguments, base::JsonObject());
}

base::Json Placed(const MessagePlan& plan, std::optional<uint64_t> wrong, bool converged, int64_t preemptions = 0) {
  PlacementResult result;
  result.measurement.iterations = 900;
  result.measurement.seconds = stats::Summarize(std::vector<double>(9, 2e-6)).value();
  result.measurement.interval = stats::MedianInterval95(std::vector<double>(9, 2e-6)).value();
  result.measurement.converged = converged;
  result.measurement.preemptions = preemptions;
  result.wrong = wrong;
  return PlacementToJson(plan, result);
}

struct Finished {
  base::JsonObject document;
  std::vector<std::string> verdicts;
};

Finished Finish(std::vector<base::Json> placements, const std::string& missing) {
  const MessagePlan plan = PlanMessage(Collective::kAllReduce, DataType::kFloat, 3, 1200);
  Finished finished{.document = Begin({{"collective", "all_reduce"}})};
  for (base::Json& placement : placements) {
    finished.document["rows"].as_array().push_back(RowToJson(plan, {}, std::move(placement), nullptr));
  }
  FinishDocument(finished.document, absl::Seconds(2), missing);
  for (const base::Json& finding : finished.document["findings"].as_array()) {
    finished.verdicts.push_back(base::GetString(finding, "verdict").value());
  }
  return finished;
}

TEST(Report, VerdictsFollowWhatWasSeen) {
  const MessagePlan plan = PlanMessage(Collective::kAllReduce, DataType::kFloat, 3, 1200);
  struct Row {
    const char* name;
    std::vector<base::Json> placements;
    std::string missing;
    std::vector<std::string> verdicts;  // correct, complete, precise
    base::ExitStatus exit_status;
  };
  const Row rows[] = {
      {"nothing", {}, "", {"unknown", "unknown", "pass"}, base::ExitStatus::kCouldNotRun},
      {"wrong", {Placed(plan, 3, true)}, "", {"fail", "pass", "pass"}, base::ExitStatus::kFallsShort},
      {"unchecked", {Placed(plan, std::nullopt, true)}, "", {"unknown", "pass", "pass"}, base::ExitStatus::kPass},
      {"incomplete", {Placed(plan, 0, true)}, "no time", {"pass", "unknown", "pass"}, base::ExitStatus::kPass},
      {"noisy", {Placed(plan, 0, false)}, "", {"pass", "pass", "unknown"}, base::ExitStatus::kPass},
      {"preempted", {Placed(plan, 0, true, 5)}, "", {"pass", "pass", "unknown"}, base::ExitStatus::kPass},
      {"preempted a little", {Placed(plan, 0, true, 4)}, "", {"pass", "pass", "pass"}, base::ExitStatus::kPass},
      {"good", {Placed(plan, 0, true), Placed(plan, 0, true)}, "", {"pass", "pass", "pass"}, base::ExitStatus::kPass},
      {"half a placement", {base::JsonObject()}, "", {"unknown", "pass", "unknown"}, base::ExitStatus::kPass},
  };
  for (const Row& row : rows) {
    const Finished finished = Finish(row.placements, row.missing);
    EXPECT_EQ(finished.verdicts, row.verdicts) << row.name;
    EXPECT_EQ(ExitStatusOfDocument(finished.document), row.exit_status) << row.name;
  }
  base::JsonObject faulty = Finish({Placed(plan, 0, true)}, "").document;
  faulty["fault"] = "rank 1 died";
  EXPECT_EQ(ExitStatusOfDocument(faulty), base::ExitStatus::kFallsShort);
  EXPECT_EQ(ExitStatusOfDocument(nullptr), base::ExitStatus::kCouldNotRun);
}

TEST(Report, DocumentHasTheFieldsOfTheSchema) {
  const MessagePlan plan = PlanMessage(Collective::kAllReduce, DataType::kFloat, 3, 1200);
  const base::JsonObject document = Finish({Placed(plan, 0, true)}, "").document;
  for (const char* name : {"schema",      "run",     "collective", "backend",       "library",
                           "ranks",       "nodes",   "hosts",      "mode",          "datatype",
                           "redop",       "root",    "started",    "wall_seconds",  "options",
                           "environment", "machine", "rows",       "out_of_bounds", "average_busbw_bytes_per_second",
                           "findings"}) {
    EXPECT_TRUE(document.contains(name)) << name;
  }
  EXPECT_EQ(document.at("nodes"), base::Json(2));
  EXPECT_EQ(document.at("root"), base::Json(-1));
  const base::Json& placement = document.at("rows").at(0).at("out_of_place");
  // 1200 B in 2 us are 600 MB/s; three ranks: times 2 (n - 1) / n = 4/3.
  EXPECT_NEAR(base::GetNumber(placement, "algbw_bytes_per_second").value(), 600e6, 1);
  EXPECT_NEAR(document.at("average_busbw_bytes_per_second").as_double(), 800e6, 1);
  for (const char* name : {"time_seconds", "wrong", "iterations", "mean_seconds", "min_seconds", "max_seconds",
                           "p50_seconds", "p95_seconds", "p99_seconds", "ci95_low_seconds", "ci95_high_seconds"}) {
    EXPECT_NE(base::Find(placement, name), nullptr) << name;
  }
  EXPECT_TRUE(base::CanonicalJson(document).ok());
}

}  // namespace
}  // namespace ashlar::bench
