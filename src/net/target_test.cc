#include "net/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ashlar::net {
namespace {

using testing::HasSubstr;

TEST(ParseTarget, RefusesWhatCannotBeMeant) {
  for (const std::string& target :
       std::vector<std::string>{"", "/a b", "/a#b", "relative", "/%", "/%4", "/%zz", "/a?b=%", "/%00", "/../etc/passwd",
                                "/a/..", "/a/%2e%2E/b", "/a%2f..%2fb", "http://a/.."}) {
    EXPECT_EQ(ParseTarget(target).status().code(), base::StatusCode::kInvalidArgument) << target;
  }
}

struct TargetRow {
  std::string target;
  std::string path;
  std::vector<std::pair<std::string, std::string>> query;
};

TEST(ParseTarget, DecodesPathAndQuery) {
  const std::vector<TargetRow> rows = {
      {"/", "/", {}},
      {"*", "*", {}},
      {"/a%20b/c%C3%A9", "/a b/c\xc3\xa9", {}},
      {"/a+b", "/a+b", {}},
      {"/...", "/...", {}},
      {"/?", "/", {}},
      {"/a?b=c&d=&e&b=1+2%2B3", "/a", {{"b", "c"}, {"d", ""}, {"e", ""}, {"b", "1 2+3"}}},
      {"/a?b=c=d?e", "/a", {{"b", "c=d?e"}}},
      {"/a?next=http://b/", "/a", {{"next", "http://b/"}}},
      {"http://host:80/a?b=c", "/a", {{"b", "c"}}},
      {"http://host", "/", {}},
      {"http://host?b=c", "/", {{"b", "c"}}},
  };
  for (const TargetRow& row : rows) {
    const base::StatusOr<Target> target = ParseTarget(row.target);
    ASSERT_TRUE(target.ok()) << row.target << ": " << target.status();
    EXPECT_EQ(target->path, row.path) << row.target;
    EXPECT_EQ(target->query, row.query) << row.target;
  }
  EXPECT_EQ(ParseTarget("/?a=1&a=2")->Query("a"), "1");
  EXPECT_EQ(ParseTarget("/?a=1")->Query("b"), "");
}

struct BadUrlRow {
  std::string url;
  std::string message;
};

TEST(ParseUrl, RefusesWhatIsNotFetched) {
  const std::vector<BadUrlRow> rows = {
      {"", "http://host"},
      {"/path", "http://host"},
      {"http://", "host is missing"},
      {"http:///a", "host is missing"},
      {"ftp://a/", "scheme must be"},
      {"file:///etc/passwd", "scheme must be"},
      {"http://a b/", "http://host"},
      {"http://a\r\nb/", "the text"},
      {"http://a:0/", "between 1 and 65535"},
      {"http://a:65536/", "between 1 and 65535"},
      {"http://a:x/", "http://host"},
      {"http://u:secret@a/", "Authorization"},
      {"http://a%62/", "percent-encoded"},
  };
  for (const BadUrlRow& row : rows) {
    const base::StatusOr<Url> url = ParseUrl(row.url);
    EXPECT_EQ(url.status().code(), base::StatusCode::kInvalidArgument) << row.url;
    EXPECT_THAT(std::string(url.status().message()), HasSubstr(row.message)) << row.url;
    EXPECT_THAT(std::string(url.status().message()), testing::Not(HasSubstr("secret"))) << row.url;
  }
}

struct UrlRow {
  std::string url;
  Url expected;
};

TEST(ParseUrl, TakesUrlsApart) {
  const std::vector<UrlRow> rows = {
      {"http://a", {false, "a", 80, "a", "/"}},
      {"HTTPS://A.Example/B?c=d#e", {true, "a.example", 443, "a.example", "/B?c=d"}},
      {"http://a:8080/", {false, "a", 8080, "a:8080", "/"}},
      {"http://a:80/", {false, "a", 80, "a", "/"}},
      {"https://a:80?x", {true, "a", 80, "a:80", "/?x"}},
      {"http://127.0.0.1:1/x", {false, "127.0.0.1", 1, "127.0.0.1:1", "/x"}},
      {"http://[::1]:8080/x", {false, "::1", 8080, "[::1]:8080", "/x"}},
      {"http://169.254.169.254/metadata/instance?api-version=2021-02-01",
       {false, "169.254.169.254", 80, "169.254.169.254", "/metadata/instance?api-version=2021-02-01"}},
      {"http://a:65535/%20", {false, "a", 65535, "a:65535", "/%20"}},
  };
  for (const UrlRow& row : rows) {
    const base::StatusOr<Url> url = ParseUrl(row.url);
    ASSERT_TRUE(url.ok()) << row.url << ": " << url.status();
    EXPECT_EQ(url->tls, row.expected.tls) << row.url;
    EXPECT_EQ(url->host, row.expected.host) << row.url;
    EXPECT_EQ(url->port, row.expected.port) << row.url;
    EXPECT_EQ(url->authority, row.expected.authority) << row.url;
    EXPECT_EQ(url->target, row.expected.target) << row.url;
  }
}

}  // namespace
}  // namespace ashlar::net
