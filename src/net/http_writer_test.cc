#include "net/http_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "net/http_codec.h"

namespace ashlar::net {
namespace {

using testing::HasSubstr;
using std::string_literals::operator""s;

struct InjectionRow {
  std::string name;
  Header header;
};

TEST(HttpWriter, RefusesWhatWouldInject) {
  const std::vector<InjectionRow> rows = {
      {"line end in a value", {"A", "b\r\nSet-Cookie: c"}},
      {"line feed in a value", {"A", "b\nC: d"}},
      {"carriage return in a value", {"A", "b\rc"}},
      {"NUL in a value", {"A", "b\0c"s}},
      {"blank at the start of a value", {"A", " b"}},
      {"blank at the end of a value", {"A", "b\t"}},
      {"line end in a name", {"A\r\nB", "c"}},
      {"colon in a name", {"A:", "b"}},
      {"blank in a name", {"A B", "c"}},
      {"empty name", {"", "b"}},
      {"control character in a dropped header", {"Content-Length", "1\r\n"}},
  };
  for (const InjectionRow& row : rows) {
    Request request;
    request.headers = Headers({row.header});
    EXPECT_EQ(WriteRequest(request).status().code(), base::StatusCode::kInvalidArgument) << row.name;
    Response response;
    response.headers = Headers({row.header});
    EXPECT_EQ(WriteResponse(response).status().code(), base::StatusCode::kInvalidArgument) << row.name;
    response.headers.clear();
    response.trailers = Headers({row.header});
    EXPECT_EQ(WriteResponse(response).status().code(), base::StatusCode::kInvalidArgument) << row.name;
  }
}

TEST(HttpWriter, RefusesBadStartLines) {
  for (const std::string& method : {""s, "G T"s, "GET\r\n"s, std::string(kMaxMethodBytes + 1, 'A')}) {
    Request request;
    request.method = method;
    EXPECT_EQ(WriteRequest(request).status().code(), base::StatusCode::kInvalidArgument) << method;
  }
  for (const std::string& target : {""s, "/a b"s, "/a\r\nHost: c"s, "/a#b"s, "/\x7f"s}) {
    Request request;
    request.target = target;
    EXPECT_EQ(WriteRequest(request).status().code(), base::StatusCode::kInvalidArgument) << target;
  }
  for (const int status : {-1, 0, 99, 600, 1000}) {
    Response response;
    response.status = status;
    EXPECT_EQ(WriteResponse(response).status().code(), base::StatusCode::kInvalidArgument) << status;
  }
  Response response;
  response.reason = "OK\r\nA: b";
  EXPECT_EQ(WriteResponse(response).status().code(), base::StatusCode::kInvalidArgument);
}

TEST(HttpWriter, RefusesABodyWhereThereIsNone) {
  for (const int status : {100, 103, 204, 304}) {
    Response response;
    response.status = status;
    EXPECT_TRUE(WriteResponse(response).ok()) << status;
    response.body = "x";
    EXPECT_THAT(WriteResponse(response).status().message(), HasSubstr("has no body")) << status;
  }
}

// Bytes by hand from RFC 9112 section 3, 6 and 7.
TEST(HttpWriter, WritesRequests) {
  Request get;
  get.headers.Add("Host", "a");
  EXPECT_EQ(*WriteRequest(get), "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  Request post;
  post.method = "POST";
  EXPECT_EQ(*WriteRequest(post), "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
  post.body = "abc";
  post.headers = Headers({{"transfer-encoding", "chunked"}, {"Content-Length", "99"}, {"X", ""}});
  EXPECT_EQ(*WriteRequest(post), "POST / HTTP/1.1\r\nX: \r\nContent-Length: 3\r\n\r\nabc");
  post.headers.clear();
  post.trailers.Add("Sum", "6");
  EXPECT_EQ(*WriteRequest(post),
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nSum: 6\r\n\r\n");
}

TEST(HttpWriter, WritesResponses) {
  Response response = MakeResponse(200, "text/plain", "abc");
  EXPECT_EQ(*WriteResponse(response), "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_EQ(*WriteResponse(response, {.to_head = true}),
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(*WriteResponse(response, {.close = true, .date = "D"}),
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nDate: D\r\nConnection: close\r\n"
            "Content-Length: 3\r\n\r\nabc");
  EXPECT_THAT(*WriteResponse(response, {.minor_version = 0}), HasSubstr("\r\nConnection: keep-alive\r\n"));
  response.trailers.Add("Sum", "6");
  EXPECT_THAT(*WriteResponse(response), HasSubstr("3\r\nabc\r\n0\r\nSum: 6\r\n\r\n"));
  // HTTP/1.0 knows no chunks.
  EXPECT_THAT(*WriteResponse(response, {.minor_version = 0}), HasSubstr("Content-Length: 3\r\n\r\nabc"));
  Response none;
  none.status = 204;
  EXPECT_EQ(*WriteResponse(none), "HTTP/1.1 204 No Content\r\n\r\n");
  Response own;
  own.status = 299;
  own.reason = "Odd";
  own.headers = Headers({{"Date", "mine"}, {"connection", "Close"}});
  EXPECT_EQ(*WriteResponse(own, {.close = true, .date = "D"}),
            "HTTP/1.1 299 Odd\r\nDate: mine\r\nconnection: Close\r\nContent-Length: 0\r\n\r\n");
}

TEST(HttpWriter, IsReadBackByTheParsers) {
  Request request;
  request.method = "PUT";
  request.target = "/a?b";
  request.headers = Headers({{"Host", "a"}, {"X", "1"}, {"x", "\xc3\xa9"}});
  request.body = "0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n";
  request.trailers = Headers({{"T", "1"}});
  RequestParser parser;
  const std::string bytes = *WriteRequest(request);
  EXPECT_EQ(parser.Feed(bytes), bytes.size());
  ASSERT_EQ(parser.phase(), MessageParser::Phase::kComplete) << parser.error().message;
  Request read = parser.Take();
  EXPECT_EQ(read.body, request.body);
  EXPECT_EQ(read.trailers, request.trailers);
  read.headers.Remove("Transfer-Encoding");
  EXPECT_EQ(read.headers, request.headers);
}

}  // namespace
}  // namespace ashlar::net
