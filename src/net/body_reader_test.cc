#include "net/body_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace ashlar::net {
namespace {

using testing::HasSubstr;

struct Outcome {
  CodecError error;
  bool complete = false;
  size_t used = 0;
  std::string body;
  Headers trailers;
};

Outcome ReadBody(const Framing& framing, size_t limit, std::string_view bytes, size_t piece) {
  BodyReader reader;
  Outcome outcome;
  reader.Start(framing, limit);
  while (outcome.used < bytes.size() && !reader.complete() && reader.error().ok()) {
    outcome.used += reader.Feed(bytes.substr(outcome.used, piece), outcome.body, outcome.trailers);
  }
  outcome.error = reader.error();
  outcome.complete = reader.complete();
  return outcome;
}

Outcome ReadChunks(std::string_view bytes, size_t limit = 100, size_t piece = 1'000'000) {
  return ReadBody({.kind = BodyKind::kChunked}, limit, bytes, piece);
}

struct Row {
  std::string name;
  std::string bytes;
  int status;  // 0: complete
  std::string body;
};

// Grammar: RFC 9112 section 7.1; "2\r\nab\r\n" is one chunk of two bytes.
TEST(BodyReader, ReadsChunksAndRefusesWhatIsNone) {
  const std::vector<Row> rows = {
      {"no digit", "\r\n", 400, "hexadecimal"},
      {"blank before the size", " 2\r\nab\r\n0\r\n\r\n", 400, "hexadecimal"},
      {"blank after the size", "2 \r\nab\r\n0\r\n\r\n", 400, "hexadecimal"},
      {"sign", "+2\r\nab\r\n0\r\n\r\n", 400, "hexadecimal"},
      {"extension without a size", ";a\r\n", 400, "hexadecimal"},
      {"carriage return alone", "2\rab", 400, "carriage return"},
      {"chunk shorter than its bytes", "2\r\nabc\r\n0\r\n\r\n", 400, "longer than its size"},
      {"chunk end with a line feed alone", "2\r\nab\n0\r\n\r\n", 400, "longer than its size"},
      {"chunk end with a carriage return alone", "2\r\nab\r0\r\n\r\n", 400, "longer than its size"},
      {"control character in an extension", "2;a\x01\r\nab\r\n", 400, "control character"},
      {"line feed in an extension", "2;a\nab\r\n", 400, "control character"},
      {"17 digits", "00000000000000002\r\nab\r\n0\r\n\r\n", 400, "too many digits"},
      {"largest size", "ffffffffffffffff\r\n", 413, "longer than the limit"},
      {"trailer with a line feed alone", "0\r\nA: b\n\r\n", 400, "line feed"},
      {"last line with a line feed alone", "0\r\n\n", 400, "line feed"},
      {"trailer without a colon", "0\r\nAb\r\n\r\n", 400, "no colon"},
      {"folded trailer", "0\r\nA: b\r\n c\r\n\r\n", 400, "blank"},
      {"length in a trailer", "0\r\ncontent-length: 1\r\n\r\n", 400, "before the body"},
      {"coding in a trailer", "0\r\nTransfer-Encoding: chunked\r\n\r\n", 400, "before the body"},
      {"credentials in a trailer", "0\r\nAuthorization: x\r\n\r\n", 400, "before the body"},
      {"nothing", "0\r\n\r\n", 0, ""},
      {"two chunks", "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", 0, "abc"},
      {"16 digits", "0000000000000002\r\nab\r\n0\r\n\r\n", 0, "ab"},
      {"both cases", "a\r\n0123456789\r\nA\r\n0123456789\r\n000\r\n\r\n", 0, "01234567890123456789"},
      {"extensions", "2;a=b;c=\"d e\"\r\nab\r\n0;last\r\n\r\n", 0, "ab"},
      {"line ends as content", "4\r\n\r\n\r\n\r\n0\r\n\r\n", 0, "\r\n\r\n"},
  };
  for (const Row& row : rows) {
    const Outcome whole = ReadChunks(row.bytes);
    EXPECT_EQ(whole.error.status, row.status) << row.name << ": " << whole.error.message;
    EXPECT_EQ(whole.complete, row.status == 0) << row.name;
    EXPECT_THAT(row.status == 0 ? whole.body : whole.error.message, HasSubstr(row.body)) << row.name;
    for (size_t piece = 1; piece < row.bytes.size(); ++piece) {
      const Outcome cut = ReadChunks(row.bytes, 100, piece);
      EXPECT_EQ(cut.error.message, whole.error.message) << row.name << " in pieces of " << piece;
      EXPECT_EQ(cut.body, whole.body) << row.name << " in pieces of " << piece;
      EXPECT_EQ(cut.used, whole.used) << row.name << " in pieces of " << piece;
    }
  }
}

TEST(BodyReader, KeepsTrailersApart) {
  const Outcome outcome = ReadChunks("1\r\na\r\n0\r\nX-One: 1\r\nx-one: 2\r\n\r\nrest");
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.trailers, Headers({{"X-One", "1"}, {"x-one", "2"}}));
  EXPECT_EQ(outcome.used, 31U);  // everything but "rest": 3 + 3 + 3 + 10 + 10 + 2
}

