#include "ledger/entry_codec.h"

#include <gtest/gtest.h>

#include "ledger/limits.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;

constexpr const char* kTime = "2026-01-02T03:04:05.000006Z";

Draft GoodDraft() {
  return {.kind = "node.check", .subject = "a \"quoted\" host", .actor = "ashlar up", .body = {{"b", 1}, {"a", "ü"}}};
}

base::Json Nested(size_t depth) {
  base::Json json = base::JsonArray{};
  for (size_t i = 1; i < depth; ++i) json = base::JsonArray{json};
  return json;
}

TEST(EntryCodecTest, BytesAreTheDocumentedOnes) {
  const auto prepared = PrepareDraft(GoodDraft());
  ASSERT_TRUE(prepared.ok()) << prepared.status();
  // By hand from docs/formats/ledger.md.
  const std::string expected =
      R"({"actor":"ashlar up","body":{"a":"ü","b":1},"kind":"node.check","sequence":7,"subject":"a \"quoted\" host",)"
      R"("time":"2026-01-02T03:04:05.000006Z"})";
  EXPECT_EQ(CompleteEntry(*prepared, 7, kTime), expected);
  EXPECT_EQ(*base::CanonicalJson(*base::ParseJson(expected)), expected) << "canonical as a whole";
}

TEST(EntryCodecTest, EntriesReadBack) {
  const std::string bytes = CompleteEntry(*PrepareDraft(GoodDraft()), 7, kTime);
  const auto entry = ParseEntry(bytes);
  ASSERT_TRUE(entry.ok()) << entry.status();
  EXPECT_EQ(entry->sequence, 7U);
  EXPECT_EQ(absl::ToUnixMicros(entry->time), 1767323045000006);  // date -u -d 2026-01-02T03:04:05 +%s
  EXPECT_EQ(entry->kind, "node.check");
  EXPECT_EQ(entry->subject, "a \"quoted\" host");
  EXPECT_EQ(entry->actor, "ashlar up");
  EXPECT_EQ(entry->body, GoodDraft().body);
}

TEST(EntryCodecTest, ScanShowsTheMembers) {
  const std::string bytes = CompleteEntry(*PrepareDraft(GoodDraft()), 9007199254740991, kTime);
  EntryView view;
  ASSERT_TRUE(ScanEntry(bytes, view));
  EXPECT_EQ(view.kind, "node.check");
  EXPECT_EQ(view.sequence, 9007199254740991U);
  EXPECT_EQ(view.time, kTime);
  EXPECT_TRUE(IsQuoted(view.subject, "a \"quoted\" host"));
  EXPECT_FALSE(IsQuoted(view.subject, "a quoted host"));
  EXPECT_FALSE(IsQuoted("\"ab\"", "ac"));
}

TEST(EntryCodecTest, DraftsThatBreakTheRulesAreRefused) {
  struct Row {
    const char* name;
    StatusCode code;
    std::function<void(Draft&)> change;
  };
  const Row rows[] = {
      {"no kind", StatusCode::kInvalidArgument, [](Draft& draft) { draft.kind = ""; }},
      {"capital in kind", StatusCode::kInvalidArgument, [](Draft& draft) { draft.kind = "Node"; }},
      {"blank in kind", StatusCode::kInvalidArgument, [](Draft& draft) { draft.kind = "a b"; }},
      {"long kind", StatusCode::kInvalidArgument, [](Draft& draft) { draft.kind = std::string(65, 'k'); }},
      {"no subject", StatusCode::kInvalidArgument, [](Draft& draft) { draft.subject = ""; }},
      {"newline in subject", StatusCode::kInvalidArgument, [](Draft& draft) { draft.subject = "a\nb"; }},
      {"zero in subject", StatusCode::kInvalidArgument, [](Draft& draft) { draft.subject = std::string(1, '\0'); }},
      {"long subject", StatusCode::kInvalidArgument, [](Draft& draft) { draft.subject = std::string(257, 's'); }},
      {"broken UTF-8", StatusCode::kInvalidArgument, [](Draft& draft) { draft.actor = "\xFF"; }},
      {"no actor", StatusCode::kInvalidArgument, [](Draft& draft) { draft.actor = ""; }},
      {"not a number", StatusCode::kInvalidArgument, [](Draft& draft) { draft.body = std::nan(""); }},
      {"beyond 2^53", StatusCode::kInvalidArgument, [](Draft& draft) { draft.body = 9007199254740993; }},
      {"broken UTF-8 in body", StatusCode::kInvalidArgument, [](Draft& draft) { draft.body = "\xFF"; }},
      {"deep body", StatusCode::kInvalidArgument, [](Draft& draft) { draft.body = Nested(kMaxBodyDepth + 1); }},
      {"large body", StatusCode::kResourceExhausted,
       [](Draft& draft) { draft.body = boost::json::string(kMaxEntryBytes, 'x'); }},
  };
  for (const Row& row : rows) {
    Draft draft = GoodDraft();
    row.change(draft);
    EXPECT_EQ(PrepareDraft(std::move(draft)).status().code(), row.code) << row.name;
  }
}

TEST(EntryCodecTest, DraftsAtTheLimitsReadBack) {
  Draft draft = GoodDraft();
  draft.kind = std::string(kMaxKindBytes, 'k');
  draft.subject = std::string(kMaxNameBytes, 's');
  draft.body = Nested(kMaxBodyDepth);
  EXPECT_TRUE(ParseEntry(CompleteEntry(*PrepareDraft(draft), 0, kTime)).ok());

  draft.body = "";
  const size_t rest = CompleteEntry(*PrepareDraft(draft), kMaxTreeSize, kTime).size();
  draft.body = boost::json::string(kMaxEntryBytes - rest, 'x');
  auto prepared = PrepareDraft(draft);
  ASSERT_TRUE(prepared.ok()) << prepared.status();
  EXPECT_EQ(CompleteEntry(*prepared, kMaxTreeSize, kTime).size(), kMaxEntryBytes);
  draft.body.get_string().push_back('x');
  EXPECT_EQ(PrepareDraft(draft).status().code(), StatusCode::kResourceExhausted);
}

TEST(EntryCodecTest, OtherBytesAreNoEntry) {
  const std::string good =
      R"({"actor":"a","body":1,"kind":"k","sequence":7,"subject":"s","time":"2026-01-02T03:04:05.000006Z"})";
  ASSERT_TRUE(ParseEntry(good).ok());
  struct Row {
    std::string_view part;
    std::string_view replacement;
  };
  for (const Row& row : {Row{"\"actor\"", "\"Actor\""}, Row{"1", " 1"}, Row{"7", "7.5"}, Row{"7", "-7"}, Row{"7", "07"},
                         Row{"7", "\"7\""}, Row{"\"s\"", "5"}, Row{"T", " "}, Row{"06Z", "6Z"}, Row{"Z\"}", "Z\"} "},
                         Row{"Z\"}", "Z\",\"zone\":1}"}, Row{"000006", "00000x"}}) {
    std::string bytes = good;
    bytes.replace(bytes.find(row.part), row.part.size(), row.replacement);
    EXPECT_EQ(ParseEntry(bytes).status().code(), StatusCode::kDataLoss) << bytes;
  }
  for (size_t length = 0; length < good.size(); ++length) {
    EXPECT_FALSE(ParseEntry(good.substr(0, length)).ok()) << length;
  }
}

}  // namespace
}  // namespace ashlar::ledger
