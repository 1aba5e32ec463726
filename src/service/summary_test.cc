#include "service/summary.h"

#include <gtest/gtest.h>

#include "assess/evidence_testing.h"

namespace ashlar::service {
namespace {

TEST(SummaryTest, NothingMeasuredShowsNothing) { EXPECT_EQ(FormatMeasurements(assess::NoEvidence(), false), ""); }

TEST(SummaryTest, ShowsMachineChecksBandwidthAndStorage) {
  const std::string text = FormatMeasurements(assess::HealthyMachine(), false);
  EXPECT_NE(text.find("node-1: "), std::string::npos);
  EXPECT_NE(text.find("memory-amount"), std::string::npos);
  EXPECT_NE(text.find("Bus bandwidth by message size (Open MPI v4.1.4, 2 ranks)"), std::string::npos) << text;
  EXPECT_NE(text.find("64 MiB"), std::string::npos);
  EXPECT_NE(text.find("4.00 GB/s"), std::string::npos);
  EXPECT_NE(text.find("sequential read 1 MiB depth 8"), std::string::npos);
}

// Only every third power of two is shown (8 B, 64 B, 512 B, 4 KiB, ...), and the largest size whatever it is.
TEST(SummaryTest, BandwidthTableIsThinned) {
  assess::Evidence evidence = assess::NoEvidence();
  evidence.Add(assess::TestEntry(0, "bench.coll", R"({"collective": "reduce", "library": "L", "ranks": 4, "rows": [
      {"size_bytes": 0, "out_of_place": {"busbw_bytes_per_second": 1e6}},
      {"size_bytes": 8, "out_of_place": {"busbw_bytes_per_second": 1e6}},
      {"size_bytes": 16, "out_of_place": {"busbw_bytes_per_second": 2e6}},
      {"size_bytes": 64, "out_of_place": {"busbw_bytes_per_second": 3e6}},
      {"size_bytes": 96, "out_of_place": {"busbw_bytes_per_second": 4e6}}]})"));
  const std::string text = FormatMeasurements(evidence, false);
  EXPECT_NE(text.find("1.00 MB/s"), std::string::npos);
  EXPECT_EQ(text.find("2.00 MB/s"), std::string::npos);
  EXPECT_NE(text.find("3.00 MB/s"), std::string::npos);
  EXPECT_NE(text.find("4.00 MB/s"), std::string::npos);
}

TEST(SummaryTest, MalformedEntriesAreLeftOut) {
  assess::Evidence evidence = assess::NoEvidence();
  evidence.Add(assess::TestEntry(0, "node.check", R"({"findings": 1})"));
  evidence.Add(assess::TestEntry(1, "bench.coll", R"({"rows": 1})"));
  evidence.Add(assess::TestEntry(2, "bench.storage", R"({"runs": {}})"));
  EXPECT_EQ(FormatMeasurements(evidence, false), "");
}

}  // namespace
}  // namespace ashlar::service
