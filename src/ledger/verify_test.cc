// What somebody can do to the tables with another tool, and what `verify` says about it.
#include <gtest/gtest.h>

#include <bit>

#include "ledger/ledger.h"
#include "ledger/ledger_place_testing.h"
#include "ledger/merkle.h"
#include "ledger/store.h"

namespace ashlar::ledger {
namespace {

// Two groups of 256 and 88 more; the right edge holds subtrees of 512, 64, 16 and 8 entries.
constexpr uint64_t kEntries = 600;

struct Tampering {
  const char* name;
  std::vector<std::string> sql;
  std::vector<FaultKind> kinds;  // of the faults, in order
  std::vector<std::optional<uint64_t>> sequences;
};

class VerifyTest : public testing::TestWithParam<PlaceKind> {
 protected:
  void SetUp() override {
    auto place = LedgerPlace::Make(GetParam());
    ASSERT_TRUE(place.ok()) << place.status();
    place_ = std::make_unique<LedgerPlace>(*std::move(place));
    const auto ledger = place_->Open();
    ASSERT_TRUE(ledger.ok()) << ledger.status();
    ASSERT_TRUE(Fill(**ledger, kEntries).ok());
    verifier_key_ = (*ledger)->VerifierKey();
  }

  VerifyReport Verify(const VerifyOptions& options = {}) const {
    Options reading = place_->options();
    reading.read_only = true;
    const auto ledger = Ledger::Open(reading, base::SystemClock());
    EXPECT_TRUE(ledger.ok()) << ledger.status();
    if (!ledger.ok()) return {};
    const auto report = (*ledger)->Verify(options);
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *report : VerifyReport{};
  }

  static std::string Messages(const VerifyReport& report) {
    std::string text;
    for (const Fault& fault : report.faults) {
      text += fmt::format("{}: {}\n", FaultKindName(fault.kind), fault.message);
    }
    return text;
  }

  // SQL that changes an entry's value and makes the stored leaf fit.
  std::vector<std::string> EditWithLeaf(uint64_t sequence) const {
    std::string bytes = *place_->EntryBytes(sequence);
    bytes.replace(bytes.find("\"value\":1"), 9, "\"value\":2");
    return {
        fmt::format("UPDATE entries SET bytes = replace(bytes, '\"value\":1', '\"value\":2'), leaf = {} WHERE "
                    "sequence = {}",
                    place_->BytesLiteral(base::AsBytes(LeafHash(bytes))), sequence)};
  }

  void Expect(const Tampering& row, const VerifyOptions& options = {}) {
    for (const std::string& sql : row.sql) {
      const auto done = place_->RunSql(sql);
      ASSERT_TRUE(done.ok()) << done;
    }
    const VerifyReport report = Verify(options);
    EXPECT_FALSE(report.ok()) << row.name;
    std::vector<FaultKind> kinds;
    std::vector<std::optional<uint64_t>> sequences;
    for (const Fault& fault : report.faults) {
      kinds.push_back(fault.kind);
      sequences.push_back(fault.sequence);
      EXPECT_FALSE(fault.message.empty());
    }
    EXPECT_EQ(kinds, row.kinds) << row.name << "\n" << Messages(report);
    EXPECT_EQ(sequences, row.sequences) << row.name << "\n" << Messages(report);
    EXPECT_EQ(report.fault_count, kinds.size());
  }

