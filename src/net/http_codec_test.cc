#include "net/http_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "net/framing_matrix_testing.h"

namespace ashlar::net {
namespace {

using Phase = MessageParser::Phase;
using testing::HasSubstr;

constexpr std::string_view kHead = "GET / HTTP/1.1\r\nHost: a\r\n";

template <typename Parser>
size_t FeedInPieces(Parser& parser, std::string_view bytes, size_t piece) {
  size_t used = 0;
  while (used < bytes.size()) {
    const std::string_view part = bytes.substr(used, piece);
    const size_t taken = parser.Feed(part);
    used += taken;
    if (taken < part.size()) break;
  }
  return used;
}

// Statuses: the right-hand column of the framing matrix that the server is built to (RFC 9112 sections 6 and 7).
TEST(RequestParser, AnswersTheFramingMatrix) {
  EXPECT_EQ(FramingMatrix().size(), 30U);
  for (const FramingCase& row : FramingMatrix()) {
    RequestParser parser;
    parser.Feed(row.bytes);
    if (row.status == 200) {
      EXPECT_EQ(parser.phase(), Phase::kComplete) << row.name;
      EXPECT_EQ(parser.request().body, "hello, world!") << row.name;
    } else {
      EXPECT_EQ(parser.phase(), Phase::kFailed) << row.name;
      EXPECT_EQ(parser.error().status, row.status) << row.name;
      EXPECT_FALSE(parser.error().message.empty()) << row.name;
    }
    EXPECT_EQ(parser.keep_alive(), !row.closes) << row.name;
  }
}

TEST(RequestParser, GivesTheSameAtEveryCut) {
  for (const FramingCase& row : FramingMatrix()) {
    RequestParser whole;
    const size_t used = whole.Feed(row.bytes);
    const size_t step = row.bytes.size() > 10'000 ? 997 : 1;
    for (size_t cut = 0; cut <= row.bytes.size(); cut += step) {
      RequestParser parser;
      size_t taken = parser.Feed(std::string_view(row.bytes).substr(0, cut));
      taken += parser.Feed(std::string_view(row.bytes).substr(taken));
      ASSERT_EQ(parser.phase(), whole.phase()) << row.name << " cut at " << cut;
      ASSERT_EQ(parser.error().status, whole.error().status) << row.name << " cut at " << cut;
      ASSERT_EQ(parser.error().message, whole.error().message) << row.name << " cut at " << cut;
      ASSERT_EQ(taken, used) << row.name << " cut at " << cut;
      ASSERT_EQ(parser.request().body, whole.request().body) << row.name << " cut at " << cut;
      ASSERT_EQ(parser.request().headers, whole.request().headers) << row.name << " cut at " << cut;
    }
  }
}

struct RefusalRow {
  std::string name;
  std::string bytes;
  int status;
  std::string message;
};

// Statuses from RFC 9110 section 15.5 and RFC 9112 sections 2 and 3.
TEST(RequestParser, RefusesMalformedHeads) {
  const std::vector<RefusalRow> rows = {
      {"no version", "GET /\r\n", 400, "METHOD TARGET VERSION"},
      {"no target", "GET HTTP/1.1\r\n", 400, "METHOD TARGET VERSION"},
      {"empty target", "GET  HTTP/1.1\r\n", 400, "target is empty"},
      {"two empty lines first", "\r\n\r\nGET / HTTP/1.1\r\n", 400, "METHOD TARGET VERSION"},
      {"method no token", "G@T / HTTP/1.1\r\n", 400, "no token"},
      {"method of 33 letters", std::string(33, 'A') + " / HTTP/1.1\r\n", 501, "longer"},
      {"lower-case name of the protocol", "GET / http/1.1\r\n", 400, "version is malformed"},
      {"version with two digits", "GET / HTTP/1.10\r\n", 400, "version is malformed"},
      {"HTTP/2", "GET / HTTP/2.0\r\n", 505, "only HTTP/1.0 and HTTP/1.1"},
      {"HTTP/1.2", "GET / HTTP/1.2\r\n", 505, "only HTTP/1.0 and HTTP/1.1"},
      {"blank in the target", "GET /a b HTTP/1.1\r\n", 400, "may not hold"},
      {"tab in the target", "GET /a\tb HTTP/1.1\r\n", 400, "may not hold"},
      {"fragment", "GET /a#b HTTP/1.1\r\n", 400, "may not hold"},
      {"relative target", "GET a HTTP/1.1\r\n", 400, "neither a path nor"},
      {"asterisk without OPTIONS", "GET * HTTP/1.1\r\n", 400, "neither a path nor"},
      {"other scheme", "GET ftp://a/ HTTP/1.1\r\n", 400, "neither a path nor"},
      {"CONNECT", "CONNECT a:443 HTTP/1.1\r\n", 501, "CONNECT"},
      {"header without a colon", std::string(kHead) + "Nonsense\r\n", 400, "no colon"},
      {"blank in a header name", std::string(kHead) + "A B: c\r\n", 400, "header name"},
      {"escape in a header value", std::string(kHead) + "A: \x1b[0m\r\n", 400, "control character"},
      {"empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", 400, "no host"},
      {"host with a user name", "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", 400, "no host"},
      {"host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400, "no host"},
      {"two hosts in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", 400, "more than one Host"},
      {"target and host differ", "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n", 400, "different hosts"},
      {"other expectation", std::string(kHead) + "Expect: 200-ok\r\n\r\n", 417, "100-continue"},
      {"gzip", std::string(kHead) + "Transfer-Encoding: gzip, chunked\r\n\r\n", 501, "chunked"},
      {"chunked twice in one header", std::string(kHead) + "Transfer-Encoding: chunked, chunked\r\n\r\n", 400, "last"},
      {"empty transfer encoding", std::string(kHead) + "Transfer-Encoding:\r\n\r\n", 400, "list of codings"},
      {"negative content length", std::string(kHead) + "Content-Length: -1\r\n\r\n", 400, "decimal"},
      {"hexadecimal content length", std::string(kHead) + "Content-Length: 0x1\r\n\r\n", 400, "decimal"},
      {"content length of 2^64", std::string(kHead) + "Content-Length: 18446744073709551616\r\n\r\n", 400, "decimal"},
  };
  for (const RefusalRow& row : rows) {
    RequestParser parser;
    parser.Feed(row.bytes);
    EXPECT_EQ(parser.error().status, row.status) << row.name;
    EXPECT_THAT(parser.error().message, HasSubstr(row.message)) << row.name;
    EXPECT_EQ(parser.Feed("x"), 0U) << row.name;
  }
}

TEST(RequestParser, ReadsEveryPart) {
  RequestParser parser;
  const std::string bytes =
      "POST /v1/a?b=c HTTP/1.1\r\nHost: a:8080\r\nx-twice: 1\r\nX-Twice:\t two \t\r\nX-Empty:\r\n"
      "Transfer-Encoding: CHUNKED\r\n\r\n3;name=\"value\"\r\nabc\r\n00A\r\n0123456789\r\n0\r\nX-Sum: 7\r\n\r\nGET ";
  const size_t used = parser.Feed(bytes);
  ASSERT_EQ(parser.phase(), Phase::kComplete) << parser.error().message;
  EXPECT_EQ(bytes.substr(used), "GET ");
  EXPECT_TRUE(parser.keep_alive());
  const Request request = parser.Take();
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.target, "/v1/a?b=c");
  EXPECT_EQ(request.minor_version, 1);
  EXPECT_EQ(request.headers, Headers({{"Host", "a:8080"},
                                      {"x-twice", "1"},
                                      {"X-Twice", "two"},
                                      {"X-Empty", ""},
                                      {"Transfer-Encoding", "CHUNKED"}}));
  EXPECT_EQ(request.body, "abc0123456789");
  EXPECT_EQ(request.trailers, Headers({{"X-Sum", "7"}}));
  EXPECT_EQ(parser.phase(), Phase::kStartLine);
  EXPECT_FALSE(parser.started());
}

TEST(RequestParser, ReadsPipelinedRequestsOneByOne) {
  const std::string bytes =
      "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n";
  for (size_t piece = 1; piece < bytes.size(); ++piece) {
    RequestParser parser;
    std::vector<std::string> targets;
    size_t used = 0;
    while (used < bytes.size()) {
      const std::string_view part = std::string_view(bytes).substr(used, piece);
      used += parser.Feed(part);
      ASSERT_NE(parser.phase(), Phase::kFailed) << parser.error().message;
      if (parser.phase() == Phase::kComplete) targets.push_back(parser.Take().target);
    }
    EXPECT_EQ(targets, (std::vector<std::string>{"/1", "/2"})) << "pieces of " << piece;
  }
}

struct KeepAliveRow {
  std::string name;
  std::string bytes;
  bool keep_alive;
};

// RFC 9112 section 9.3.
TEST(RequestParser, DecidesAboutTheConnection) {
  const std::vector<KeepAliveRow> rows = {
      {"1.1", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", true},
      {"1.1 close", "GET / HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n", false},
      {"1.1 close in a list", "GET / HTTP/1.1\r\nHost: a\r\nConnection: te, close\r\n\r\n", false},
      {"1.1 close in a second header", "GET / HTTP/1.1\r\nHost: a\r\nConnection: te\r\nConnection: close\r\n\r\n",
       false},
      {"1.0", "GET / HTTP/1.0\r\n\r\n", false},
      {"1.0 keep-alive", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true},
      {"whole URL", "GET HTTP://A/x HTTP/1.1\r\nHost: a\r\n\r\n", true},
      {"options", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", true},
      {"empty line first", "\r\nGET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", true},
  };
  for (const KeepAliveRow& row : rows) {
    RequestParser parser;
    parser.Feed(row.bytes);
    EXPECT_EQ(parser.phase(), Phase::kComplete) << row.name << ": " << parser.error().message;
    EXPECT_EQ(parser.keep_alive(), row.keep_alive) << row.name;
  }
}

TEST(RequestParser, KnowsWhoWaitsForContinue) {
  const auto expects = [](std::string_view bytes) {
    RequestParser parser;
    parser.Feed(bytes);
    return parser.expects_continue();
  };
  EXPECT_TRUE(expects("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\n"));
  EXPECT_TRUE(expects("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n"));
  EXPECT_FALSE(expects("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n"));
  EXPECT_FALSE(expects("PUT / HTTP/1.0\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n"));
}

int StatusOf(std::string_view bytes, const CodecLimits& limits = {}) {
  RequestParser parser(limits);
  parser.Feed(bytes);
  return parser.phase() == Phase::kComplete ? 200 : parser.error().status;
}

TEST(RequestLimits, HoldAtAndOver) {
  const std::string end = "\r\n\r\n";
  // 27 = "GET / HTTP/1.1" CRLF "Host: a" CRLF CRLF; the header "X: " and its end are 5 more.
  const std::string head = std::string(kHead) + "\r\n";
  ASSERT_EQ(head.size(), 27U);
  EXPECT_EQ(StatusOf(head, {.head_bytes = 27}), 200);
  EXPECT_EQ(StatusOf(head, {.head_bytes = 26}), 431);
  EXPECT_EQ(StatusOf(std::string(kHead) + "X: " + std::string(kMaxHeadBytes - 32, 'a') + end), 200);
  EXPECT_EQ(StatusOf(std::string(kHead) + "X: " + std::string(kMaxHeadBytes - 31, 'a') + end), 431);
  // "GET " and its target.
  const auto with_target = [](size_t bytes) {
    return "GET /" + std::string(bytes - 1, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n";
  };
  EXPECT_EQ(StatusOf(with_target(kMaxTargetBytes)), 200);
  EXPECT_EQ(StatusOf(with_target(kMaxTargetBytes + 1)), 414);
  EXPECT_EQ(StatusOf(std::string(kMaxMethodBytes, 'A') + " / HTTP/1.1\r\nHost: a\r\n\r\n"), 200);
  EXPECT_EQ(StatusOf(std::string(kMaxMethodBytes + 1, 'A') + " / HTTP/1.1\r\nHost: a\r\n\r\n"), 501);
  std::string many(kHead);
  for (size_t i = 1; i < kMaxHeaderCount; ++i) many += "a:b\r\n";
  EXPECT_EQ(StatusOf(many + "\r\n"), 200);
  EXPECT_EQ(StatusOf(many + "a:b\r\n\r\n"), 431);
  const std::string put = "PUT / HTTP/1.1\r\nHost: a\r\n";
  EXPECT_EQ(StatusOf(put + "Content-Length: 4\r\n\r\nabcd", {.body_bytes = 4}), 200);
  EXPECT_EQ(StatusOf(put + "Content-Length: 5\r\n\r\n", {.body_bytes = 4}), 413);
}

struct ResponseRow {
  std::string name;
  std::string method;
  std::string bytes;
  bool refused;
  std::string body;  // or the message of the refusal
  bool keep_alive = false;
};

// Rules: RFC 9112 sections 4 and 6.3, RFC 9110 section 15.2 and 15.3.5.
TEST(ResponseParser, AppliesTheRules) {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  const std::vector<ResponseRow> rows = {
      {"length and chunked", "GET", ok + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", true, "both"},
      {"two lengths", "GET", ok + "Content-Length: 1\r\nContent-Length: 1\r\n\r\na", true, "more than one"},
      {"two lengths to HEAD", "HEAD", ok + "Content-Length: 1\r\nContent-Length: 1\r\n\r\n", true, "more than one"},
      {"unknown coding", "GET", ok + "Transfer-Encoding: gzip\r\n\r\n", true, "chunked"},
      {"coding in HTTP/1.0", "GET", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", true, "HTTP/1.0"},
      {"switch of protocols", "GET", "HTTP/1.1 101 Switching Protocols\r\n\r\n", true, "switch"},
      {"body in 204", "GET", "HTTP/1.1 204 No Content\r\nContent-Length: 1\r\n\r\na", true, "204"},
      {"chunks in 204", "GET", "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n", true, "204"},
      {"body in 100", "GET", "HTTP/1.1 100 Continue\r\nContent-Length: 1\r\n\r\n", true, "100"},
      {"status of two digits", "GET", "HTTP/1.1 20 OK\r\n", true, "status line"},
      {"status of four digits", "GET", "HTTP/1.1 2000 OK\r\n", true, "status line"},
      {"status 600", "GET", "HTTP/1.1 600 Odd\r\n", true, "between 100 and 599"},
      {"status 099", "GET", "HTTP/1.1 099 Odd\r\n", true, "between 100 and 599"},
      {"no blank after the status", "GET", "HTTP/1.1 200\r\n", true, "status line"},
      {"HTTP/2", "GET", "HTTP/2.0 200 OK\r\n", true, "only HTTP/1.0"},
      {"no HTTP at all", "GET", "SSH-2.0-OpenSSH_9.2\r\n", true, "status line"},
      {"control character in the reason", "GET", "HTTP/1.1 200 O\x01K\r\n", true, "reason"},
      {"bare line feed", "GET", "HTTP/1.1 200 OK\n", true, "line feed"},
      {"length", "GET", ok + "Content-Length: 2\r\n\r\nab", false, "ab", true},
      {"empty reason", "GET", "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nab", false, "ab", true},
      {"length 0", "GET", ok + "Content-Length: 0\r\n\r\n", false, "", true},
      {"length and close", "GET", ok + "Content-Length: 2\r\nConnection: close\r\n\r\nab", false, "ab", false},
      {"HTTP/1.0", "GET", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nab", false, "ab", false},
      {"chunked", "GET", ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n", false, "ab", true},
      {"HEAD with a length", "HEAD", ok + "Content-Length: 99\r\n\r\n", false, "", true},
      {"HEAD with chunks", "HEAD", ok + "Transfer-Encoding: chunked\r\n\r\n", false, "", true},
      {"304 with a length", "GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n", false, "", true},
      {"204", "GET", "HTTP/1.1 204 No Content\r\n\r\n", false, "", true},
      {"204 with length 0", "GET", "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n", false, "", true},
      {"after 100 and 103", "PUT",
       "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" + ok + "Content-Length: 1\r\n\r\nx",
       false, "x", true},
  };
  for (const ResponseRow& row : rows) {
    for (const size_t piece : {row.bytes.size(), size_t{1}, size_t{7}}) {
      ResponseParser parser(row.method, {});
      const size_t used = FeedInPieces(parser, row.bytes, piece);
      if (row.refused) {
        EXPECT_EQ(parser.phase(), Phase::kFailed) << row.name;
        EXPECT_THAT(parser.error().message, HasSubstr(row.body)) << row.name;
        continue;
      }
      EXPECT_EQ(parser.phase(), Phase::kComplete) << row.name << ": " << parser.error().message;
      EXPECT_EQ(used, row.bytes.size()) << row.name;
      EXPECT_EQ(parser.keep_alive(), row.keep_alive) << row.name;
      EXPECT_EQ(parser.Take().body, row.body) << row.name;
    }
  }
}

TEST(ResponseParser, EndsWithTheConnectionOnlyWhereNothingElseEndsIt) {
  const auto finished = [](std::string_view bytes) {
    ResponseParser parser("GET", {});
    parser.Feed(bytes);
    parser.FinishAtEnd();
    return parser.phase() == Phase::kComplete ? parser.response().body : parser.error().message;
  };
  EXPECT_EQ(finished("HTTP/1.1 200 OK\r\n\r\nall of it"), "all of it");
  EXPECT_THAT(finished("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab"), HasSubstr("ended before"));
  EXPECT_THAT(finished("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"), HasSubstr("ended before"));
  EXPECT_THAT(finished("HTTP/1.1 200 OK\r\n"), HasSubstr("ended before"));
  EXPECT_THAT(finished("HTTP/1.1 100 Continue\r\n\r\n"), HasSubstr("ended before"));
}

TEST(ResponseLimits, HoldAtAndOver) {
  const std::string ok = "HTTP/1.1 200 OK\r\n\r\n";
  ResponseParser at("GET", {.body_bytes = 4});
  at.Feed(ok + "abcd");
  at.FinishAtEnd();
  EXPECT_EQ(at.Take().body, "abcd");
  ResponseParser over("GET", {.body_bytes = 4});
  over.Feed(ok + "abcde");
  EXPECT_EQ(over.error().status, 413);

  std::string interim;
  for (int i = 0; i < kMaxInterimResponses; ++i) interim += "HTTP/1.1 103 Early Hints\r\n\r\n";
  ResponseParser few("GET", {});
  few.Feed(interim + "HTTP/1.1 204 No Content\r\n\r\n");
  EXPECT_EQ(few.phase(), Phase::kComplete);
  ResponseParser many("GET", {});
  many.Feed(interim + "HTTP/1.1 103 Early Hints\r\n\r\n");
  EXPECT_THAT(many.error().message, HasSubstr("too many interim"));
}

}  // namespace
}  // namespace ashlar::net
