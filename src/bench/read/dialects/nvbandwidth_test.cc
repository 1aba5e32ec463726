#include "bench/read/dialects/nvbandwidth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/read/reader.h"

namespace ashlar::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<RunRecord> Read(std::string_view text) {
  std::vector<RunRecord> runs;
  const auto reader = MakeNvbandwidthReader([&runs](RunRecord run) { runs.push_back(std::move(run)); });
  uint64_t number = 0;
  for (std::string_view line : base::SplitLines(text)) reader->Take({.number = ++number, .text = line});
  reader->Finish();
  return runs;
}

// 51.50 + 52.25 + 51.75 = 155.50; 772.5 + 780.5 = 1553.0.
constexpr std::string_view kSample = R"(nvbandwidth Version: v0.8
Built from Git version: v0.8

Device 0: Test GPU (00000001:00:00)

Running host_to_device_memcpy_ce.
memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)
           0         1         2
 0     51.50     52.25     51.75

SUM host_to_device_memcpy_ce 155.50

Waived:
Running host_device_latency_sm.
memory latency SM CPU(row) <-> GPU(column) (ns)
           0         1
 0    772.50    780.50

SUM host_device_latency_sm 1553.00

Running device_to_device_memcpy_read_ce.
memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)
           0         1
 0       N/A    276.10
 1    276.30       N/A

SUM device_to_device_memcpy_read_ce 552.40
NOTE: The reported results may not reflect the full capabilities of the platform.
)";

TEST(NvbandwidthReaderTest, ReadsEveryMatrixInItsUnit) {
  const auto runs = Read(kSample);
  ASSERT_THAT(runs, SizeIs(1));
  const RunRecord& run = runs[0];
  EXPECT_EQ(run.version, "v0.8");
  EXPECT_TRUE(run.is_complete);
  EXPECT_THAT(run.notes, SizeIs(0));
  ASSERT_THAT(run.samples, SizeIs(7));
  EXPECT_EQ(run.samples[1].labels.at("test"), "host_to_device_memcpy_ce");
  EXPECT_EQ(run.samples[1].labels.at("column"), 1);
  EXPECT_EQ(run.samples[1].line, 9U);
  EXPECT_EQ(run.samples[1].quantities[0].unit, "bytes_per_second");
  EXPECT_DOUBLE_EQ(run.samples[1].quantities[0].value, 52.25e9);
  EXPECT_EQ(run.samples[4].quantities[0].name, "latency");
  EXPECT_DOUBLE_EQ(run.samples[4].quantities[0].value, 780.5e-9);
  EXPECT_EQ(run.samples[6].labels.at("row"), 1);
  EXPECT_EQ(run.samples[6].labels.at("column"), 0);
}

struct DamageCase {
  const char* from;
  const char* to;
  const char* note;
};

TEST(NvbandwidthReaderTest, WhatDoesNotAddUpIsDamage) {
  for (const DamageCase& row :
       {DamageCase{"155.50", "255.50", "add up to 155.50"}, DamageCase{"     51.75", "", "cells are missing"},
        DamageCase{" 52.25", " x2.25", "is no figure"}, DamageCase{"SUM host_to", "SUM other_to", "cannot be read"},
        DamageCase{"SUM host_to_device_memcpy_ce 155.50\n", "", "has no sum"},
        DamageCase{"bandwidth (GB/s)", "bandwidth (MB/s)", "unit of the matrix"}}) {
    std::string text(kSample);
    text.replace(text.find(row.from), std::string_view(row.from).size(), row.to);
    const auto runs = Read(text);
    ASSERT_THAT(runs, SizeIs(1)) << row.from;
    EXPECT_FALSE(runs[0].is_complete) << row.from;
    ASSERT_FALSE(runs[0].notes.empty()) << row.from;
    bool found = false;
    for (const ReadNote& note : runs[0].notes) {
      found |= note.is_damage && note.text.find(row.note) != std::string::npos;
    }
    EXPECT_TRUE(found) << row.from << ": " << runs[0].notes[0].text;
  }
}

TEST(NvbandwidthReaderTest, ALogThatIsCutAnywhereIsNotComplete) {
  const size_t end = kSample.find("NOTE: ");
  for (size_t length = 0; length < end; ++length) {
    for (const RunRecord& run : Read(kSample.substr(0, length))) EXPECT_FALSE(run.is_complete) << length;
  }
  EXPECT_THAT(Read("a line\n 0  1\nSUM x 1\n"), SizeIs(0));
}

TEST(NvbandwidthReaderTest, AWholeLogPassesWhenItIsReadAsAFile) {
  const auto runs = ReadText(kSample, "nvbandwidth.log");
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_EQ(base::WorstVerdict(runs[0].findings), base::Verdict::kPass) << runs[0].findings[0].reason;
}

TEST(NvbandwidthReaderTest, TwoRunsInOneFileAreTwo) {
  const auto runs = Read(std::string(kSample) + std::string(kSample));
  ASSERT_THAT(runs, SizeIs(2));
  EXPECT_EQ(runs[1].samples.size(), 7U);
}

}  // namespace
}  // namespace ashlar::bench
