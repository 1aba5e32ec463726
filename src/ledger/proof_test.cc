#include "ledger/proof.h"

#include <gtest/gtest.h>

#include "ledger/checkpoint_writer.h"
#include "ledger/entry_codec.h"
#include "ledger/limits.h"
#include "ledger/merkle.h"
#include "ledger/proof_writer.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;

// Two entries; the tree over them is NodeHash of both leaves, the path of each the other's leaf (RFC 6962 2.1).
class ProofTest : public testing::Test {
 protected:
  ProofTest() : key_(*SigningKey::Generate()) {
    for (uint64_t i = 0; i < 2; ++i) {
      const auto prepared = PrepareDraft({.kind = "k", .subject = "s", .actor = "a", .body = i});
      entries_.push_back(CompleteEntry(*prepared, i, "2026-01-02T03:04:05.000006Z"));
    }
    const base::Sha256Digest root = NodeHash(LeafHash(entries_[0]), LeafHash(entries_[1]));
    checkpoint_ = *ParseCheckpoint(*WriteCheckpoint("test", {.size = 2, .root = root}, key_));
    inclusion_ = WriteInclusionProof(entries_[0], {LeafHash(entries_[1])}, checkpoint_);
    consistency_ =
        WriteConsistencyProof({.size = 1, .root = LeafHash(entries_[0])}, {LeafHash(entries_[1])}, checkpoint_);
  }
  base::StatusOr<ProvenFact> Verify(const base::Json& proof) const {
    return VerifyProof(base::WriteJson(proof), {.name = "test", .public_key = key_.public_key()});
  }

  SigningKey key_;
  std::vector<std::string> entries_;
  Checkpoint checkpoint_;
  base::Json inclusion_;
  base::Json consistency_;
};

TEST_F(ProofTest, GoodProofsHold) {
  const auto inclusion = Verify(inclusion_);
  ASSERT_TRUE(inclusion.ok()) << inclusion.status();
  EXPECT_EQ(inclusion->statement, "entry 0 (k, 2026-01-02T03:04:05.000006Z) is in ledger test of 2 entries");
  const auto consistency = Verify(consistency_);
  ASSERT_TRUE(consistency.ok()) << consistency.status();
  EXPECT_EQ(consistency->checkpoint.tree_size, 2U);
}

TEST_F(ProofTest, ChangedMembersAreRefused) {
  struct Row {
    const char* name;
    bool is_inclusion;
    const char* member;
    base::Json value;
    StatusCode code;
  };
  const base::Json other_hash = base::Json(base::Base64Encode(std::string(32, 'x')));
  const Row rows[] = {
      {"schema", true, "schema", "other/1", StatusCode::kInvalidArgument},
      {"schema type", true, "schema", 1, StatusCode::kInvalidArgument},
      {"other entry", true, "entry", base::Json(entries_[1]), StatusCode::kDataLoss},
      {"edited entry", true, "entry", base::Json(entries_[0] + " "), StatusCode::kDataLoss},
      {"sequence", true, "sequence", 1, StatusCode::kDataLoss},
      {"negative sequence", true, "sequence", -1, StatusCode::kInvalidArgument},
      {"tree size", true, "tree_size", 3, StatusCode::kDataLoss},
      {"huge tree size", true, "tree_size", 9007199254740993, StatusCode::kInvalidArgument},
      {"no hashes", true, "hashes", base::JsonArray{}, StatusCode::kDataLoss},
      {"wrong hash", true, "hashes", base::JsonArray{other_hash}, StatusCode::kDataLoss},
      {"short hash", true, "hashes", base::JsonArray{"AAAA"}, StatusCode::kInvalidArgument},
      {"hash type", true, "hashes", base::JsonArray{1}, StatusCode::kInvalidArgument},
      {"hashes type", true, "hashes", "x", StatusCode::kInvalidArgument},
      {"checkpoint", true, "checkpoint", "x", StatusCode::kInvalidArgument},
      {"earlier root", false, "from_root", other_hash, StatusCode::kDataLoss},
      {"earlier root malformed", false, "from_root", "?", StatusCode::kInvalidArgument},
      {"earlier size", false, "from_tree_size", 2, StatusCode::kDataLoss},
      {"earlier size zero", false, "from_tree_size", 0, StatusCode::kDataLoss},
      {"inclusion called consistency", true, "schema", "ashlar.ledger.consistency/1", StatusCode::kInvalidArgument},
      {"consistency called inclusion", false, "schema", "ashlar.ledger.inclusion/1", StatusCode::kInvalidArgument},
  };
  for (const Row& row : rows) {
    base::Json proof = row.is_inclusion ? inclusion_ : consistency_;
    proof.get_object()[row.member] = row.value;
    EXPECT_EQ(Verify(proof).status().code(), row.code) << row.name;
  }
}

TEST_F(ProofTest, MissingMembersAreRefused) {
  for (const base::Json* good : {&inclusion_, &consistency_}) {
    for (const auto& member : good->get_object()) {
      base::Json proof = *good;
      proof.get_object().erase(member.key());
      EXPECT_EQ(Verify(proof).status().code(), StatusCode::kInvalidArgument) << std::string(member.key());
    }
  }
}

TEST_F(ProofTest, ForeignKeyIsRefused) {
  const SigningKey other = *SigningKey::Generate();
  EXPECT_EQ(
      VerifyProof(base::WriteJson(inclusion_), {.name = "test", .public_key = other.public_key()}).status().code(),
      StatusCode::kDataLoss);
}

TEST_F(ProofTest, LimitsHold) {
  base::JsonArray hashes;
  for (size_t i = 0; i < kMaxProofHashes; ++i) hashes.emplace_back(base::Base64Encode(std::string(32, 'x')));
  base::Json proof = inclusion_;
  proof.get_object()["hashes"] = hashes;
  EXPECT_EQ(Verify(proof).status().code(), StatusCode::kDataLoss) << "read, but wrong";
  hashes.emplace_back(hashes.front());
  proof.get_object()["hashes"] = hashes;
  EXPECT_EQ(Verify(proof).status().code(), StatusCode::kInvalidArgument);
  const VerifierKey key{.name = "test", .public_key = key_.public_key()};
  EXPECT_EQ(VerifyProof(std::string(kMaxProofBytes, ' '), key).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(VerifyProof(std::string(kMaxProofBytes + 1, ' '), key).status().code(), StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace ashlar::ledger
