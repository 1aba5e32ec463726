#include "base/hash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace ashlar::base {
namespace {

// FIPS 180-4 examples (NIST, "SHA-256" example values) and the empty text: `printf '' | sha256sum`.
TEST(Sha256Test, GivesThePublishedDigests) {
  struct Row {
    std::string text;
    const char* digest;
  };
  const Row rows[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {std::string(1'000'000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(HexEncode(Sha256(row.text)), row.digest);
    Sha256Stream stream;
    const size_t half = row.text.size() / 2;
    stream.Update(std::string_view(row.text).substr(0, half));
    stream.Update(std::string_view(row.text).substr(half));
    EXPECT_EQ(HexEncode(stream.Finish()), row.digest);
    // After Finish the stream starts anew.
    stream.Update("abc");
    EXPECT_EQ(HexEncode(stream.Finish()), rows[1].digest);
  }
}

TEST(Sha256Test, ThreadsDoNotDisturbEachOther) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      const Sha256Digest once = Sha256("abc");
      for (int k = 0; k < 200; ++k) EXPECT_EQ(Sha256("abc"), once);
    });
  }
  for (std::jthread& thread : threads) thread.join();
}

TEST(HexTest, RefusesAndReads) {
  for (const char* text : {"0", "0g", "g0", " 0", "0x", "abc"}) {
    EXPECT_EQ(HexDecode(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
  EXPECT_EQ(HexEncode(std::string_view("\x00\x7f\xff", 3)), "007fff");
  EXPECT_EQ(*HexDecode("007fFF"), std::string("\x00\x7f\xff", 3));
  EXPECT_EQ(*HexDecode(""), "");
}

// RFC 4648, section 10.
TEST(Base64Test, GivesThePublishedTexts) {
  struct Row {
    const char* bytes;
    const char* text;
  };
  const Row rows[] = {{"", ""},
                      {"f", "Zg=="},
                      {"fo", "Zm8="},
                      {"foo", "Zm9v"},
                      {"foob", "Zm9vYg=="},
                      {"fooba", "Zm9vYmE="},
                      {"foobar", "Zm9vYmFy"}};
  for (const Row& row : rows) {
    EXPECT_EQ(Base64Encode(row.bytes), row.text);
    ASSERT_TRUE(Base64Decode(row.text).ok()) << row.text;
    EXPECT_EQ(*Base64Decode(row.text), row.bytes);
  }
  const std::string all_bits("\x00\xfb\xff", 3);
  EXPECT_EQ(Base64Encode(all_bits), "APv/");
  EXPECT_EQ(*Base64Decode("APv/"), all_bits);
}

TEST(Base64Test, RefusesAnythingElse) {
  for (const char* text : {"Z", "Zg", "Zg=", "Zg===", "====", "=Zg=", "Zm8=Zm8=", "Zh==", "Zm9=", " Zm9v", "Zm9v\n",
                           "Zm9-", "Zm9_", "Zm\n9v"}) {
    EXPECT_EQ(Base64Decode(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
}

}  // namespace
}  // namespace ashlar::base
