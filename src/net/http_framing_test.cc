#include "net/http_framing.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ashlar::net {
namespace {

struct Row {
  std::string name;
  Headers headers;
  int minor_version;
  int status;  // 0: accepted
  BodyKind kind = BodyKind::kNone;
  uint64_t length = 0;
};

// RFC 9112 section 6.1 to 6.3.
TEST(DecideFraming, KnowsOneReadingOrNone) {
  const std::vector<Row> rows = {
      {"both", Headers({{"Content-Length", "1"}, {"Transfer-Encoding", "chunked"}}), 1, 400},
      {"both in the other order", Headers({{"transfer-encoding", "chunked"}, {"content-length", "1"}}), 1, 400},
      {"coding twice", Headers({{"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "chunked"}}), 1, 400},
      {"coding in HTTP/1.0", Headers({{"Transfer-Encoding", "chunked"}}), 0, 400},
      {"empty element", Headers({{"Transfer-Encoding", "chunked,"}}), 1, 400},
      {"quoted", Headers({{"Transfer-Encoding", "\"chunked\""}}), 1, 400},
      {"unknown coding", Headers({{"Transfer-Encoding", "gzip"}}), 1, 501},
      {"identity", Headers({{"Transfer-Encoding", "identity"}}), 1, 501},
      {"length twice", Headers({{"Content-Length", "1"}, {"Content-Length", "1"}}), 1, 400},
      {"length with a blank inside", Headers({{"Content-Length", "1 1"}}), 1, 400},
      {"length with a fraction", Headers({{"Content-Length", "1.0"}}), 1, 400},
      {"length over 64 bits", Headers({{"Content-Length", "18446744073709551616"}}), 1, 400},
      {"nothing", Headers({{"Host", "a"}}), 1, 0},
      {"length", Headers({{"Content-Length", "12"}}), 1, 0, BodyKind::kLength, 12},
      {"leading zeros", Headers({{"Content-Length", "0012"}}), 1, 0, BodyKind::kLength, 12},
      {"longest", Headers({{"Content-Length", "18446744073709551615"}}), 1, 0, BodyKind::kLength, UINT64_MAX},
      {"chunked", Headers({{"Transfer-Encoding", "Chunked"}}), 1, 0, BodyKind::kChunked},
  };
  for (const Row& row : rows) {
    Framing framing;
    const CodecError error = DecideFraming(row.headers, row.minor_version, framing);
    EXPECT_EQ(error.status, row.status) << row.name << ": " << error.message;
    if (row.status != 0) continue;
    EXPECT_EQ(framing.kind, row.kind) << row.name;
    EXPECT_EQ(framing.length, row.length) << row.name;
  }
}

TEST(KeepsAlive, FollowsVersionAndHeader) {
  EXPECT_TRUE(KeepsAlive(Headers(), 1));
  EXPECT_FALSE(KeepsAlive(Headers(), 0));
  EXPECT_FALSE(KeepsAlive(Headers({{"Connection", "close"}}), 1));
  EXPECT_TRUE(KeepsAlive(Headers({{"Connection", "Keep-Alive"}}), 0));
  EXPECT_FALSE(KeepsAlive(Headers({{"Connection", "keep-alive, close"}}), 0));
}

}  // namespace
}  // namespace ashlar::net
