#include "ledger/committer.h"

#include <gtest/gtest.h>

#include "ledger/checkpoint_writer.h"
#include "ledger/ledger_place_testing.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;

class OpenHeadTest : public testing::Test {
 protected:
  OpenHeadTest() : key_(*SigningKey::Generate()) {
    for (int i = 0; i < 3; ++i) tree_.Append(LeafHash(fmt::format("{}", i)), nullptr);
    head_ = {.tree_size = 3,
             .frontier = tree_.Serialise(),
             .note = *WriteCheckpoint("n", {.size = 3, .root = tree_.Root()}, key_)};
  }
  base::StatusOr<Frontier> Open() const { return OpenHead(head_, {.name = "n", .public_key = key_.public_key()}); }

  SigningKey key_;
  Frontier tree_;
  StoredHead head_;
};

TEST_F(OpenHeadTest, GoodHeadOpens) {
  const auto tree = Open();
  ASSERT_TRUE(tree.ok()) << tree.status();
  EXPECT_EQ(tree->Root(), tree_.Root());
}

TEST_F(OpenHeadTest, PartsThatDoNotFitAreDataLoss) {
  const StoredHead good = head_;
  head_.tree_size = 5;  // as many peaks as 3
  EXPECT_EQ(Open().status().code(), StatusCode::kDataLoss) << "size";
  head_ = good;
  head_.tree_size = 4;
  EXPECT_EQ(Open().status().code(), StatusCode::kDataLoss) << "number of peaks";
  head_ = good;
  head_.frontier.front() = static_cast<char>(head_.frontier.front() ^ 1);
  EXPECT_EQ(Open().status().code(), StatusCode::kDataLoss) << "peaks";
  head_ = good;
  head_.note.replace(head_.note.find("\n3\n"), 3, "\n4\n");
  EXPECT_EQ(Open().status().code(), StatusCode::kDataLoss) << "note";
  head_ = good;
  head_.note = *WriteCheckpoint("n", {.size = 3, .root = tree_.Root()}, *SigningKey::Generate());
  EXPECT_EQ(Open().status().code(), StatusCode::kDataLoss) << "foreign key";
}

// A database that takes everything and fails to commit.
class UnsureStore : public Store {
 public:
  base::Status BeginWrite() override { return base::OkStatus(); }
  base::Status CreateTables() override { return base::OkStatus(); }
  base::Status WriteIdentity(const Identity&) override { return base::OkStatus(); }
  base::Status Write(const Batch& batch) override {
    last_size = batch.head.tree_size;
    return base::OkStatus();
  }
  base::Status Commit() override { return base::Error(StatusCode::kUnavailable, "the connection broke"); }
  base::Status BeginRead() override { return base::OkStatus(); }
  void EndTransaction() override { ++ended; }
  base::StatusOr<std::optional<int64_t>> SchemaVersion() override { return kSchemaVersion; }
  base::StatusOr<std::optional<Identity>> ReadIdentity() override { return std::nullopt; }
  base::StatusOr<std::optional<StoredHead>> ReadHead() override { return std::nullopt; }
  base::StatusOr<uint64_t> End() override { return 0; }
  base::Status Search(const Query&, const RowCallback&) override { return base::OkStatus(); }
  base::Status ScanAll(const RowCallback&) override { return base::OkStatus(); }
  base::StatusOr<std::vector<base::Sha256Digest>> ReadHashes(uint32_t, uint64_t, uint64_t) override {
    return std::vector<base::Sha256Digest>();
  }
  base::Status ScanNodes(const NodeCallback&) override { return base::OkStatus(); }
  std::string Name() const override { return "unsure"; }

  uint64_t last_size = 0;
  int ended = 0;
};

TEST(CommitterTest, FailedCommitIsReportedAsUnknownAndNotBuiltUpon) {
  auto owned = std::make_unique<UnsureStore>();
  UnsureStore& store = *owned;
  SigningKey key = *SigningKey::Generate();
  const Identity identity{.origin = "n", .public_key = key.public_key()};
  Committer committer(std::move(owned), identity, std::move(key), base::SystemClock());
  for (int i = 0; i < 2; ++i) {
    PendingAppend append;
    append.prepared = *PrepareDraft(TestDraft(i));
    PendingAppend* const batch[] = {&append};
    const base::Status status = committer.Commit(batch);
    EXPECT_EQ(status.code(), StatusCode::kUnavailable);
    EXPECT_NE(base::Message(status).find("outcome is unknown"), std::string_view::npos) << status;
    EXPECT_EQ(store.last_size, 1U) << "the next one begins where the database says";
    EXPECT_EQ(store.ended, i + 1);
  }
}

}  // namespace
}  // namespace ashlar::ledger
