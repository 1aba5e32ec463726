#include "bench/validate/validation.h"

#include "bench/validate/validation_document.h"

namespace ashlar::bench {
namespace {

class Validation {
 public:
  Validation(const ValidationRequest& request, stats::CulpritSearch search)
      : request_(request), search_(std::move(search)), started_(absl::Now()) {}

  base::StatusOr<base::Json> Run() {
    while (search_.WhyOver().empty()) ASHLAR_RETURN_IF_ERROR(RunRound(search_.NextRound()));
    return ValidationDocument({.tester = request_.tester,
                               .search = search_,
                               .tests = tests_,
                               .unrun = unrun_,
                               .started = started_,
                               .expected = request_.expected});
  }

 private:
  base::Status RunRound(const std::vector<stats::PlannedTest>& tests) {
    const int round = search_.rounds() + 1;
    Tell(round, fmt::format("{} tests", tests.size()));
    const auto reports = request_.tester.Run(tests, request_.stop);
    if (request_.stop.stop_requested()) return base::Error(base::StatusCode::kCancelled, "stopped before the end");
    std::vector<stats::TestResult> results;
    base::Status first_error = base::OkStatus();
    for (size_t i = 0; i < reports.size(); ++i) {
      if (reports[i].ok()) {
        results.push_back(reports[i]->result);
        tests_.push_back({.round = round, .report = *reports[i]});
      } else {
        first_error.Update(reports[i].status());
        unrun_.push_back(
            {.round = round, .nodes = tests[i].nodes, .reason = std::string(base::Message(reports[i].status()))});
      }
    }
    if (results.empty()) {
      return base::Error(base::StatusCode::kAborted, "no test of round {} could run: {}", round,
                         base::Message(first_error));
    }
    ASHLAR_RETURN_IF_ERROR(search_.Add(results));
    Tell(round, DiagnosisText(search_.diagnosis(), request_.tester));
    return base::OkStatus();
  }

  void Tell(int round, std::string text) const {
    if (!request_.on_progress) return;
    request_.on_progress({round, search_.most_rounds(), std::move(text)});
  }

  const ValidationRequest& request_;
  stats::CulpritSearch search_;
  const absl::Time started_;
  std::vector<RunTest> tests_;
  std::vector<UnrunTest> unrun_;
};

}  // namespace

base::StatusOr<base::Json> Validate(const ValidationRequest& request) {
  ASHLAR_ASSIGN_OR_RETURN(stats::CulpritSearch search, stats::CulpritSearch::Create(request.tester.topology()));
  return Validation(request, std::move(search)).Run();
}

}  // namespace ashlar::bench
