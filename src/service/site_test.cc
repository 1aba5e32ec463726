#include "service/site.h"

#include <gtest/gtest.h>

#include "assess/evidence_testing.h"
#include "os/os.h"

namespace ashlar::service {
namespace {

class SiteTest : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = os::TemporaryDirectory::Create();
    ASSERT_TRUE(folder.ok());
    folder_.emplace(*std::move(folder));
    auto ledger = ledger::Ledger::Open({.url = folder_->path() + "/ledger.db"}, base::SystemClock());
    ASSERT_TRUE(ledger.ok()) << ledger.status();
    ledger_ = *std::move(ledger);
    site_ = std::make_unique<Site>(*ledger_, false);
  }

  net::Response Get(const std::string& target, const std::string& host = "localhost:7413",
                    const std::string& method = "GET") {
    net::Request request;
    request.method = method;
    request.target = target;
    request.headers.Add("Host", host);
    return site_->Answer(request);
  }

  void FinishValidation() {
    assess::Evidence evidence = assess::HealthyMachine();
    assess::Scorecard scorecard = assess::Assess(evidence);
    site_->SetValidation(std::make_shared<const Validation>(Validation{std::move(evidence), std::move(scorecard), {}}));
  }

  std::optional<os::TemporaryDirectory> folder_;
  std::unique_ptr<ledger::Ledger> ledger_;
  std::unique_ptr<Site> site_;
};

TEST_F(SiteTest, WaitsOpenlyWhileTheValidationRuns) {
  site_->SetProgress("measuring <storage>");
  const auto page = Get("/");
  EXPECT_EQ(page.status, 503);
  EXPECT_EQ(page.headers.Get("Retry-After"), "2");
  EXPECT_EQ(Get("/api/scorecard").status, 503);
  EXPECT_EQ(Get("/healthz").status, 200);
  EXPECT_EQ(Get("/metrics").status, 200);
}

TEST_F(SiteTest, ServesReportScorecardAndMetrics) {
  FinishValidation();
  const auto page = Get("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_NE(page.body.find("bench-nccl"), std::string::npos);
  EXPECT_EQ(page.headers.Get("X-Content-Type-Options"), "nosniff");
  EXPECT_TRUE(page.headers.Get("Content-Security-Policy").starts_with("default-src 'none'"));
  const auto scorecard = base::ParseJson(Get("/api/scorecard").body);
  ASSERT_TRUE(scorecard.ok());
  EXPECT_EQ(base::Find(*scorecard, "scorecard")->get_array().size(), 38U);
  EXPECT_NE(Get("/metrics").body.find("ashlar_consideration_verdict"), std::string::npos);
}

TEST_F(SiteTest, EntriesByKindFromAndLimit) {
  for (const char* kind : {"node.check", "bench.coll", "node.check"}) {
    ASSERT_TRUE(ledger_->Append({kind, "node-1", "test", base::JsonObject{{"findings", base::JsonArray{}}}}).ok());
  }
  const auto count = [&](const std::string& query) {
    const auto json = base::ParseJson(Get("/api/entries" + query).body);
    return json.ok() && base::Find(*json, "entries") != nullptr ? base::Find(*json, "entries")->get_array().size() : 99;
  };
  EXPECT_EQ(count(""), 3U);
  EXPECT_EQ(count("?kind=node.check"), 2U);
  EXPECT_EQ(count("?kind=node.check&from=1"), 1U);
  EXPECT_EQ(count("?limit=1"), 1U);
  EXPECT_EQ(count("?subject=node-2"), 0U);
  EXPECT_EQ(Get("/api/checkpoint").status, 200);
}

struct Refusal {
  const char* name;
  const char* target;
  const char* host;
  const char* method;
  int status;
};

// kMaxEntriesPerPage is 1000: at the limit is answered, over it refused.
TEST_F(SiteTest, Refusals) {
  const Refusal rows[] = {
      {"unknown path", "/admin", "localhost", "GET", 404},
      {"other method", "/", "localhost", "POST", 405},
      {"another host", "/api/entries", "evil.example", "GET", 421},
      {"no host", "/api/entries", "", "GET", 421},
      {"host with a trick", "/", "localhost.evil.example", "GET", 421},
      {"numeric host", "/healthz", "127.0.0.1:80", "GET", 200},
      {"IPv6 host", "/healthz", "[::1]:80", "GET", 200},
      {"head", "/healthz", "LOCALHOST", "HEAD", 200},
      {"limit no number", "/api/entries?limit=x", "localhost", "GET", 400},
      {"from negative", "/api/entries?from=-1", "localhost", "GET", 400},
      {"at the limit", "/api/entries?limit=1000", "localhost", "GET", 200},
      {"over the limit", "/api/entries?limit=1001", "localhost", "GET", 400},
      {"bad encoding", "/api/entries?kind=%zz", "localhost", "GET", 400},
  };
  for (const Refusal& row : rows) {
    EXPECT_EQ(Get(row.target, row.host, row.method).status, row.status) << row.name;
  }
  EXPECT_EQ(Get("/", "localhost", "DELETE").headers.Get("Allow"), "GET, HEAD");
}

}  // namespace
}  // namespace ashlar::service
