#include "stats/culprit/search.h"

#include <algorithm>

#include "stats/culprit/limits.h"
#include "stats/culprit/round_plan.h"

namespace ashlar::stats {

base::StatusOr<CulpritSearch> CulpritSearch::Create(Topology topology) {
  if (topology.nodes < 2) {
    return base::Error(base::StatusCode::kInvalidArgument, "{} nodes: who is at fault shows only between two or more",
                       topology.nodes);
  }
  CulpritSearch search(std::move(topology));
  ASHLAR_RETURN_IF_ERROR(Diagnose(search.topology_, {}).status());
  return search;
}

std::vector<PlannedTest> CulpritSearch::Plan() const {
  return PlanRound({topology_, diagnosis_, results_, met_, rounds_});
}

std::vector<PlannedTest> CulpritSearch::NextRound() const {
  return WhyOver().empty() ? Plan() : std::vector<PlannedTest>();
}

std::vector<PlannedTest> CulpritSearch::SuspectTests() const {
  return PlanSuspectTests({topology_, diagnosis_, results_, met_, rounds_});
}

int CulpritSearch::most_rounds() const { return BudgetFor(topology_.nodes).most; }

std::string CulpritSearch::WhyOver() const {
  const RoundBudget budget = BudgetFor(topology_.nodes);
  if (rounds_ >= budget.most) return fmt::format("all {} rounds are used", rounds_);
  const std::vector<Accusation>& accusations = diagnosis_.accusations;
  const bool pinned =
      std::all_of(accusations.begin(), accusations.end(), [](const Accusation& one) { return one.pinned(); });
  const bool clear = diagnosis_.doubts.empty() &&
                     (diagnosis_.hints.empty() || diagnosis_.hints.front().suspect.probability < kClear);
  if (rounds_ >= budget.least && pinned && clear && diagnosis_.region.empty()) {
    return fmt::format("every result is explained after {} rounds", rounds_);
  }
  return Plan().empty() ? "no two nodes are left to test" : "";
}

base::Status CulpritSearch::Add(std::span<const TestResult> results) {
  std::vector<TestResult> all = results_;
  all.insert(all.end(), results.begin(), results.end());
  ASHLAR_ASSIGN_OR_RETURN(Diagnosis diagnosis, Diagnose(topology_, all));
  diagnosis_ = std::move(diagnosis);
  results_ = std::move(all);
  for (const TestResult& result : results) {
    if (result.nodes.size() == 2) met_.insert({result.nodes[0], result.nodes[1]});
  }
  ++rounds_;
  return base::OkStatus();
}

}  // namespace ashlar::stats
