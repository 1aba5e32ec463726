#include "bench/validate/collective_tester.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "bench/coll/collectives.h"
#include "bench/validate/drill.h"
#include "bench/validate/limits.h"
#include "os/os.h"

namespace ashlar::bench {
namespace {

using stats::TestOutcome;

std::string Text(absl::Duration duration) { return fmt::format("{}ms", absl::ToInt64Milliseconds(duration)); }

// Whose time counts: machines are what they are most of the time; processes that share the cores of one machine wait
// for each other now and then, which says nothing of a fault, so the fastest batch counts.
enum class Batch { kMedian, kFastest };

double SpeedOf(const base::Json& placement, Batch batch) {
  const double busbw = base::GetNumber(placement, "busbw_bytes_per_second").value_or(0);
  if (batch == Batch::kMedian) return busbw;
  const double median = base::GetNumber(placement, "time_seconds").value_or(0);
  const double fastest = base::GetNumber(placement, "min_seconds").value_or(0);
  return fastest > 0 ? busbw * median / fastest : busbw;
}

// The last row's out-of-place figures, and wrong elements of all rows.
base::StatusOr<NodeTestReport> ReadDocument(base::Json document, Batch batch) {
  const base::Json* rows = base::Find(document, "rows");
  if (rows == nullptr || !rows->is_array() || rows->get_array().empty()) {
    return base::Error(base::StatusCode::kAborted, "the test ended without a row");
  }
  double wrong = 0;
  double busbw = 0;
  for (const base::Json& row : rows->get_array()) {
    for (const char* name : {"out_of_place", "in_place"}) {
      const base::Json* placement = base::Find(row, name);
      if (placement == nullptr || !placement->is_object()) continue;
      const auto count = base::GetNumber(*placement, "wrong");
      if (count.ok()) wrong += *count;
      if (std::string_view(name) == "out_of_place") busbw = SpeedOf(*placement, batch);
    }
  }
  NodeTestReport report;
  if (wrong > 0) report.result.outcome = TestOutcome::kWrongData;
  if (!(busbw > 0) || !std::isfinite(busbw)) {
    return base::Error(base::StatusCode::kAborted, "the test gave no bus bandwidth");
  }
  report.result.log_speed = std::log(busbw);
  report.text = base::HumanRate({busbw});
  if (wrong > 0) report.text += fmt::format(", {:.0f} wrong elements", wrong);
  report.document = std::move(document);
  return report;
}

class CollectiveTester : public NodeTester {
 public:
  CollectiveTester(CollectiveTesterOptions options, stats::Topology topology, std::vector<std::string> names)
      : options_(std::move(options)),
        topology_(std::move(topology)),
        names_(std::move(names)),
        random_(options_.seed) {}

  base::Status ReadFaults() {
    ASHLAR_ASSIGN_OR_RETURN(faults_, ParseDrill(options_.inject, topology_));
    return base::OkStatus();
  }

  const std::vector<std::string>& nodes() const override { return names_; }
  const stats::Topology& topology() const override { return topology_; }
  std::string method() const override {
    return fmt::format("{} of {}B over MPI, {} rank{} a node", options_.collective, options_.size, RanksPerNode(),
                       RanksPerNode() == 1 ? "" : "s");
  }
  std::string drill() const override { return options_.inject; }

  std::vector<base::StatusOr<NodeTestReport>> Run(const std::vector<stats::PlannedTest>& tests,
                                                  const std::stop_token& stop) override {
    std::vector<std::string> faults;
    faults.reserve(tests.size());
    for (const stats::PlannedTest& test : tests) {
      faults.push_back(RankFaultsText(faults_, topology_, test.nodes, RanksPerNode(), random_));
    }
    std::vector<base::StatusOr<NodeTestReport>> reports(tests.size(), absl::CancelledError("stopped"));
    std::atomic<size_t> next = 0;
    const auto work = [&] {
      for (size_t i = next++; i < tests.size() && !stop.stop_requested(); i = next++) {
        reports[i] = RunBest(tests[i], faults[i], stop);
      }
    };
    {
      std::vector<std::jthread> others;
      for (size_t i = 1; i < std::min(AtOnce(), tests.size()); ++i) others.emplace_back(work);
      work();
    }
    return reports;
  }

 private:
  int RanksPerNode() const { return options_.hosts.empty() ? 1 : static_cast<int>(options_.hosts.front().slots); }

  // Processes of one machine would slow each other down: one test after the other.
  size_t AtOnce() const { return options_.hosts.empty() ? 1 : kMaxTestsAtOnce; }

