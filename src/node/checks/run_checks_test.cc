#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "node/checks/check.h"
#include "node/checks/checks_testing.h"
#include "node/checks/finding.h"

namespace ashlar::node {
namespace {

using base::StatusCode;
using base::Verdict;
using Findings = std::vector<base::Finding>;

Findings Healthy(const CheckContext&) { return {Pass(StartFinding({"healthy", "test"}))}; }
Findings Several(const CheckContext&) {
  return {Pass(StartFinding({"several-a", "test"})), Fail(StartFinding({"several-b", "test"}), "broken")};
}
Findings Hangs(const CheckContext&) {
  while (true) pause();
}
// SIGKILL: a sanitizer would catch a segmentation fault and exit with a code of its own.
Findings Crashes(const CheckContext&) {
  std::raise(SIGKILL);
  return {};
}
Findings Exits(const CheckContext&) { _exit(7); }
Findings Throws(const CheckContext&) { return {base::Finding{.id = Findings().at(0).id}}; }
Findings Nothing(const CheckContext&) { return {}; }
Findings Alien(const CheckContext&) { return {Pass(StartFinding({"healthy", "test"}))}; }
Findings TooMuch(const CheckContext&) {
  return {Fail(StartFinding({"too-much", "test"}), std::string(kMaxFindingsBytes.count + 1, 'x'))};
}

constexpr absl::Duration kLong = absl::Seconds(20);
constexpr absl::Duration kShort = absl::Milliseconds(200);

constexpr std::array kRows = {
    CheckRow{"healthy", "?", kLong, &Healthy},  CheckRow{"several", "?", kLong, &Several},
    CheckRow{"hangs", "?", kShort, &Hangs},     CheckRow{"crashes", "?", kLong, &Crashes},
    CheckRow{"exits", "?", kLong, &Exits},      CheckRow{"throws", "?", kLong, &Throws},
    CheckRow{"nothing", "?", kLong, &Nothing},  CheckRow{"alien", "?", kLong, &Alien},
    CheckRow{"too-much", "?", kLong, &TooMuch},
};

base::StatusOr<Findings> RunRows(const RunChecksOptions& options) {
  base::StatusOr<Findings> result = Findings{};
  FakeMachine().With("", [&](const CheckContext& context) { result = RunCheckRows(kRows, context, options); });
  return result;
}

struct RowCase {
  std::string id;
  Verdict verdict;
  std::string reason;
};

TEST(RunChecks, EveryWayToEndIsAFinding) {
  const std::vector<RowCase> cases = {
      {"healthy", Verdict::kPass, ""},
      {"hangs", Verdict::kUnknown, "the check hangs did not answer within 200 ms"},
      {"crashes", Verdict::kUnknown, "the check crashes crashed with SIGKILL"},
      {"exits", Verdict::kUnknown, "exited with code 7"},
      {"throws", Verdict::kUnknown, "threw"},
      {"nothing", Verdict::kUnknown, "gave no finding"},
      {"alien", Verdict::kUnknown, "gave a finding called healthy"},
      {"too-much", Verdict::kUnknown, "answered more than 1 MiB"},
  };
  for (const auto& row : cases) {
    const auto findings = RunRows({.only = {row.id}});
    ASSERT_TRUE(findings.ok()) << findings.status();
    ASSERT_EQ(findings->size(), 1U);
    EXPECT_EQ((*findings)[0].id, row.id);
    EXPECT_EQ((*findings)[0].verdict, row.verdict) << row.id;
    EXPECT_NE((*findings)[0].reason.find(row.reason), std::string::npos) << (*findings)[0].reason;
  }
}

std::vector<std::string> Ids(const Findings& findings) {
  std::vector<std::string> ids;
  for (const auto& finding : findings) ids.push_back(finding.id);
  return ids;
}

TEST(RunChecks, KeepsTheOrderOfTheTableAtEveryWidth) {
  const std::vector<std::string> order = {"healthy", "several-a", "several-b", "hangs", "crashes",
                                          "exits",   "throws",    "nothing",   "alien", "too-much"};
  for (const size_t parallel : {size_t{0}, size_t{1}, size_t{2}, kMaxParallelChecks, size_t{100}}) {
    std::vector<std::string> handed;
    const auto findings = RunRows(
        {.on_finding = [&](const base::Finding& finding) { handed.push_back(finding.id); }, .parallel = parallel});
    ASSERT_TRUE(findings.ok());
    EXPECT_EQ(Ids(*findings), order);
    std::sort(handed.begin(), handed.end());
    auto sorted = order;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(handed, sorted);
  }
}

TEST(RunChecks, OneThatHangsKeepsNoOtherFromItsAnswer) {
  const auto findings = RunRows({.only = {"hangs", "healthy", "several"}, .parallel = 2});
  ASSERT_TRUE(findings.ok());
  EXPECT_EQ((*findings)[0].verdict, Verdict::kPass);
  EXPECT_EQ(base::WorstVerdict(*findings), Verdict::kFail);
}

TEST(RunChecks, OnlyAndSkip) {
  EXPECT_EQ(Ids(*RunRows({.only = {"several", "healthy"}})),
            (std::vector<std::string>{"healthy", "several-a", "several-b"}));
  EXPECT_EQ(Ids(*RunRows({.only = {"several", "healthy"}, .skip = {"several"}})),
            (std::vector<std::string>{"healthy"}));
  EXPECT_EQ(RunRows({.only = {"healthy"}, .skip = {"healthy"}}).status().code(), StatusCode::kInvalidArgument);
  const auto unknown = RunRows({.only = {"helthy"}});
  EXPECT_EQ(unknown.status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(base::Message(unknown.status()).find("helthy"), std::string::npos);
  EXPECT_EQ(RunRows({.skip = {"several-a"}}).status().code(), StatusCode::kInvalidArgument);
}

TEST(RunChecks, JobsAreMadeAtRunTime) {
  const auto job = [](const std::string& id, absl::Duration time_limit, bool hangs) {
    return CheckJob{.id = id, .alone = "as before", .time_limit = time_limit, .run = [id, hangs](const CheckContext&) {
                      while (hangs) pause();
                      return Findings{Pass(StartFinding({id, "test"}))};
                    }};
  };
  FakeMachine().With("", [&](const CheckContext& context) {
    EXPECT_TRUE(RunCheckJobs({}, context, {}).empty());
    const auto findings =
        RunCheckJobs({job("nhc:1 a", kLong, false), job("b", kShort, true), job("c", kLong, false)}, context, {});
    EXPECT_EQ(Ids(findings), (std::vector<std::string>{"nhc:1 a", "b", "c"}));
    EXPECT_EQ(findings[0].verdict, Verdict::kPass);
    EXPECT_EQ(findings[1].verdict, Verdict::kUnknown);
    EXPECT_NE(findings[1].reason.find("run it alone: as before"), std::string::npos) << findings[1].reason;
  });
}

TEST(RunChecks, AStopLeavesTheRestUnknown) {
  std::stop_source source;
  source.request_stop();
  const auto findings = RunRows({.only = {"healthy"}, .stop = source.get_token()});
  ASSERT_TRUE(findings.ok());
  EXPECT_EQ((*findings)[0].verdict, Verdict::kUnknown);
  EXPECT_NE((*findings)[0].reason.find("stopped"), std::string::npos);
}

TEST(RunChecks, TheDeadlineOfAllNamesTheOneThatHungAndThoseThatWereNotRun) {
  constexpr std::array kHung = {CheckRow{"hangs", "?", kLong, &Hangs}, CheckRow{"healthy", "?", kLong, &Healthy},
                                CheckRow{"several", "?", kLong, &Several}};
  base::StatusOr<Findings> findings = Findings{};
  FakeMachine().With("", [&](const CheckContext& context) {
    findings = RunCheckRows(kHung, context, {.parallel = 1, .deadline = kShort});
  });
  ASSERT_TRUE(findings.ok()) << findings.status();
  ASSERT_EQ(Ids(*findings), (std::vector<std::string>{"hangs", "healthy", "several"}));
  for (const auto& finding : *findings) EXPECT_EQ(finding.verdict, Verdict::kUnknown) << finding.id;
  EXPECT_NE((*findings)[0].reason.find("cut short by the deadline of all checks"), std::string::npos);
  EXPECT_NE((*findings)[1].reason.find("not run: the deadline of all checks, 200 ms, was over"), std::string::npos);
}

}  // namespace
}  // namespace ashlar::node
