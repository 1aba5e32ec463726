#include "bench/read/dialects/megatron.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/read/reader.h"

namespace ashlar::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<RunRecord> Read(std::string_view text) {
  std::vector<RunRecord> runs;
  const auto reader = MakeMegatronReader([&runs](RunRecord run) { runs.push_back(std::move(run)); });
  uint64_t number = 0;
  for (std::string_view line : base::SplitLines(text)) reader->Take({.number = ++number, .text = line});
  reader->Finish();
  return runs;
}

std::string Line(int iteration, std::string_view rest = " lm loss: 9.5E+00 | grad norm: 1.250 |") {
  return fmt::format(
      " [2026-01-02 03:04:05] iteration {:8}/       3 | consumed samples: {:12} | elapsed time per iteration "
      "(ms): 1500.5 | throughput per GPU (TFLOP/s/GPU): 412.5 | global batch size:    64 |{}\n",
      iteration, iteration * 64, rest);
}

double Value(const Sample& sample, std::string_view name) {
  for (const Quantity& quantity : sample.quantities) {
    if (quantity.name == name) return quantity.value;
  }
  return -1;
}

TEST(MegatronReaderTest, ReadsFieldsByKeyInTheirUnits) {
  const auto runs = Read("training ...\n" + Line(1) + "noise | x: 1 |\n" + Line(2) + Line(3));
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_TRUE(runs[0].is_complete);
  EXPECT_THAT(runs[0].notes, SizeIs(0));
  ASSERT_THAT(runs[0].samples, SizeIs(3));
  const Sample& sample = runs[0].samples[1];
  EXPECT_EQ(sample.line, 4U);
  EXPECT_EQ(sample.labels.at("iteration"), 2);
  EXPECT_DOUBLE_EQ(Value(sample, "iteration_time"), 1.5005);
  EXPECT_DOUBLE_EQ(Value(sample, "throughput_per_gpu"), 412.5e12);
  EXPECT_DOUBLE_EQ(Value(sample, "consumed_samples"), 128);
  EXPECT_DOUBLE_EQ(Value(sample, "lm_loss"), 9.5);
  EXPECT_DOUBLE_EQ(Value(sample, "gradient_norm"), 1.25);
}

TEST(MegatronReaderTest, KnowsTheOlderFormAndDeepSpeeds) {
  const auto runs = Read(
      " iteration        1/       1 | consumed samples:         2048 | consumed tokens:      4194304 | elapsed time "
      "per "
      "iteration (ms): 76015.3 | learning rate: 1.200E-07 | lm loss: 1.1E+01 | number of skipped iterations:   0 | "
      "samples per second: 26.942 | TFLOPs: 147.61 |\n");
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_DOUBLE_EQ(Value(runs[0].samples[0], "throughput_per_gpu"), 147.61e12);
  EXPECT_DOUBLE_EQ(Value(runs[0].samples[0], "sample_rate"), 26.942);
  EXPECT_DOUBLE_EQ(Value(runs[0].samples[0], "learning_rate"), 1.2e-7);
}

TEST(MegatronReaderTest, AMissingLossIsAnAlarm) {
  const auto runs = Read(Line(1) + Line(2, " grad norm: 1.250 |") + Line(3));
  ASSERT_THAT(runs, SizeIs(1));
  ASSERT_THAT(runs[0].notes, SizeIs(1));
  EXPECT_TRUE(runs[0].notes[0].is_damage);
  EXPECT_THAT(runs[0].notes[0].text, HasSubstr("iteration 2 has no loss"));
}

TEST(MegatronReaderTest, WhatIsCutIsDamage) {
  EXPECT_FALSE(Read(Line(1) + Line(2))[0].is_complete);
  const std::string last = Line(3);
  const auto runs = Read(Line(1) + Line(2) + last.substr(0, last.size() - 4));
  ASSERT_THAT(runs, SizeIs(1));
  ASSERT_FALSE(runs[0].notes.empty());
  EXPECT_THAT(runs[0].notes[0].text, HasSubstr("is cut"));
  EXPECT_THAT(Read(Line(1, " lm loss: nan |"))[0].notes[0].text, HasSubstr("is no figure"));
}

TEST(MegatronReaderTest, AWholeLogOfMarkedLinesPasses) {
  std::string text;
  for (int iteration = 1; iteration <= 3; ++iteration) text += "node-7: " + Line(iteration);
  const auto runs = ReadText(text, "train.log");
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_EQ(runs[0].source.stream, "node-7");
  EXPECT_EQ(base::WorstVerdict(runs[0].findings), base::Verdict::kPass) << runs[0].findings[0].reason;
}

TEST(MegatronReaderTest, ALowerNumberIsAnotherRun) {
  EXPECT_THAT(Read(Line(1) + Line(2) + Line(1)), SizeIs(2));
  EXPECT_THAT(Read("iteration 1 | x\n iteration x/3 | y |\n iteration 1/3\n"), SizeIs(0));
}

}  // namespace
}  // namespace ashlar::bench
