#include <gtest/gtest.h>

#include "assess/evidence_testing.h"
#include "assess/report/html_evidence.h"
#include "assess/report/report.h"
#include "os/os.h"

namespace ashlar::assess {
namespace {

Evidence MeasuredMachine() {
  Evidence evidence = HealthyMachine();
  evidence.Add(
      TestEntry(70, "bench.coll", R"({"collective": "all_reduce", "backend": "mpi", "library": "Open MPI v4.1.4",
      "ranks": 2, "datatype": "float", "machine": {"digest": "d1"}, "out_of_bounds": 0, "findings": [], "rows": [
      {"size_bytes": 8, "out_of_place": {"time_seconds": 1e-6, "busbw_bytes_per_second": 8e6, "min_seconds": 9e-7,
                                         "p95_seconds": 2e-6}},
      {"size_bytes": 67108864, "out_of_place": {"time_seconds": 0.03, "busbw_bytes_per_second": 2.2e9,
                                                "min_seconds": 0.029, "p95_seconds": 0.04}}]})"));
  return evidence;
}

TEST(HtmlTest, HoldsEveryConsiderationPlotAndCheck) {
  const Evidence evidence = MeasuredMachine();
  const std::string page = RenderHtml(Assess(evidence), evidence);
  for (const Consideration* consideration : Considerations()) {
    EXPECT_NE(page.find(fmt::format("<details id=\"{}\">", consideration->id)), std::string::npos);
  }
  EXPECT_NE(page.find("Bus bandwidth by message size"), std::string::npos);
  EXPECT_NE(page.find("2.20 GB/s"), std::string::npos);
  EXPECT_NE(page.find("memory-amount"), std::string::npos);
  EXPECT_NE(page.find("prefers-color-scheme: dark"), std::string::npos);
}

// Self-contained: nothing is loaded, nothing runs.
TEST(HtmlTest, NeedsNothingFromElsewhere) {
  const Evidence evidence = MeasuredMachine();
  const std::string page = RenderHtml(Assess(evidence), evidence);
  for (const char* what :
       {"<script", "src=", "<link", "@import", "url(", "http://", "https://", "onload", "javascript:"}) {
    EXPECT_EQ(page.find(what), std::string::npos) << what;
  }
}

TEST(HtmlTest, HostileEvidenceStaysText) {
  const std::string hostile = "<script>alert(1)</script>\"' onload=x";
  Evidence evidence = NoEvidence();
  ledger::Entry identity = TestEntry(0, "node.identity", IdentityBody());
  identity.subject = hostile;
  identity.body.as_object()["kernel"] = hostile;
  evidence.Add(identity);
  ledger::Entry check = TestEntry(1, "node.check", CheckBody("x", "fail"));
  base::JsonObject& finding = check.body.as_object()["findings"].as_array()[0].as_object();
  for (const char* key : {"id", "value", "expectation", "reason", "read_from"}) finding[key] = hostile;
  check.subject = hostile;
  evidence.Add(check);
  ledger::Entry storage = TestEntry(2, "bench.storage", R"({"runs": [{"name": "x"}], "findings": []})");
  for (const char* key : {"path", "device", "filesystem", "direct_reason"}) storage.body.as_object()[key] = hostile;
  storage.body.as_object()["runs"].as_array()[0].as_object()["name"] = hostile;
  evidence.Add(storage);
  ledger::Entry coll = TestEntry(3, "bench.coll", CollectiveBody("all_reduce", 1e9, 0));
  for (const char* key : {"collective", "backend", "library"}) coll.body.as_object()[key] = hostile;
  evidence.Add(coll);
  evidence.SetLedgerFacts({4, false, hostile});
  const std::string page = RenderHtml(Assess(evidence), evidence);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("\"' onload"), std::string::npos);
}

TEST(HtmlTest, MalformedEntriesLeaveTheirSectionsOut) {
  Evidence evidence = NoEvidence();
  evidence.Add(TestEntry(0, "node.check", R"({"findings": 1})"));
  evidence.Add(TestEntry(1, "bench.storage", R"({"runs": 1})"));
  evidence.Add(TestEntry(2, "bench.coll", R"({"rows": {}})"));
  evidence.Add(TestEntry(3, "node.identity", R"([])"));
  const std::string page = RenderHtml(Assess(evidence), evidence);
  EXPECT_EQ(page.find("id=\"storage\""), std::string::npos);
  EXPECT_EQ(page.find("<svg"), std::string::npos);
}

struct Row {
  base::Json value;
  const char* unit;
  const char* text;
};

TEST(HtmlTest, ValuesReadWell) {
  const Row rows[] = {
      {nullptr, "", "–"},
      {17179869184, "bytes", "16 GiB"},
      {2.2e9, "bytes/s", "2.20 GB/s"},
      {3, "", "3"},
      {true, "", "yes"},
      {"eth0 up", "", "eth0 up"},
      {base::JsonObject{{"pass", 3}, {"fail", 0}}, "", "pass 3, fail 0"},
      {base::JsonArray{"a", "b"}, "", "a, b"},
      {base::JsonArray{}, "", "none"},
  };
  for (const Row& row : rows) EXPECT_EQ(ValueText(row.value, row.unit), row.text);
}

// A phone is 390 CSS pixels wide: the page itself must not scroll sideways, and everything must be in the document.
TEST(HtmlTest, FitsAPhoneInARealBrowser) {
  const auto browser = os::FindProgram("chromium");
  ASSERT_TRUE(browser.ok()) << "the browser is missing: tools/install-deps --tests installs chromium";
  const Evidence evidence = MeasuredMachine();
  auto folder = os::TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), folder->path() + "/report.html",
                                   RenderHtml(Assess(evidence), evidence))
                  .ok());
  const std::string wrapper =
      "<!doctype html><body><iframe id=f src=report.html style='width:390px;height:800px;border:0'></iframe><script>"
      "f.onload=()=>{const d=f.contentDocument,e=d.documentElement;document.title=(e.scrollWidth<=e.clientWidth)+' '+"
      "d.querySelectorAll('details').length+' '+d.querySelectorAll('svg').length}</script>";
  ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), folder->path() + "/wrapper.html", wrapper).ok());
  os::SubprocessOptions options;
  options.command = {*browser,
                     "--headless",
                     "--no-sandbox",
                     "--disable-gpu",
                     "--disable-quic",
                     "--no-first-run",
                     "--disable-background-networking",
                     "--disable-component-update",
                     "--disable-sync",
                     "--allow-file-access-from-files",
                     "--user-data-dir=" + folder->path() + "/profile",
                     "--virtual-time-budget=4000",
                     "--dump-dom",
                     "file://" + folder->path() + "/wrapper.html"};
  options.deadline = absl::Seconds(60);
  const auto result = os::RunSubprocess(options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_NE(result->output.find("<title>true 38 1</title>"), std::string::npos) << result->output.substr(0, 400);
}

}  // namespace
}  // namespace ashlar::assess
