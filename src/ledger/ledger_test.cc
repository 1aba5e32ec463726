// What every store must do alike: appending, reading, proofs, and opening what is not as it should be.
#include "ledger/ledger.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "ledger/ledger_place_testing.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;

const absl::Time kStart = absl::FromUnixSeconds(1767323045);

class LedgerTest : public testing::TestWithParam<PlaceKind> {
 protected:
  void SetUp() override {
    auto place = LedgerPlace::Make(GetParam());
    ASSERT_TRUE(place.ok()) << place.status();
    place_ = std::make_unique<LedgerPlace>(*std::move(place));
  }
  std::unique_ptr<Ledger> OpenOrDie() {
    auto ledger = place_->Open(clock_);
    EXPECT_TRUE(ledger.ok()) << ledger.status();
    return ledger.ok() ? *std::move(ledger) : nullptr;
  }

  base::FakeClock clock_{kStart};
  std::unique_ptr<LedgerPlace> place_;
};

INSTANTIATE_TEST_SUITE_P(Stores, LedgerTest, testing::Values(PlaceKind::kSqlite, PlaceKind::kPostgres),
                         [](const auto& row) { return std::string(PlaceKindName(row.param)); });

TEST_P(LedgerTest, EmptyLedgerAnswers) {
  const auto ledger = OpenOrDie();
  ASSERT_NE(ledger, nullptr);
  EXPECT_EQ(*ledger->Size(), 0U);
  EXPECT_TRUE(ledger->Read({})->empty());
  EXPECT_EQ(*ledger->Latest("test.entry", ""), std::nullopt);
  EXPECT_EQ(ledger->SignHead().status().code(), StatusCode::kNotFound);
  EXPECT_EQ(ledger->InclusionProof(0, 0).status().code(), StatusCode::kOutOfRange);
  const auto report = ledger->Verify({});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->ok());
  EXPECT_EQ(report->entries, 0U);
}

TEST_P(LedgerTest, EntriesComeBackAsTheyWereAppended) {
  auto ledger = OpenOrDie();
  ASSERT_NE(ledger, nullptr);
  const base::Json body = {{"text", "tab\t newline\n backslash \\ ümläut \xF0\x9F\x98\x80 zero \\u0000"},
                           {"numbers", {1, -2.5, 1e300, 0}},
                           {"nothing", nullptr},
                           {"deep", {{"list", {true, false}}}}};
  const auto entry = ledger->Append({.kind = "test.entry", .subject = "a\\b \"c\" ü", .actor = "me", .body = body});
  ASSERT_TRUE(entry.ok()) << entry.status();
  EXPECT_EQ(entry->sequence, 0U);
  EXPECT_EQ(entry->time, kStart);
  for (int pass = 0; pass < 2; ++pass) {
    const auto entries = ledger->Read({.subject = "a\\b \"c\" ü"});
    ASSERT_TRUE(entries.ok()) << entries.status();
    ASSERT_EQ(entries->size(), 1U);
    EXPECT_EQ(entries->front().body, body);
    EXPECT_EQ(entries->front().actor, "me");
    EXPECT_EQ(entries->front().time, kStart);
    ledger = OpenOrDie();  // and once more from a new connection
    ASSERT_NE(ledger, nullptr);
  }
}

