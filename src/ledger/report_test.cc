#include "ledger/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "ledger/ledger.h"

namespace ashlar::ledger {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ReportTest, EntriesAreRowsAndLongBodiesAreCutBetweenCharacters) {
  const Entry entry{.sequence = 12,
                    .time = absl::FromUnixMicros(1767323045000006),
                    .kind = "node.check",
                    .subject = "a",
                    .actor = "me",
                    .body = base::Json("ü" + std::string(54, 'x') + "üüüüü")};
  const std::string text = FormatEntries(std::span(&entry, 1));
  EXPECT_THAT(text, HasSubstr("sequence  time"));
  // 57 bytes before the dots would end inside the second u-umlaut: a quote, 2, 54, then it.
  EXPECT_THAT(text, HasSubstr("12  2026-01-02T03:04:05.000006Z  node.check  a        me     \"ü" +
                              std::string(54, 'x') + "..."));
  EXPECT_TRUE(base::IsUtf8(text));
}

TEST(ReportTest, EntryAsJsonIsWhatWasHashed) {
  const Entry entry{.sequence = 7,
                    .time = absl::FromUnixMicros(1767323045000006),
                    .kind = "k",
                    .subject = "s",
                    .actor = "a",
                    .body = nullptr};
  EXPECT_EQ(*base::CanonicalJson(EntryToJson(entry)),
            R"({"actor":"a","body":null,"kind":"k","sequence":7,"subject":"s","time":"2026-01-02T03:04:05.000006Z"})");
}

TEST(ReportTest, GoodReportSaysWhatItCannotSay) {
  VerifyReport report{.entries = 600'000, .bytes = 1024, .tree_size = 600'000, .root = "ROOT", .key_source = "KEY"};
  report.elapsed = absl::Seconds(2);
  EXPECT_THAT(FormatReport(report), HasSubstr("600000 entries, 1 KiB, hashed in 2.00 s (300000 entries/s)"));
  EXPECT_THAT(FormatReport(report), HasSubstr("only against a checkpoint"));
  report.checkpoint = "5 entries";
  EXPECT_THAT(FormatReport(report), HasSubstr("extends the checkpoint"));
  EXPECT_THAT(FormatReport(report), Not(HasSubstr("FAULT")));
  EXPECT_EQ(*base::GetString(ReportToJson(report), "verdict"), "pass");
  EXPECT_EQ(*base::GetNumber(ReportToJson(report), "entries_per_second"), 300'000);
}

TEST(ReportTest, FaultsAreShownAndCounted) {
  VerifyReport report;
  report.faults = {{.kind = FaultKind::kEdited, .sequence = 5, .message = "entry 5 was edited"}};
  report.fault_count = 3;
  report.time_went_back = 2;
  report.first_time_went_back = "entry 9";
  const std::string text = FormatReport(report);
  EXPECT_THAT(text, HasSubstr("FAULT edited: entry 5 was edited\nand 2 faults more\n"));
  EXPECT_THAT(text, HasSubstr("time goes back 2 times: entry 9"));
  EXPECT_THAT(text, HasSubstr("does NOT verify"));
  const base::Json json = ReportToJson(report);
  EXPECT_EQ(*base::GetString(json, "verdict"), "fail");
  EXPECT_EQ(base::WriteJson(*base::Find(json, "faults")),
            R"([{"kind":"edited","sequence":5,"message":"entry 5 was edited"}])");
  report.faults.front().sequence = std::nullopt;
  EXPECT_THAT(base::WriteJson(ReportToJson(report)), HasSubstr("\"sequence\":null"));
}

TEST(ReportTest, EveryFaultHasItsOwnName) {
  std::set<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(FaultKind::kDamaged); ++kind) {
    names.insert(FaultKindName(static_cast<FaultKind>(kind)));
  }
  EXPECT_EQ(names.size(), 11U);
}

}  // namespace
}  // namespace ashlar::ledger
