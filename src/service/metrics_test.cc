#include "service/metrics.h"

#include <gtest/gtest.h>

#include <set>

#include "assess/evidence_testing.h"

namespace ashlar::service {
namespace {

std::string Metrics(const assess::Evidence& evidence) {
  std::string text;
  AppendScorecardMetrics(assess::Assess(evidence), evidence, text);
  return text;
}

// Prometheus text format 0.0.4: one TYPE for each family, before its samples; every line ends with a line feed.
TEST(MetricsTest, EachFamilyIsDeclaredOnceBeforeItsSamples) {
  const std::string text = Metrics(assess::HealthyMachine());
  ASSERT_TRUE(text.ends_with('\n'));
  std::set<std::string> declared;
  for (const std::string_view line : base::SplitLines(text)) {
    const auto words = base::SplitWords(line);
    if (line.starts_with("# TYPE ")) {
      EXPECT_TRUE(declared.insert(std::string(words[2])).second) << line;
    } else if (!line.starts_with("#")) {
      EXPECT_TRUE(declared.contains(std::string(line.substr(0, line.find_first_of("{ "))))) << line;
    }
  }
}

TEST(MetricsTest, SaysTheVerdictsAndThePeaks) {
  const std::string text = Metrics(assess::HealthyMachine());
  EXPECT_NE(text.find("ashlar_consideration_verdict{id=\"bench-nccl\",pillar=\"benchmarks\",verdict=\"pass\"} 1\n"),
            std::string::npos);
  EXPECT_NE(text.find("ashlar_check_verdict{node=\"node-1\",id=\"memory-amount\",verdict=\"pass\"} 1\n"),
            std::string::npos);
  EXPECT_NE(text.find("{node=\"node-1\",collective=\"all_reduce\",backend=\"mpi\",ranks=\"2\"} 4000000000\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("ashlar_ledger_entries 16\n"), std::string::npos);
  // TestTime() is 2026-01-02T03:04:05Z; `date -u -d ... +%s` says 1767323045.
  EXPECT_NE(text.find("ashlar_scorecard_timestamp_seconds 1767323045.000\n"), std::string::npos);
}

TEST(MetricsTest, NothingMeasuredLeavesTheFamilyOut) {
  const std::string text = Metrics(assess::NoEvidence());
  EXPECT_EQ(text.find("ashlar_check_verdict"), std::string::npos);
  EXPECT_EQ(text.find("ashlar_collective"), std::string::npos);
}

TEST(MetricsTest, LabelsAreEscaped) {
  EXPECT_EQ(EscapeLabel("a\"b\\c\nd"), "a\\\"b\\\\c\\nd");
  assess::Evidence evidence = assess::NoEvidence();
  ledger::Entry entry = assess::TestEntry(0, "node.check", assess::CheckBody("dns", "pass"));
  entry.subject = "x\"} 1\nfake 2";
  evidence.Add(entry);
  EXPECT_EQ(Metrics(evidence).find("\nfake 2"), std::string::npos);
}

}  // namespace
}  // namespace ashlar::service