  // Processes of one machine: the faster of some runs, since one in which two of them share a core tells nothing.
  base::StatusOr<NodeTestReport> RunBest(const stats::PlannedTest& test, const std::string& faults,
                                         const std::stop_token& stop) {
    auto best = RunOne(test, faults, stop);
    for (int run = 1; run < (options_.hosts.empty() ? kLocalRuns : 1); ++run) {
      if (!best.ok() || std::isnan(best->result.log_speed)) return best;
      auto again = RunOne(test, faults, stop);
      if (!again.ok() || std::isnan(again->result.log_speed)) return again;
      const bool wrong = best->result.outcome == TestOutcome::kWrongData;
      if (again->result.log_speed > best->result.log_speed) best = std::move(again);
      if (wrong) best->result.outcome = TestOutcome::kWrongData;
    }
    return best;
  }

  base::StatusOr<NodeTestReport> RunOne(const stats::PlannedTest& test, const std::string& faults,
                                        const std::stop_token& stop) {
    ArgumentValues arguments = {{"collective", options_.collective},
                                {"minbytes", options_.size},
                                {"maxbytes", options_.size},
                                {"budget", options_.hosts.empty() ? Text(kLocalTestBudget) : Text(kNodeTestBudget)},
                                {"stall", Text(kNodeTestStall)},
                                {"timeout", Text(kNodeTestDeadline)},
                                {"ranks", fmt::format("{}", test.nodes.size() * static_cast<size_t>(RanksPerNode()))}};
    if (!faults.empty()) {
      arguments["inject"] = faults;
      arguments["drill"] = "true";
    }
    std::optional<os::TemporaryDirectory> folder;
    if (!options_.hosts.empty()) {
      ASHLAR_ASSIGN_OR_RETURN(folder, os::TemporaryDirectory::Create());
      std::string hosts;
      for (const int node : test.nodes) {
        const HostSlots& host = options_.hosts[static_cast<size_t>(node)];
        hosts += fmt::format("{} slots={}\n", host.host, host.slots);
      }
      arguments["hostfile"] = folder->path() + "/hosts";
      ASHLAR_RETURN_IF_ERROR(os::WriteFileDurably(os::RealFileSystem(), arguments["hostfile"], hosts));
    }
    ASHLAR_ASSIGN_OR_RETURN(
        CollectiveRun run,
        RunCollectives({.arguments = std::move(arguments), .rank_command = options_.rank_command, .stop = stop}));
    if (!run.fault.empty()) return ReportFault(test, run);
    if (run.documents.empty()) return base::Error(base::StatusCode::kAborted, "the test gave no document");
    ASHLAR_ASSIGN_OR_RETURN(
        NodeTestReport report,
        ReadDocument(std::move(run.documents.front()), options_.hosts.empty() ? Batch::kFastest : Batch::kMedian));
    report.result.kind = test.kind;
    report.result.nodes = test.nodes;
    return report;
  }

  NodeTestReport ReportFault(const stats::PlannedTest& test, CollectiveRun& run) const {
    NodeTestReport report;
    report.result.kind = test.kind;
    report.result.nodes = test.nodes;
    report.result.outcome = run.died ? TestOutcome::kCrashed : TestOutcome::kHung;
    for (const int rank : run.blamed) {
      const auto place = static_cast<size_t>(rank / RanksPerNode());
      if (place < test.nodes.size()) report.result.blamed.push_back(test.nodes[place]);
    }
    report.text = fmt::format("{}: {}", run.died ? "crashed" : "hung", run.fault);
    if (!run.documents.empty()) report.document = std::move(run.documents.front());
    return report;
  }

  const CollectiveTesterOptions options_;
  const stats::Topology topology_;
  const std::vector<std::string> names_;
  std::vector<stats::SimulatedFault> faults_;
  std::mt19937_64 random_;
};

}  // namespace

base::StatusOr<std::unique_ptr<NodeTester>> MakeCollectiveTester(CollectiveTesterOptions options) {
  std::vector<std::string> names;
  if (options.hosts.empty()) {
    for (int node = 0; node < options.local_nodes; ++node) names.push_back(fmt::format("process-{}", node));
  }
  for (const HostSlots& host : options.hosts) {
    names.push_back(host.host);
    if (host.slots != options.hosts.front().slots) {
      return base::Error(base::StatusCode::kInvalidArgument,
                         "host {} has {} slots and {} has {}: nodes are compared only with as many ranks on each",
                         host.host, host.slots, options.hosts.front().host, options.hosts.front().slots);
    }
  }
  if (names.size() < 2 || names.size() > kMaxValidatedNodes) {
    return base::Error(base::StatusCode::kInvalidArgument, "{} nodes: give 2 to {}", names.size(), kMaxValidatedNodes);
  }
  stats::Topology topology{.nodes = static_cast<int>(names.size()), .switches = options.switches};
  auto tester = std::make_unique<CollectiveTester>(std::move(options), std::move(topology), std::move(names));
  ASHLAR_RETURN_IF_ERROR(tester->ReadFaults());
  return std::unique_ptr<NodeTester>(std::move(tester));
}

}  // namespace ashlar::bench