TEST(BodyReader, StopsAtTheLength) {
  const Outcome outcome = ReadBody({.kind = BodyKind::kLength, .length = 3}, 3, "abcdef", 2);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.body, "abc");
  EXPECT_EQ(outcome.used, 3U);
}

TEST(BodyReader, EndsWithTheConnectionOnlyWhenAllowed) {
  std::string body;
  Headers trailers;
  BodyReader until_close;
  until_close.Start({.kind = BodyKind::kUntilClose}, 10);
  until_close.Feed("abc", body, trailers);
  EXPECT_FALSE(until_close.complete());
  EXPECT_TRUE(until_close.FinishAtEnd());
  EXPECT_EQ(body, "abc");
  BodyReader length;
  length.Start({.kind = BodyKind::kLength, .length = 3}, 10);
  EXPECT_FALSE(length.FinishAtEnd());
}

TEST(BodyReaderLimits, HoldAtAndOver) {
  BodyReader reader;
  EXPECT_TRUE(reader.Start({.kind = BodyKind::kLength, .length = 4}, 4).ok());
  EXPECT_EQ(reader.Start({.kind = BodyKind::kLength, .length = 5}, 4).status, 413);
  EXPECT_EQ(ReadChunks("2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n", 4).error.status, 0);
  EXPECT_EQ(ReadChunks("2\r\nab\r\n3\r\n", 4).error.status, 413);
  EXPECT_EQ(ReadBody({.kind = BodyKind::kUntilClose}, 4, "abcd", 9).error.status, 0);
  EXPECT_EQ(ReadBody({.kind = BodyKind::kUntilClose}, 4, "abcde", 9).error.status, 413);

  // Counted without the semicolon.
  const auto extension = [](size_t bytes) { return "1;" + std::string(bytes, 'x') + "\r\na\r\n0\r\n\r\n"; };
  EXPECT_EQ(ReadChunks(extension(kMaxChunkExtensionBytes)).error.status, 0);
  EXPECT_EQ(ReadChunks(extension(kMaxChunkExtensionBytes + 1)).error.status, 400);

  // "A: ", its end and the last empty line are 7 bytes.
  const auto trailer = [](size_t bytes) { return "0\r\nA: " + std::string(bytes - 7, 'x') + "\r\n\r\n"; };
  EXPECT_EQ(ReadChunks(trailer(kMaxTrailerBytes)).error.status, 0);
  EXPECT_EQ(ReadChunks(trailer(kMaxTrailerBytes + 1)).error.status, 431);

  std::string many = "0\r\n";
  for (size_t i = 0; i < kMaxHeaderCount; ++i) many += "a:b\r\n";
  EXPECT_EQ(ReadChunks(many + "\r\n").error.status, 0);
  EXPECT_EQ(ReadChunks(many + "a:b\r\n\r\n").error.status, 431);
}

}  // namespace
}  // namespace ashlar::net
