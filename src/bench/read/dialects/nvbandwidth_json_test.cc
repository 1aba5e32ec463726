#include "bench/read/dialects/nvbandwidth_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ashlar::bench {
namespace {

using testing::HasSubstr;

std::vector<RunRecord> Read(const std::string& text) {
  std::vector<RunRecord> runs;
  TakeNvbandwidthJson(base::ParseJson(text).value(), [&](RunRecord run) { runs.push_back(std::move(run)); });
  return runs;
}

// One test as the tool writes it; `inner` replaces its members.
std::string Document(const std::string& inner) {
  return R"json({"nvbandwidth": {"version": "v0.8", "testcases": [{"name": "host_to_device_memcpy_ce", )json" + inner +
         "}]}}";
}

constexpr char kGood[] =
    R"json("status": "Passed", "bandwidth_description": "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)",
  "bandwidth_matrix": [["55.63", "55.64"], ["N/A", "55.6"]], "sum": 166.87)json";

std::string Passed(const std::string& description, const std::string& matrix, const std::string& sum) {
  return fmt::format(R"("status": "Passed", "bandwidth_description": "{}", "bandwidth_matrix": {}, "sum": {})",
                     description, matrix, sum);
}

TEST(NvbandwidthJson, OtherDocumentsAreLeftToOthers) {
  for (const char* text : {"{}", "[]", "3", R"json({"nvbandwidth": 3})json", R"json({"nvbandwidth": {}})json"}) {
    EXPECT_TRUE(Read(text).empty()) << text;
  }
}

TEST(NvbandwidthJson, CellsBecomeSamplesInBytesPerSecond) {
  const auto runs = Read(Document(kGood));
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_TRUE(runs[0].is_complete);
  EXPECT_EQ(runs[0].version, "v0.8");
  ASSERT_EQ(runs[0].samples.size(), 3U);
  EXPECT_EQ(runs[0].samples[0].quantities[0].unit, "bytes_per_second");
  EXPECT_DOUBLE_EQ(runs[0].samples[0].quantities[0].value, 55.63e9);
  EXPECT_TRUE(runs[0].notes.empty());
}

TEST(NvbandwidthJson, LatenciesAreSeconds) {
  const auto runs = Read(Document(
      R"json("status": "Passed", "bandwidth_description": "memory latency SM CPU(row) <-> GPU(column) (ns)",
         "bandwidth_matrix": [["772.58"]], "sum": 772.58)json"));
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_TRUE(runs[0].is_complete);
  EXPECT_NEAR(runs[0].samples.at(0).quantities.at(0).value, 772.58e-9, 1e-15);
}

TEST(NvbandwidthJson, WhatIsCutMissingOrWrongIsDamage) {
  struct Row {
    const char* name;
    std::string document;
    const char* note;
  };
  const Row rows[] = {
      {"ended in a test", Document(R"json("status": "Running")json"), "Running"},
      {"an error", Document(R"json("status": "Error", "error": "CUDA_ERROR")json"), "CUDA_ERROR"},
      {"no matrix", Document(R"json("status": "Passed", "sum": 1)json"), "status \"Passed\""},
      {"no unit", Document(Passed("x", "[]", "0")), "neither GB/s nor ns"},
      {"no sum", Document(Passed("(GB/s)", R"([["1.5"]])", "null")), "has no sum"},
      {"a cell is missing", Document(Passed("(GB/s)", R"([["1.5"]])", "9")), "cells are missing"},
      {"a cell is no figure", Document(Passed("(GB/s)", R"([["fast", 3]])", "0")), "is no figure"},
      {"a row is none", Document(Passed("(GB/s)", "[7]", "0")), "no row of cells"},
      {"the program failed", R"json({"nvbandwidth": {"error": "no device"}})json", "no device"},
      {"nothing ran", R"json({"nvbandwidth": {"testcases": []}})json", "no test passed"},
  };
  for (const Row& row : rows) {
    const auto runs = Read(row.document);
    ASSERT_EQ(runs.size(), 1U) << row.name;
    EXPECT_FALSE(runs[0].is_complete) << row.name;
    ASSERT_FALSE(runs[0].notes.empty()) << row.name;
    EXPECT_THAT(runs[0].notes[0].text, HasSubstr(row.note)) << row.name;
  }
}

TEST(NvbandwidthJson, AWaivedTestIsNoDamage) {
  const auto runs = Read(R"json({"nvbandwidth": {"version": "v0.8", "testcases": [
      {"name": "a", "status": "Waived"}, {"name": "b", )json" +
                         std::string(kGood) + "}]}}");
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_TRUE(runs[0].is_complete);
  EXPECT_THAT(runs[0].notes.at(0).text, HasSubstr("waived"));
}

}  // namespace
}  // namespace ashlar::bench
