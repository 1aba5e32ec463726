#include "net/http_message.h"

#include <gtest/gtest.h>

namespace ashlar::net {
namespace {

TEST(Headers, KeepOrderAndDuplicates) {
  Headers headers;
  headers.Add("B", "1");
  headers.Add("a", "2");
  headers.Add("b", "3");
  EXPECT_EQ(headers, Headers({{"B", "1"}, {"a", "2"}, {"b", "3"}}));
  EXPECT_EQ(headers.Count("B"), 2U);
  EXPECT_EQ(headers.Get("b"), "1");
}

TEST(Headers, FindWithoutRegardToCase) {
  const Headers headers({{"Content-Type", "text/plain"}, {"Empty", ""}});
  ASSERT_NE(headers.Find("content-TYPE"), nullptr);
  EXPECT_EQ(*headers.Find("content-TYPE"), "text/plain");
  EXPECT_NE(headers.Find("empty"), nullptr);
  EXPECT_EQ(headers.Find("missing"), nullptr);
  EXPECT_EQ(headers.Get("missing"), "");
}

TEST(Headers, SetLeavesOneAtTheFirstPlace) {
  Headers headers({{"a", "1"}, {"b", "2"}, {"A", "3"}});
  headers.Set("A", "4");
  EXPECT_EQ(headers, Headers({{"a", "4"}, {"b", "2"}}));
  headers.Set("c", "5");
  EXPECT_EQ(headers.size(), 3U);
  headers.Remove("B");
  EXPECT_EQ(headers, Headers({{"a", "4"}, {"c", "5"}}));
}

TEST(Headers, FindTokensInLists) {
  const Headers headers({{"Connection", "te ,\tClose"}, {"connection", "upgrade"}, {"Other", "closed"}});
  EXPECT_TRUE(headers.HasToken("Connection", "close"));
  EXPECT_TRUE(headers.HasToken("Connection", "Upgrade"));
  EXPECT_FALSE(headers.HasToken("Connection", "keep-alive"));
  EXPECT_FALSE(headers.HasToken("Other", "close"));
}

// Phrases: RFC 9110 section 15, RFC 6585 section 5.
TEST(HttpMessage, NamesStatuses) {
  EXPECT_EQ(ReasonPhrase(200), "OK");
  EXPECT_EQ(ReasonPhrase(413), "Content Too Large");
  EXPECT_EQ(ReasonPhrase(431), "Request Header Fields Too Large");
  EXPECT_EQ(ReasonPhrase(299), "");
}

TEST(HttpMessage, KnowsWhatMayBeRepeated) {
  for (const char* method : {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"}) EXPECT_TRUE(IsIdempotent(method));
  for (const char* method : {"POST", "PATCH", "get", "CONNECT", ""}) EXPECT_FALSE(IsIdempotent(method));
}

TEST(HttpMessage, MakesResponses) {
  const Response json = MakeResponse(201, "application/json", "{}");
  EXPECT_EQ(json.status, 201);
  EXPECT_EQ(json.headers.Get("content-type"), "application/json");
  EXPECT_EQ(json.body, "{}");
  EXPECT_EQ(ErrorResponse(404, "no such page").body, "404 Not Found: no such page\n");
}

}  // namespace
}  // namespace ashlar::net
