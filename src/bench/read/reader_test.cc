#include "bench/read/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "bench/read/dialect.h"
#include "bench/read/limits.h"

namespace ashlar::bench {
namespace {

using base::Verdict;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const char* const kSample = ASHLAR_SOURCE_ROOT "/src/bench/read/testdata/all_reduce_2_17.log";

std::string Sample() { return os::ReadWholeFile(os::RealFileSystem(), kSample, {base::kMiB}).value(); }

std::string Marked(std::string_view mark, const std::string& text) {
  std::string marked;
  for (std::string_view line : base::SplitLines(text)) marked += fmt::format("{}{}\n", mark, line);
  return marked;
}

TEST(ReadTextTest, TellsTheStreamsOfALogApart) {
  const std::string noise = "[1,1]<stdout>:node-2:9:9 [1] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB\n";
  std::string mixed;
  const std::string tagged = Marked("[1,0]<stdout>:", Sample());
  for (std::string_view line : base::SplitLines(tagged)) mixed += std::string(line) + "\n" + noise;
  const auto runs = ReadText(mixed, "mixed.log");
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_EQ(runs[0].source.stream, "[1,0]<stdout>");
  EXPECT_EQ(base::WorstVerdict(runs[0].findings), Verdict::kPass);
}

TEST(ReadTextTest, CopiesWithoutMpiAreNamed) {
  std::string one = Sample();
  for (int rank = 1; rank < 4; ++rank) {
    const size_t at = one.find(fmt::format("#  Rank  {}", rank));
    one.erase(at, one.find('\n', at) + 1 - at);
  }
  const auto runs = ReadText(Marked("0: ", one) + Marked("1: ", one), "copies.log");
  ASSERT_THAT(runs, SizeIs(2));
  for (const RunRecord& run : runs) {
    const auto ranks = std::find_if(run.findings.begin(), run.findings.end(),
                                    [](const base::Finding& finding) { return finding.id == "read-ranks"; });
    ASSERT_NE(ranks, run.findings.end());
    EXPECT_EQ(ranks->verdict, Verdict::kUnknown);
    EXPECT_THAT(ranks->reason, HasSubstr("2 copies of the program"));
  }
}

TEST(ReadTextTest, LineEndsOfWindowsAndLongLinesDoNoHarm) {
  std::string text;
  const std::string sample = Sample();
  for (std::string_view line : base::SplitLines(sample)) text += std::string(line) + "\r\n";
  text.insert(0, std::string(kLongestLine + 1, '#') + "\n");
  const auto runs = ReadText(text, "a.log");
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_EQ(base::WorstVerdict(runs[0].findings), Verdict::kPass);
}

TEST(ReadResultsTest, ReadsFoldersAndStandardInput) {
  const auto folder = os::TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  auto& files = os::RealFileSystem();
  ASSERT_TRUE(files.CreateDirectories(folder->path() + "/below").ok());
  ASSERT_TRUE(os::WriteFileDurably(files, folder->path() + "/below/a.log", Sample()).ok());
  ASSERT_TRUE(os::WriteFileDurably(files, folder->path() + "/b.log", Sample()).ok());
  const ReadReport report = ReadResults(files, {folder->path(), "-"}, Sample());
  EXPECT_THAT(report.problems, SizeIs(0));
  ASSERT_THAT(report.runs, SizeIs(3));
  EXPECT_EQ(report.runs[2].source.path, "-");
  EXPECT_EQ(report.files, 3U);
  EXPECT_EQ(ReadVerdict(report), Verdict::kPass);
}

TEST(ReadResultsTest, WhatCannotBeReadIsAProblemAndNeverAPass) {
  const auto folder = os::TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  auto& files = os::RealFileSystem();
  const std::string nothing = folder->path() + "/nothing.log";
  ASSERT_TRUE(os::WriteFileDurably(files, nothing, "hello\n").ok());
  const ReadReport report = ReadResults(files, {kSample, nothing, folder->path() + "/absent", "/dev/null"}, "");
  EXPECT_THAT(report.runs, SizeIs(1));
  ASSERT_THAT(report.problems, SizeIs(3));
  EXPECT_THAT(report.problems[0].reason, HasSubstr("no result"));
  EXPECT_THAT(report.problems[2].reason, HasSubstr("neither"));
  EXPECT_EQ(ReadVerdict(report), Verdict::kUnknown);
  EXPECT_EQ(ReadVerdict(ReadReport()), Verdict::kUnknown);
}

TEST(ReadResultsTest, ADocumentThatIsCutSaysSo) {
  const ReadReport report = ReadResults(os::RealFileSystem(), {"-"}, "{\"version\": 3, \"results\": [");
  ASSERT_THAT(report.problems, SizeIs(1));
  EXPECT_THAT(report.problems[0].reason, HasSubstr("no whole JSON document"));
}

TEST(ReadReportToJsonTest, IsStorableAndHasUnits) {
  std::string text = Sample();
  text.replace(text.find("node-1"), 1, "\xFF");
  const ReadReport report = ReadResults(os::RealFileSystem(), {"-"}, text);
  const base::Json json = ReadReportToJson(report);
  ASSERT_TRUE(base::CanonicalJson(json).ok());
  const base::Json& run = json.at("runs").at(0);
  const base::Json& row = run.at("collective").at("rows").at(0);
  EXPECT_EQ(row.at("out_of_place").at("time_seconds"), 100.00 * 1e-6);
  EXPECT_EQ(row.at("out_of_place").at("busbw_bytes_per_second"), 15.73 * 1e9);
  EXPECT_EQ(json.at("verdict"), "pass");
}

TEST(DialectsTest, EveryRowMakesAReaderThatTakesNothingForNothing) {
  for (const DialectRow& row : Dialects()) {
    EXPECT_NE(row.make == nullptr, row.take_document == nullptr) << row.id;
    if (row.take_document != nullptr) {
      row.take_document(nullptr, [&row](const RunRecord&) { ADD_FAILURE() << row.id; });
      row.take_document(base::JsonObject{}, [&row](const RunRecord&) { ADD_FAILURE() << row.id; });
      continue;
    }
    const auto reader = row.make([&row](const RunRecord&) { ADD_FAILURE() << row.id; });
    reader->Take({.number = 1, .text = "nothing"});
    reader->Finish();
  }
}

}  // namespace
}  // namespace ashlar::bench