  std::unique_ptr<LedgerPlace> place_;
  std::string verifier_key_;
};

INSTANTIATE_TEST_SUITE_P(Stores, VerifyTest, testing::Values(PlaceKind::kSqlite, PlaceKind::kPostgres),
                         [](const auto& row) { return std::string(PlaceKindName(row.param)); });

TEST_P(VerifyTest, UntouchedLedgerVerifies) {
  const VerifyReport report = Verify();
  EXPECT_TRUE(report.ok()) << Messages(report);
  EXPECT_EQ(report.entries, kEntries);
  EXPECT_EQ(report.tree_size, kEntries);
}

TEST_P(VerifyTest, EditedEntriesAreNamed) {
  Expect({"bytes",
          {"UPDATE entries SET bytes = replace(bytes, '\"value\":1', '\"value\":2') WHERE sequence IN (5, 300, 599)"},
          {FaultKind::kEdited, FaultKind::kEdited, FaultKind::kEdited},
          {5, 300, 599}});
}

TEST_P(VerifyTest, EntryThatIsNoJsonAnyMoreIsNamed) {
  Expect({"not JSON", {"UPDATE entries SET bytes = 'x' WHERE sequence = 17"}, {FaultKind::kEdited}, {17}});
}

TEST_P(VerifyTest, EditedLeafHashIsNamed) {
  Expect({"leaf",
          {fmt::format("UPDATE entries SET leaf = {} WHERE sequence IN (7, 598)",
                       place_->BytesLiteral(std::string(32, 'x')))},
          {FaultKind::kColumns, FaultKind::kColumns},
          {7, 598}});
}

TEST_P(VerifyTest, EntryEditedWithItsLeafIsFoundByItsGroup) {
  Expect({"bytes and leaf", EditWithLeaf(300), {FaultKind::kEdited}, {256}});
}

TEST_P(VerifyTest, LateEntryEditedWithItsLeafIsFoundByTheSignedEdge) {
  // 600 = 512 + 64 + 16 + 8: entry 599 is in the last subtree, from 592.
  Expect({"bytes and leaf", EditWithLeaf(599), {FaultKind::kEdited}, {592}});
}

TEST_P(VerifyTest, EntryEditedWithAllHashesIsFoundByTheSignedEdge) {
  std::vector<std::string> sql = EditWithLeaf(300);
  const auto store = OpenStore(place_->options().url, {.create = false, .read_only = true});
  ASSERT_TRUE(store.ok());
  auto leaves = (*store)->ReadHashes(0, 256, 512);
  std::string bytes = *place_->EntryBytes(300);
  bytes.replace(bytes.find("\"value\":1"), 9, "\"value\":2");
  (*leaves)[300 - 256] = LeafHash(bytes);
  Frontier group;
  for (const auto& leaf : *leaves) group.Append(leaf, nullptr);
  sql.push_back(fmt::format("UPDATE nodes SET hash = {} WHERE level = 8 AND position = 1",
                            place_->BytesLiteral(base::AsBytes(group.Root()))));
  Expect({"bytes, leaf and group", sql, {FaultKind::kEdited}, {0}});
}

TEST_P(VerifyTest, DroppedEntriesAreNamed) {
  Expect({"middle and first of a group",
          {"DELETE FROM entries WHERE sequence IN (5, 256, 257)"},
          {FaultKind::kDropped, FaultKind::kDropped},
          {5, 256}});
  EXPECT_NE(Messages(Verify()).find("entries 256 to 257 are missing"), std::string::npos);
}

TEST_P(VerifyTest, DroppingDoesNotHideAnEdit) {
  Expect({"drop and edit",
          {"DELETE FROM entries WHERE sequence = 5",
           "UPDATE entries SET bytes = replace(bytes, '\"value\":1', '\"value\":2') WHERE sequence IN (6, 400)"},
          {FaultKind::kDropped, FaultKind::kEdited, FaultKind::kEdited},
          {5, 6, 400}});
}

TEST_P(VerifyTest, SwappedEntriesAreNamed) {
  Expect(
      {"whole rows",
       {"UPDATE entries SET sequence = 10000 WHERE sequence = 3", "UPDATE entries SET sequence = 3 WHERE sequence = 4",
        "UPDATE entries SET sequence = 4 WHERE sequence = 10000"},
       {FaultKind::kReordered, FaultKind::kReordered},
       {3, 4}});
  EXPECT_NE(Messages(Verify()).find("in the place of entry 3 stands entry 4"), std::string::npos);
}

TEST_P(VerifyTest, ClosedGapIsNamed) {
  // One entry removed, the later ones moved up to hide it: by ones would collide, so over a detour.
  Expect({"moved up",
          {"DELETE FROM entries WHERE sequence = 597",
           "UPDATE entries SET sequence = sequence + 9999 WHERE sequence > 597",
           "UPDATE entries SET sequence = sequence - 10000 WHERE sequence > 10000"},
          {FaultKind::kReordered, FaultKind::kReordered, FaultKind::kTruncated},
          {597, 598, 599}});
}

TEST_P(VerifyTest, CutOffEntriesAreNamed) {
  Expect({"cut", {"DELETE FROM entries WHERE sequence >= 400"}, {FaultKind::kTruncated}, {400}});
}

TEST_P(VerifyTest, HeadCutDownWithTheEntriesIsFound) {
  Expect({"cut, size edited",
          {"DELETE FROM entries WHERE sequence >= 400", "UPDATE head SET tree_size = 400"},
          {FaultKind::kColumns, FaultKind::kTruncated},
          {std::nullopt, 400}});
}

TEST_P(VerifyTest, EverythingRemovedIsFound) {
  Expect({"all entries", {"DELETE FROM entries", "DELETE FROM nodes"}, {FaultKind::kTruncated}, {0}});
}

TEST_P(VerifyTest, RemovedHeadIsFound) {
  Expect({"no head", {"DELETE FROM head"}, {FaultKind::kUnsigned}, {std::nullopt}});
}

TEST_P(VerifyTest, AddedEntriesAreFound) {
  Expect({"copy at the end",
          {"INSERT INTO entries SELECT 600, leaf, kind, subject, bytes FROM entries WHERE sequence = 5"},
          {FaultKind::kUnsigned},
          {600}});
}

TEST_P(VerifyTest, ImpossibleNumbersAreFound) {
  Expect({"negative and huge",
          {"INSERT INTO entries SELECT -5, leaf, kind, subject, bytes FROM entries WHERE sequence = 5",
           "UPDATE entries SET sequence = 9000000000000000000 WHERE sequence = 599"},
          {FaultKind::kUnsigned, FaultKind::kTruncated},
          {uint64_t(-5), 599}});
}

TEST_P(VerifyTest, EditedColumnsAreNamed) {
  Expect({"kind",
          {"UPDATE entries SET kind = 'other' WHERE sequence = 9",
           "UPDATE entries SET subject = 'other' WHERE sequence = 10"},
          {FaultKind::kColumns, FaultKind::kColumns},
          {9, 10}});
}

TEST_P(VerifyTest, EditedTreeHashesAreNamed) {
  Expect({"node",
          {fmt::format("UPDATE nodes SET hash = {} WHERE position = 1", place_->BytesLiteral(std::string(32, 'x')))},
          {FaultKind::kColumns},
          {256}});
}

TEST_P(VerifyTest, EditedEdgeIsFound) {
  Expect({"frontier",
          {fmt::format("UPDATE head SET frontier = {}", place_->BytesLiteral(std::string(128, 'x')))},
          {FaultKind::kColumns},
          {std::nullopt}});
}

TEST_P(VerifyTest, ForeignIdentityIsFound) {
  Expect({"key",
          {fmt::format("UPDATE identity SET public_key = {}", place_->BytesLiteral(std::string(32, 'x')))},
          {FaultKind::kHeadSignature},
          {std::nullopt}});
}

TEST_P(VerifyTest, EditedNoteIsFound) {
  Expect({"note", {"UPDATE head SET note = replace(note, '600', '601')"}, {FaultKind::kHeadSignature}, {std::nullopt}});
}

TEST_P(VerifyTest, FaultsAreCountedBeyondTheLimit) {
  ASSERT_TRUE(place_->RunSql("UPDATE entries SET bytes = replace(bytes, '\"value\":1', '\"value\":2')").ok());
  const VerifyReport report = Verify();
  EXPECT_EQ(report.fault_count, kEntries);
  EXPECT_EQ(report.faults.size(), kMaxFaults);
}

TEST_P(VerifyTest, ReadingNamesAnEditedEntry) {
  ASSERT_TRUE(
      place_->RunSql("UPDATE entries SET bytes = replace(bytes, '\"value\":1', '\"value\":2') WHERE sequence = 5")
          .ok());
  const auto ledger = place_->Open();
  ASSERT_TRUE(ledger.ok());
  const auto entries = (*ledger)->Read({});
  EXPECT_EQ(entries.status().code(), base::StatusCode::kDataLoss);
  EXPECT_NE(base::Message(entries.status()).find("entry 5"), std::string_view::npos);
  EXPECT_TRUE((*ledger)->Read({.from_sequence = 6}).ok());
}

// Put back as it once was, with its old head: only a checkpoint kept elsewhere can tell.
TEST_P(VerifyTest, OldCopyPutBackNeedsACheckpoint) {
  const auto store = OpenStore(place_->options().url, {.create = false});
  ASSERT_TRUE(store.ok());
  const auto old_head = (*store)->ReadHead();
  const auto ledger = place_->Open();
  ASSERT_TRUE(Fill(**ledger, 10).ok());
  const std::string checkpoint = (*ledger)->SignHead()->note;
  EXPECT_TRUE(Verify({.checkpoint = checkpoint, .verifier_key = verifier_key_}).ok());

  ASSERT_TRUE(place_->RunSql("DELETE FROM entries WHERE sequence >= 600").ok());
  ASSERT_TRUE((*store)->BeginWrite().ok());
  ASSERT_TRUE((*store)->Write({.head = **old_head}).ok());
  ASSERT_TRUE((*store)->Commit().ok());
  EXPECT_TRUE(Verify().ok()) << "it is what it was";
  Expect({"with the checkpoint", {}, {FaultKind::kTruncated}, {600}}, {.checkpoint = checkpoint});

  // Grown again with other entries, it does not extend the checkpoint either.
  ASSERT_TRUE(Fill(**place_->Open(), 20).ok());
  EXPECT_TRUE(Verify().ok());
  Expect({"another history", {}, {FaultKind::kRewritten}, {std::nullopt}}, {.checkpoint = checkpoint});
}

TEST_P(VerifyTest, ForeignOrMalformedCheckpointsAreNotTaken) {
  const auto other = LedgerPlace::Make(PlaceKind::kSqlite);
  ASSERT_TRUE(other.ok());
  const auto ledger = other->Open();
  ASSERT_TRUE(Fill(**ledger, 1).ok());
  Expect({"foreign", {}, {FaultKind::kHeadSignature}, {std::nullopt}}, {.checkpoint = (*ledger)->SignHead()->note});
  EXPECT_EQ((*place_->Open())->Verify({.checkpoint = "?"}).status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_EQ((*place_->Open())->Verify({.verifier_key = "?"}).status().code(), base::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace ashlar::ledger
