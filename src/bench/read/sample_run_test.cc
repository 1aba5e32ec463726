#include "bench/read/sample_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/read/limits.h"

namespace ashlar::bench {
namespace {

using ::testing::SizeIs;

class SampleRunTest : public testing::Test {
 protected:
  std::vector<RunRecord> records_;
  SampleRun run_{[this](RunRecord record) { records_.push_back(std::move(record)); }, "osu", "the-tool"};
};

TEST_F(SampleRunTest, HandsOutOneRecordAndForgetsIt) {
  run_.Begin({.number = 3, .text = ""}, "latency", "7.4");
  run_.SetLabel("ranks", uint64_t{2});
  run_.SetLabel("link", "IB");
  EXPECT_TRUE(run_.is_open());
  EXPECT_TRUE(run_.Add({.line = 5}));
  run_.Touch({.number = 6, .text = ""});
  run_.End("");
  run_.End("");
  EXPECT_FALSE(run_.is_open());
  ASSERT_THAT(records_, SizeIs(1));
  const RunRecord& record = records_[0];
  EXPECT_EQ(record.dialect, "osu");
  EXPECT_EQ(record.tool, "the-tool");
  EXPECT_EQ(record.test, "latency");
  EXPECT_EQ(record.version, "7.4");
  EXPECT_EQ(record.source.first_line, 3U);
  EXPECT_EQ(record.source.last_line, 6U);
  EXPECT_TRUE(record.is_complete);
  EXPECT_THAT(record.notes, SizeIs(0));
  ASSERT_THAT(record.samples, SizeIs(1));
  EXPECT_EQ(record.samples[0].labels.at("ranks"), 2);
  EXPECT_EQ(record.samples[0].labels.at("link"), "IB");
  run_.Begin({.number = 9, .text = ""}, "bandwidth", "");
  EXPECT_TRUE(run_.Add({.line = 10}));
  run_.End("it was cut");
  ASSERT_THAT(records_, SizeIs(2));
  EXPECT_FALSE(records_[1].is_complete);
  EXPECT_EQ(records_[1].notes.back().text, "it was cut");
  EXPECT_FALSE(records_[1].notes.back().is_damage);
  EXPECT_TRUE(records_[1].samples[0].labels.empty());
}

TEST_F(SampleRunTest, ARowsOwnLabelIsKept) {
  run_.Begin({.number = 1, .text = ""}, "", "");
  run_.SetLabel("group", uint64_t{1});
  EXPECT_TRUE(run_.Add({.line = 2, .labels = {{"group", 7}}}));
  EXPECT_EQ(run_.record().samples[0].labels.at("group"), 7);
}

TEST_F(SampleRunTest, RowsBeyondTheLimitAreDamage) {
  run_.Begin({.number = 1, .text = ""}, "", "");
  for (size_t i = 0; i < kMostSamples; ++i) ASSERT_TRUE(run_.Add({.line = i + 2}));
  EXPECT_THAT(run_.record().notes, SizeIs(0));
  EXPECT_FALSE(run_.Add({.line = kMostSamples + 2}));
  EXPECT_THAT(run_.record().samples, SizeIs(kMostSamples));
  ASSERT_THAT(run_.record().notes, SizeIs(1));
  EXPECT_TRUE(run_.record().notes[0].is_damage);
}

TEST_F(SampleRunTest, NotesAreBoundedAndDamageHasRoomOfItsOwn) {
  run_.Begin({.number = 1, .text = ""}, "", "");
  for (size_t i = 0; i < 2 * kMostNotes; ++i) run_.Note(i, "odd", false);
  EXPECT_THAT(run_.record().notes, SizeIs(kMostNotes));
  for (size_t i = 0; i < 2 * kMostNotes; ++i) run_.Note(i, "cut", true);
  EXPECT_THAT(run_.record().notes, SizeIs(2 * kMostNotes));
  run_.End("why");
  EXPECT_EQ(records_[0].notes.back().text, "why");
}

TEST_F(SampleRunTest, ACutHeadingIsNotOneThatIsUnknown) {
  run_.Begin({.number = 1, .text = ""}, "", "");
  run_.NoteHeading({.number = 2, .text = "# Siz", .is_whole = false});
  run_.NoteHeading({.number = 3, .text = "# Size Odd"});
  EXPECT_EQ(run_.record().notes[0].text, "the text ends inside the table's heading");
  EXPECT_EQ(run_.record().notes[1].text, "this table has a column that is not known");
}

}  // namespace
}  // namespace ashlar::bench
