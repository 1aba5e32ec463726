#include "bench/validate/simulated_tester.h"

#include <cmath>

#include "bench/validate/drill.h"
#include "bench/validate/limits.h"

namespace ashlar::bench {
namespace {

constexpr double kFullSpeed = 400e9;  // bytes/s of bus bandwidth: eight NDR links of 50 GB/s

std::string Text(const stats::TestResult& result) {
  switch (result.outcome) {
    case stats::TestOutcome::kHung: return "hung";
    case stats::TestOutcome::kCrashed: return "crashed";
    case stats::TestOutcome::kWrongData: return base::HumanRate({std::exp(result.log_speed)}) + ", wrong elements";
    case stats::TestOutcome::kFinished: break;
  }
  return base::HumanRate({std::exp(result.log_speed)});
}

class SimulatedTester : public NodeTester {
 public:
  SimulatedTester(stats::SimulatedCluster cluster, std::string inject, std::mt19937_64 random)
      : cluster_(std::move(cluster)), inject_(std::move(inject)), random_(random) {
    for (int node = 0; node < cluster_.topology.nodes; ++node) names_.push_back(fmt::format("sim-{:04}", node));
  }

  const std::vector<std::string>& nodes() const override { return names_; }
  const stats::Topology& topology() const override { return cluster_.topology; }
  std::string method() const override { return "simulated speeds, nothing was measured"; }
  std::string drill() const override { return inject_.empty() ? "simulated cluster" : inject_; }

  std::vector<base::StatusOr<NodeTestReport>> Run(const std::vector<stats::PlannedTest>& tests,
                                                  const std::stop_token& /*stop*/) override {
    std::vector<base::StatusOr<NodeTestReport>> reports;
    for (const stats::PlannedTest& test : tests) {
      NodeTestReport report{.result = stats::RunSimulated(cluster_, test, random_)};
      report.result.log_speed += std::log(kFullSpeed);
      report.text = Text(report.result);
      reports.emplace_back(std::move(report));
    }
    return reports;
  }

 private:
  const stats::SimulatedCluster cluster_;
  const std::string inject_;
  std::mt19937_64 random_;
  std::vector<std::string> names_;
};

}  // namespace

base::StatusOr<std::unique_ptr<NodeTester>> MakeSimulatedTester(const SimulatedTesterOptions& options) {
  if (options.nodes < 2 || options.nodes > kMaxValidatedNodes) {
    return base::Error(base::StatusCode::kInvalidArgument, "--simulate {}: give 2 to {} nodes", options.nodes,
                       kMaxValidatedNodes);
  }
  if (options.nodes_per_switch < 1) {
    return base::Error(base::StatusCode::kInvalidArgument, "--nodes-per-switch {}: give at least 1",
                       options.nodes_per_switch);
  }
  std::mt19937_64 random(options.seed);
  stats::SimulatedCluster cluster = stats::MakeSimulatedCluster(options.nodes, options.nodes_per_switch, random);
  ASHLAR_ASSIGN_OR_RETURN(cluster.faults, ParseDrill(options.inject, cluster.topology));
  return std::unique_ptr<NodeTester>(std::make_unique<SimulatedTester>(std::move(cluster), options.inject, random));
}

}  // namespace ashlar::bench