TEST_P(LedgerTest, ReadsSelect) {
  const auto ledger = OpenOrDie();
  ASSERT_NE(ledger, nullptr);
  for (int i = 0; i < 6; ++i) {
    Draft draft = TestDraft(i);
    draft.kind = i % 2 == 0 ? "even" : "odd";
    draft.subject = i < 3 ? "low" : "high";
    ASSERT_TRUE(ledger->Append(draft).ok());
  }
  struct Row {
    const char* name;
    Query query;
    std::vector<uint64_t> sequences;
  };
  const Row rows[] = {
      {"all", {}, {0, 1, 2, 3, 4, 5}},
      {"newest first", {.newest_first = true}, {5, 4, 3, 2, 1, 0}},
      {"kind", {.kind = "even"}, {0, 2, 4}},
      {"subject", {.subject = "high"}, {3, 4, 5}},
      {"kind and subject", {.kind = "odd", .subject = "high"}, {3, 5}},
      {"from", {.from_sequence = 4}, {4, 5}},
      {"from, kind", {.kind = "odd", .from_sequence = 2}, {3, 5}},
      {"limit", {.limit = 2}, {0, 1}},
      {"limit, newest first", {.kind = "even", .limit = 2, .newest_first = true}, {4, 2}},
      {"no entries", {.limit = 0}, {}},
      {"beyond the end", {.from_sequence = ~uint64_t{0}}, {}},
      {"unknown kind", {.kind = "none"}, {}},
      {"injection", {.kind = "even' OR '1'='1"}, {}},
      {"at the limit", {.limit = kMaxReadEntries}, {0, 1, 2, 3, 4, 5}},
  };
  for (const Row& row : rows) {
    const auto entries = ledger->Read(row.query);
    ASSERT_TRUE(entries.ok()) << row.name << entries.status();
    std::vector<uint64_t> sequences;
    for (const Entry& entry : *entries) sequences.push_back(entry.sequence);
    EXPECT_EQ(sequences, row.sequences) << row.name;
  }
  EXPECT_EQ(ledger->Read({.limit = kMaxReadEntries + 1}).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ((*ledger->Latest("even", "low"))->sequence, 2U);
  EXPECT_EQ((*ledger->Latest("odd", ""))->sequence, 5U);
}

TEST_P(LedgerTest, RefusedDraftsLeaveNothing) {
  const auto ledger = OpenOrDie();
  ASSERT_NE(ledger, nullptr);
  EXPECT_EQ(ledger->Append({.kind = "", .subject = "s", .actor = "a"}).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(*ledger->Size(), 0U);
}

TEST_P(LedgerTest, ProofsHoldOnlyForWhatTheyAreAbout) {
  const auto ledger = OpenOrDie();
  ASSERT_NE(ledger, nullptr);
  ASSERT_TRUE(Fill(*ledger, 600).ok());
  const auto key = ParseVerifierKey(ledger->VerifierKey());
  ASSERT_TRUE(key.ok()) << key.status();
  for (const uint64_t sequence : {0, 1, 255, 256, 300, 511, 512, 599}) {
    const auto proof = ledger->ProveEntry(sequence);
    ASSERT_TRUE(proof.ok()) << proof.status();
    const auto fact = VerifyProof(base::WriteJson(*proof), *key);
    ASSERT_TRUE(fact.ok()) << sequence << ": " << fact.status();
    EXPECT_EQ(fact->checkpoint.tree_size, 600U);
    base::Json altered = *proof;
    altered.at("sequence") = sequence + 1;
    EXPECT_FALSE(VerifyProof(base::WriteJson(altered), *key).ok());
  }
  for (const uint64_t from : {1, 2, 255, 256, 257, 511, 512, 599, 600}) {
    const auto proof = ledger->ProveConsistency(from, 600);
    ASSERT_TRUE(proof.ok()) << proof.status();
    const auto fact = VerifyProof(base::WriteJson(*proof), *key);
    EXPECT_TRUE(fact.ok()) << from << ": " << fact.status();
  }
  EXPECT_EQ(ledger->ProveEntry(600).status().code(), StatusCode::kOutOfRange);
  EXPECT_EQ(ledger->InclusionProof(3, 601).status().code(), StatusCode::kOutOfRange);
  EXPECT_EQ(ledger->ConsistencyProof(0, 5).status().code(), StatusCode::kOutOfRange);
  EXPECT_EQ(ledger->ConsistencyProof(6, 5).status().code(), StatusCode::kOutOfRange);
  EXPECT_EQ(ledger->ConsistencyProof(5, 601).status().code(), StatusCode::kOutOfRange);
  EXPECT_EQ(ledger->ProveConsistency(5, 300).status().code(), StatusCode::kOutOfRange);
}

TEST_P(LedgerTest, TwoLedgersOnOnePlaceShareTheSequence) {
  const auto one = OpenOrDie();
  const auto two = OpenOrDie();
  ASSERT_TRUE(one != nullptr && two != nullptr);
  for (uint64_t i = 0; i < 20; ++i) {
    const auto entry = (i % 2 == 0 ? *one : *two).Append(TestDraft(static_cast<int64_t>(i)));
    ASSERT_TRUE(entry.ok()) << entry.status();
    EXPECT_EQ(entry->sequence, i);
  }
  EXPECT_EQ(one->VerifierKey(), two->VerifierKey());
  EXPECT_TRUE(one->Verify({})->ok());
}

TEST_P(LedgerTest, SeveralProcessesAndThreadsAppendAtOnce) {
  constexpr int kProcesses = 4;
  constexpr uint64_t kEach = 40;
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      // They also race for making key and tables.
      const auto ledger = place_->Open();
      _exit(ledger.ok() && Fill(**ledger, kEach).ok() ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  const auto ledger = OpenOrDie();
  ASSERT_NE(ledger, nullptr);
  EXPECT_EQ(*ledger->Size(), kProcesses * kEach);
  const auto report = ledger->Verify({});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->ok()) << report->faults.front().message;
}

TEST_P(LedgerTest, ReadersDoNotWaitForWriters) {
  const auto ledger = OpenOrDie();
  ASSERT_NE(ledger, nullptr);
  ASSERT_TRUE(Fill(*ledger, 10).ok());
  std::vector<std::jthread> readers;
  for (size_t i = 0; i < 2 * kMaxReaders; ++i) {
    readers.emplace_back([&ledger] {
      for (int k = 0; k < 10; ++k) {
        EXPECT_TRUE(ledger->Latest("test.entry", "host").ok());
        EXPECT_TRUE(ledger->Verify({})->ok()) << "each reading is of one state";
      }
    });
  }
  EXPECT_TRUE(Fill(*ledger, 200).ok());
  for (std::jthread& reader : readers) reader.join();
  EXPECT_EQ(*ledger->Size(), 210U);
}

TEST_P(LedgerTest, ReadOnlyNeverWrites) {
  Options options = place_->options();
  options.read_only = true;
  EXPECT_EQ(Ledger::Open(options, clock_).status().code(), StatusCode::kNotFound);
  ASSERT_TRUE(Fill(*OpenOrDie(), 3).ok());
  const auto ledger = Ledger::Open(options, clock_);
  ASSERT_TRUE(ledger.ok()) << ledger.status();
  EXPECT_EQ((*ledger)->Append(TestDraft(1)).status().code(), StatusCode::kPermissionDenied);
  EXPECT_EQ(*(*ledger)->Size(), 3U);
  EXPECT_EQ((*ledger)->Verify({})->key_source, options.key_path);
  options.key_path += ".elsewhere";
  const auto keyless = Ledger::Open(options, clock_);
  ASSERT_TRUE(keyless.ok()) << keyless.status();
  EXPECT_EQ((*keyless)->Verify({})->key_source, "the database itself");
}

TEST_P(LedgerTest, MissingLedgerIsNotMadeUnlessAsked) {
  Options options = place_->options();
  options.create = false;
  EXPECT_EQ(Ledger::Open(options, clock_).status().code(), StatusCode::kNotFound);
}

TEST_P(LedgerTest, KeyMustBeTheLedgersOwn) {
  ASSERT_TRUE(Fill(*OpenOrDie(), 3).ok());
  const std::string path = place_->options().key_path;
  ASSERT_EQ(::rename(path.c_str(), (path + ".kept").c_str()), 0);
  EXPECT_EQ(place_->Open().status().code(), StatusCode::kFailedPrecondition) << "missing";
  const auto other = LedgerPlace::Make(PlaceKind::kSqlite);
  ASSERT_TRUE(other.ok() && other->Open().ok());
  ASSERT_EQ(::rename(other->options().key_path.c_str(), path.c_str()), 0);
  EXPECT_EQ(place_->Open().status().code(), StatusCode::kFailedPrecondition) << "foreign";
  ASSERT_EQ(::rename((path + ".kept").c_str(), path.c_str()), 0);
  EXPECT_TRUE(place_->Open().ok());
}

TEST_P(LedgerTest, AppendRefusesALedgerThatSomebodyChanged) {
  struct Row {
    const char* name;
    const char* sql;
  };
  const auto ledger = OpenOrDie();
  ASSERT_NE(ledger, nullptr);
  ASSERT_TRUE(Fill(*ledger, 5).ok());
  ASSERT_TRUE(place_->RunSql("DELETE FROM entries WHERE sequence = 4").ok());
  EXPECT_EQ(ledger->Append(TestDraft(9)).status().code(), StatusCode::kDataLoss) << "cut off";
  ASSERT_TRUE(place_->RunSql("UPDATE head SET tree_size = 4").ok());
  EXPECT_EQ(ledger->Append(TestDraft(9)).status().code(), StatusCode::kDataLoss) << "head edited";
  ASSERT_TRUE(place_->RunSql("DELETE FROM head").ok());
  EXPECT_EQ(ledger->Append(TestDraft(9)).status().code(), StatusCode::kDataLoss) << "head removed";
}

TEST_P(LedgerTest, TimeMayGoBack) {
  const auto ledger = OpenOrDie();
  ASSERT_NE(ledger, nullptr);
  ASSERT_TRUE(ledger->Append(TestDraft(0)).ok());
  clock_.Step(-absl::Hours(1));
  ASSERT_TRUE(ledger->Append(TestDraft(1)).ok());
  const auto report = ledger->Verify({});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->ok());
  EXPECT_EQ(report->time_went_back, 1U);
  EXPECT_EQ(report->first_time_went_back,
            "entry 1 is of 2026-01-02T02:04:05.000000Z, the one before of 2026-01-02T03:04:05.000000Z");
}

TEST(LedgerUrlTest, WrongUrlsAreRefusedWithoutTheirPassword) {
  for (const char* url : {"", "sqlite:", ":memory:", "mysql://u:secret@h/d", "postgresql://u:secret@[h/d"}) {
    const auto ledger = Ledger::Open({.url = url}, base::SystemClock());
    EXPECT_EQ(ledger.status().code(), StatusCode::kInvalidArgument) << url;
    EXPECT_EQ(std::string(base::Message(ledger.status())).find("secret"), std::string::npos) << ledger.status();
  }
}

TEST(LedgerUrlTest, SilentServerIsUnavailable) {
  const auto folder = os::TemporaryDirectory::Create();
  const auto ledger = Ledger::Open(
      {.url = "postgresql:///d?user=u&host=" + folder->path(), .key_path = folder->path() + "/k"}, base::SystemClock());
  EXPECT_EQ(ledger.status().code(), StatusCode::kUnavailable) << ledger.status();
}

}  // namespace
}  // namespace ashlar::ledger
