#include "ledger/ed25519.h"

#include <gtest/gtest.h>

namespace ashlar::ledger {
namespace {

struct Rfc8032Row {
  std::string_view name;
  std::string_view public_key;
  std::string_view message;
  std::string_view signature;
};

// RFC 8032 section 7.1, TEST 1 and TEST 2.
constexpr Rfc8032Row kRows[] = {
    {"TEST 1", "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe246"
     "5"
     "5141438e7a100b"},
    {"TEST 2", "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb"
     "0"
     "0d291612bb0c00"},
};

TEST(Ed25519Test, PublishedSignaturesHoldAndAlteredOnesDoNot) {
  for (const Rfc8032Row& row : kRows) {
    const std::string key = *base::HexDecode(row.public_key);
    const std::string message = *base::HexDecode(row.message);
    const std::string signature = *base::HexDecode(row.signature);
    EXPECT_TRUE(SignatureHolds(key, message, signature)) << row.name;
    EXPECT_FALSE(SignatureHolds(key, message + "x", signature)) << row.name;
    for (const size_t at : {size_t{0}, size_t{31}, size_t{32}, size_t{63}}) {
      std::string altered = signature;
      altered[at] = static_cast<char>(altered[at] ^ 1);
      EXPECT_FALSE(SignatureHolds(key, message, altered)) << row.name << " byte " << at;
    }
    EXPECT_FALSE(SignatureHolds(key, message, signature.substr(1))) << row.name;
    EXPECT_FALSE(SignatureHolds(key.substr(1), message, signature)) << row.name;
  }
}

// The private key of RFC 8032 TEST 2 in the PKCS #8 form of RFC 8410 section 7 (a fixed prefix and the 32 bytes).
TEST(Ed25519Test, PublishedPrivateKeyMakesThePublishedSignature) {
  const std::string der = *base::HexDecode(
      "302e020100300506032b6570042204204ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
  const auto key =
      SigningKey::FromPem("-----BEGIN PRIVATE KEY-----\n" + base::Base64Encode(der) + "\n-----END PRIVATE KEY-----\n");
  ASSERT_TRUE(key.ok()) << key.status();
  EXPECT_EQ(base::HexEncode(key->public_key()), kRows[1].public_key);
  const auto signature = key->Sign(*base::HexDecode(kRows[1].message));
  ASSERT_TRUE(signature.ok()) << signature.status();
  EXPECT_EQ(base::HexEncode(*signature), kRows[1].signature);
}

TEST(Ed25519Test, OtherKeysAreRefused) {
  struct Row {
    const char* name;
    std::string pem;
  };
  const std::string x25519 = *base::HexDecode("302e020100300506032b656e04220420" + std::string(64, '4'));
  for (const Row& row :
       {Row{"nothing", ""}, Row{"text", "not a key"}, Row{"cut off", "-----BEGIN PRIVATE KEY-----\nMC4CAQ"},
        Row{"X25519",
            "-----BEGIN PRIVATE KEY-----\n" + base::Base64Encode(x25519) + "\n-----END PRIVATE KEY-----\n"}}) {
    EXPECT_EQ(SigningKey::FromPem(row.pem).status().code(), base::StatusCode::kInvalidArgument) << row.name;
  }
}

TEST(Ed25519Test, NewKeysDifferAndReadBack) {
  const auto one = SigningKey::Generate();
  const auto two = SigningKey::Generate();
  ASSERT_TRUE(one.ok() && two.ok());
  EXPECT_NE(one->public_key(), two->public_key());
  const auto read = SigningKey::FromPem(*one->ToPem());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->public_key(), one->public_key());
  EXPECT_TRUE(SignatureHolds(one->public_key(), "text", *read->Sign("text")));
  EXPECT_FALSE(SignatureHolds(two->public_key(), "text", *read->Sign("text")));
}

}  // namespace
}  // namespace ashlar::ledger
