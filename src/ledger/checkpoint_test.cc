#include "ledger/checkpoint.h"

#include <gtest/gtest.h>

#include "ledger/checkpoint_writer.h"
#include "ledger/limits.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;

// The example key and note of the format's first implementation (golang.org/x/mod/sumdb/note, package documentation).
constexpr std::string_view kPublishedKey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
constexpr std::string_view kPublishedText =
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
constexpr std::string_view kPublishedSignature =
    "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=";

class CheckpointTest : public testing::Test {
 protected:
  CheckpointTest() : key_(*SigningKey::Generate()) {
    const auto written = WriteCheckpoint("ashlar.ledger/test", {.size = 42, .root = base::Sha256("root")}, key_);
    if (written.ok()) note_ = *written;
  }
  VerifierKey Verifier() const { return {.name = "ashlar.ledger/test", .public_key = key_.public_key()}; }

  SigningKey key_;
  std::string note_;
};

TEST(VerifierKeyTest, PublishedKeyReadsAndWritesBack) {
  const auto key = ParseVerifierKey(kPublishedKey);
  ASSERT_TRUE(key.ok()) << key.status();
  EXPECT_EQ(key->name, "PeterNeumann");
  EXPECT_EQ(WriteVerifierKey(*key), kPublishedKey);
  // The published signature: four bytes of key hash, then Ed25519 over the text.
  const std::string signature = *base::Base64Decode(kPublishedSignature);
  EXPECT_EQ(base::HexEncode(signature.substr(0, 4)), "c74f20a3");
  EXPECT_TRUE(SignatureHolds(key->public_key, kPublishedText, signature.substr(4)));
}

TEST(VerifierKeyTest, MalformedKeysAreRefused) {
  for (const char* text :
       {"", "name", "name+c74f20a3", "PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "Peter Neumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10T",
        "PeterNeumann+c74f20a3+Ahpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+C74F20A3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW\n\n"}) {
    EXPECT_EQ(ParseVerifierKey(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
}

TEST_F(CheckpointTest, WrittenNoteOpens) {
  const auto opened = OpenCheckpoint(note_, Verifier());
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_EQ(opened->origin, "ashlar.ledger/test");
  EXPECT_EQ(opened->tree_size, 42U);
  EXPECT_EQ(opened->root, base::Sha256("root"));
  EXPECT_EQ(opened->note, note_);
}

// The bytes that docs/formats/ledger.md promises. The root by `printf root | openssl dgst -sha256 -binary | base64`.
TEST_F(CheckpointTest, NoteHasTheDocumentedForm) {
  EXPECT_TRUE(
      note_.starts_with("ashlar.ledger/test\n42\nSBNJTRN+FjG7owHVrKtue7eqdM4RhdRWVl71HXN2d7I=\n\n"
                        "\u2014 ashlar.ledger/test "))
      << note_;
  EXPECT_EQ(note_.back(), '\n');
}

TEST_F(CheckpointTest, WitnessedNoteOpens) {
  const auto opened = OpenCheckpoint(note_ + "\u2014 witness.example AAAAAAAA\n", Verifier());
  EXPECT_TRUE(opened.ok()) << opened.status();
}

TEST_F(CheckpointTest, AnyChangedByteIsRefused) {
  for (size_t i = 0; i < note_.size(); ++i) {
    std::string altered = note_;
    altered[i] = static_cast<char>(altered[i] ^ 1);
    EXPECT_FALSE(OpenCheckpoint(altered, Verifier()).ok()) << "byte " << i;
  }
}

TEST_F(CheckpointTest, ForeignSignaturesAreDataLoss) {
  const SigningKey other = *SigningKey::Generate();
  const std::string forged = *WriteCheckpoint("ashlar.ledger/test", {.size = 42, .root = base::Sha256("root")}, other);
  EXPECT_EQ(OpenCheckpoint(forged, Verifier()).status().code(), StatusCode::kDataLoss);
  const std::string renamed = *WriteCheckpoint("ashlar.ledger/other", {.size = 42, .root = base::Sha256("root")}, key_);
  EXPECT_EQ(OpenCheckpoint(renamed, Verifier()).status().code(), StatusCode::kDataLoss);
}

TEST_F(CheckpointTest, MalformedNotesAreRefused) {
  const std::string root = "SBNJTRN+FjG7owHVrKtue7eqdM4RhdRWVl71HXN2d7I=";
  const std::string signature = "\n\u2014 n AAAA\n";
  struct Row {
    const char* name;
    std::string note;
  };
  const Row rows[] = {
      {"nothing", ""},
      {"no signature", "n\n1\n" + root + "\n"},
      {"empty signature part", "n\n1\n" + root + "\n\n"},
      {"last line not ended", "n\n1\n" + root + "\n" + signature.substr(0, signature.size() - 1)},
      {"signature without dash", "n\n1\n" + root + "\n\nn AAAA\n"},
      {"two lines", "n\n1\n" + signature},
      {"four lines", "n\n1\n" + root + "\nmore\n" + signature},
      {"name with a blank", "n n\n1\n" + root + "\n" + signature},
      {"empty name", "\n1\n" + root + "\n" + signature},
      {"size with a sign", "n\n+1\n" + root + "\n" + signature},
      {"size with a leading zero", "n\n01\n" + root + "\n" + signature},
      {"size over the limit", "n\n9007199254740993\n" + root + "\n" + signature},
      {"root too short", "n\n1\nAAAA\n" + signature},
      {"root not Base64", "n\n1\n?" + root.substr(1) + "\n" + signature},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ParseCheckpoint(row.note).status().code(), StatusCode::kInvalidArgument) << row.name;
  }
  EXPECT_TRUE(ParseCheckpoint("n\n9007199254740992\n" + root + "\n" + signature).ok()) << "2^53 is the limit";
}

TEST_F(CheckpointTest, LimitsHold) {
  std::string note = note_;
  while (note.size() + 11 <= kMaxNoteBytes) note += "\u2014 w AAAA\n";
  EXPECT_EQ(ParseCheckpoint(note + std::string(kMaxNoteBytes, 'x')).status().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(ParseCheckpoint(note).status().code(), StatusCode::kInvalidArgument) << "more than 16 signatures";
  std::string sixteen = note_;
  for (int i = 0; i < 15; ++i) sixteen += "\u2014 w AAAA\n";
  EXPECT_TRUE(ParseCheckpoint(sixteen).ok());
  EXPECT_EQ(ParseCheckpoint(sixteen + "\u2014 w AAAA\n").status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace ashlar::ledger
