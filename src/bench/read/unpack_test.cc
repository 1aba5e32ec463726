#include "bench/read/unpack.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

namespace ashlar::bench {
namespace {

constexpr uint64_t kPlenty = 1U << 20U;

std::string Text() {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += fmt::format("line {}\n", i);
  return text;
}

std::string Gzip(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  std::string input = text;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

std::string Zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

TEST(UnpackTest, KnowsTheFormatByItsFirstBytes) {
  const std::string text = Text();
  for (const std::string& packed : {text, Gzip(text), Zstd(text)}) {
    const auto unpacked = Unpack(packed, kPlenty);
    ASSERT_TRUE(unpacked.ok()) << unpacked.status();
    EXPECT_EQ(unpacked->text, text);
    EXPECT_EQ(unpacked->damage, "");
  }
}

TEST(UnpackTest, TakesSeveralMembers) {
  EXPECT_EQ(Unpack(Gzip("a\n") + Gzip("b\n"), kPlenty)->text, "a\nb\n");
  EXPECT_EQ(Unpack(Zstd("a\n") + Zstd("b\n"), kPlenty)->text, "a\nb\n");
}

TEST(UnpackTest, SaysWhereItWasCutAndKeepsWhatCameBefore) {
  const std::string text = Text();
  for (const std::string& packed : {Gzip(text), Zstd(text)}) {
    for (size_t length = 5; length < packed.size(); length += 7) {
      const auto unpacked = Unpack(packed.substr(0, length), kPlenty);
      ASSERT_TRUE(unpacked.ok()) << unpacked.status();
      EXPECT_NE(unpacked->damage, "") << length;
      EXPECT_TRUE(text.starts_with(unpacked->text)) << length;
    }
  }
}

TEST(UnpackTest, EndsAtTheLimit) {
  const std::string text(1000, 'x');
  for (const std::string& packed : {text, Gzip(text), Zstd(text)}) {
    EXPECT_TRUE(Unpack(packed, 1000).ok());
    EXPECT_EQ(Unpack(packed, 999).status().code(), base::StatusCode::kResourceExhausted);
  }
}

TEST(UnpackTest, ALittleOfNothing) {
  EXPECT_EQ(Unpack("", kPlenty)->text, "");
  EXPECT_NE(Unpack("\x1f\x8b", kPlenty)->damage, "");
  EXPECT_NE(Unpack("\x28\xb5\x2f\xfd", kPlenty)->damage, "");
}

}  // namespace
}  // namespace ashlar::bench
