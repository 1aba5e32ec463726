#include "bench/validate/validation_document.h"

#include <absl/time/clock.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace ashlar::bench {
namespace {

using base::Finding;
using base::Json;
using base::JsonArray;
using base::JsonObject;
using base::Verdict;
using stats::Culprit;
using stats::CulpritKind;
using stats::Symptom;
using stats::TestOutcome;

constexpr double kSpeedTolerance = 0.95;  // of what is expected: the 5 % that published baselines allow

std::string_view OutcomeName(TestOutcome outcome) {
  switch (outcome) {
    case TestOutcome::kFinished: return "finished";
    case TestOutcome::kWrongData: return "wrong_data";
    case TestOutcome::kHung: return "hung";
    case TestOutcome::kCrashed: return "crashed";
  }
  return "unknown";
}

std::string_view SymptomName(Symptom symptom) {
  switch (symptom) {
    case Symptom::kSlow: return "slow";
    case Symptom::kWrongData: return "wrong_data";
    case Symptom::kHang: return "hang";
    case Symptom::kCrash: return "crash";
  }
  return "unknown";
}

std::string_view KindName(CulpritKind kind) {
  switch (kind) {
    case CulpritKind::kNode: return "node";
    case CulpritKind::kLink: return "link";
    case CulpritKind::kSwitch: return "switch";
  }
  return "unknown";
}

JsonArray Names(std::span<const int> nodes, const NodeTester& tester) {
  JsonArray names;
  for (const int node : nodes) names.emplace_back(tester.nodes()[static_cast<size_t>(node)]);
  return names;
}

std::vector<int> NodesOf(const Culprit& culprit, const NodeTester& tester) {
  if (culprit.kind == CulpritKind::kSwitch) return tester.topology().switches[static_cast<size_t>(culprit.first)];
  if (culprit.kind == CulpritKind::kLink) return {culprit.first, culprit.second};
  return {culprit.first};
}

JsonObject SuspectJson(const stats::Suspect& suspect, const NodeTester& tester) {
  return {{"kind", KindName(suspect.culprit.kind)},
          {"nodes", Names(NodesOf(suspect.culprit, tester), tester)},
          {"probability", suspect.probability}};
}

Json TestsJson(const ValidationFacts& facts) {
  JsonArray tests;
  for (const RunTest& test : facts.tests) {
    const stats::TestResult& result = test.report.result;
    tests.emplace_back(
        JsonObject{{"round", test.round},
                   {"kind", result.kind == stats::TestKind::kPair ? "pair" : "group"},
                   {"nodes", Names(result.nodes, facts.tester)},
                   {"outcome", OutcomeName(result.outcome)},
                   {"busbw_bytes_per_second", std::isnan(result.log_speed) ? Json() : Json(std::exp(result.log_speed))},
                   {"blamed", Names(result.blamed, facts.tester)},
                   {"text", test.report.text}});
  }
  return tests;
}

Json HealthyJson(const stats::Diagnosis& diagnosis) {
  JsonArray all;
  for (const auto& [kind, healthy] : diagnosis.healthy) {
    all.emplace_back(JsonObject{{"tests", kind == stats::TestKind::kPair ? "pairs" : "groups"},
                                {"modes", healthy.two_modes() ? 2 : 1},
                                {"fast_busbw_bytes_per_second", std::exp(healthy.fast)},
                                {"slow_busbw_bytes_per_second", std::exp(healthy.slow)},
                                {"slow_share", healthy.slow_share},
                                {"relative_spread", healthy.sigma}});
  }
  return all;
}

JsonObject AccusationJson(const stats::Accusation& accusation, const NodeTester& tester) {
  JsonArray candidates;
  for (const stats::Suspect& suspect : accusation.candidates) candidates.emplace_back(SuspectJson(suspect, tester));
  JsonArray support;
  for (const size_t test : accusation.support) support.emplace_back(test);
  return {{"symptom", SymptomName(accusation.symptom)},
          {"pinned", accusation.pinned()},
          {"candidates", std::move(candidates)},
          {"confidence", accusation.confidence},
          {"speed_left", accusation.symptom == Symptom::kSlow ? Json(accusation.speed_left) : Json()},
          {"activity", accusation.activity},
          {"support", std::move(support)}};
}

std::string What(const stats::Accusation& accusation, size_t touched) {
  std::string share = fmt::format("{} of {} tests", accusation.support.size(), touched);
  switch (accusation.symptom) {
    case Symptom::kSlow:
      return fmt::format("{} at {:.0f} % of the healthy speed{}", share, 100 * accusation.speed_left,
                         accusation.activity < 0.9 ? ": it comes and goes" : "");
    case Symptom::kWrongData: return share + " gave wrong data";
    case Symptom::kHang: return share + " hung";
    case Symptom::kCrash: return share + " ended with a crash";
  }
  return share;
}

Finding AccusationFinding(const stats::Accusation& accusation, const ValidationFacts& facts) {
  std::vector<std::string> names;
  for (const stats::Suspect& suspect : accusation.candidates)
    names.push_back(CulpritText(suspect.culprit, facts.tester));
  const Culprit& first = accusation.candidates.front().culprit;
  const auto touched = std::count_if(facts.tests.begin(), facts.tests.end(), [&](const RunTest& test) {
    return stats::Touches(first, facts.tester.topology(), test.report.result.nodes);
  });
  Finding finding{.id = "validate-culprit", .verdict = Verdict::kFail};
  finding.value = base::Join(names, " or ");
  finding.expectation = "no fault that needs a culprit to explain it";
  finding.read_from =
      fmt::format("tests {} of this validation", accusation.support.empty() ? 0 : accusation.support.front());
  const std::string what = What(accusation, static_cast<size_t>(touched));
  finding.reason = accusation.pinned()
                       ? fmt::format("{}: {} ({:.1f} % sure); take it out and run its checks", names.front(), what,
                                     100 * accusation.confidence)
                       : fmt::format("cannot tell {} apart: {}; see next_tests", base::Join(names, " from "), what);
  return finding;
}

// Are the healthy ones as fast as they should be? If not it is what they have in common.
Finding SpeedFinding(const ValidationFacts& facts) {
  Finding finding{.id = "validate-speed", .verdict = Verdict::kUnknown, .unit = "bytes/s"};
  const auto& healthy = facts.search.diagnosis().healthy;
  const auto pairs = healthy.find(stats::TestKind::kPair);
  if (pairs == healthy.end()) {
    finding.reason = "too few healthy pairs to know their speed";
    return finding;
  }
  const double fast = std::exp(pairs->second.fast);
  finding.value = fast;
  finding.read_from = facts.tester.method();
  if (!facts.expected.has_value()) {
    finding.verdict = Verdict::kNotApplicable;
    finding.reason = "no expectation was given: nodes were compared with each other only";
    return finding;
  }
  finding.expectation = ">= " + base::HumanRate({kSpeedTolerance * facts.expected->bytes_per_second});
  finding.expectation_source = facts.expected->source;
  finding.verdict = fast >= kSpeedTolerance * facts.expected->bytes_per_second ? Verdict::kPass : Verdict::kFail;
  if (finding.verdict == Verdict::kFail) {
    finding.reason =
        "configuration: all healthy nodes fall short alike, so look at what they have in common "
        "(environment, topology file, plugin, driver, library)";
  }
  return finding;
}

// Did every node take part, and is nothing left in doubt?
Finding ClearFinding(const ValidationFacts& facts) {
  Finding finding{.id = "validate-nodes", .verdict = Verdict::kPass};
  std::set<int> tested;
  for (const RunTest& test : facts.tests)
    tested.insert(test.report.result.nodes.begin(), test.report.result.nodes.end());
  finding.value = tested.size();
  finding.unit = "nodes";
  finding.expectation = fmt::format("all {} tested and explained", facts.tester.nodes().size());
  finding.read_from = facts.tester.method();
  const std::vector<stats::Doubt>& doubts = facts.search.diagnosis().doubts;
  if (tested.size() < facts.tester.nodes().size()) {
    finding.verdict = Verdict::kUnknown;
    finding.reason = "not every node could be tested";
  } else if (!doubts.empty()) {
    finding.verdict = Verdict::kUnknown;
    finding.reason = fmt::format("{} is neither accused ({:.0f} %) nor cleared: run it again",
                                 CulpritText(doubts.front().suspect.culprit, facts.tester),
                                 100 * doubts.front().suspect.probability);
  } else if (!facts.search.diagnosis().region.empty()) {
    finding.verdict = Verdict::kUnknown;
    finding.reason = fmt::format("something slow hides among {} nodes, and the rounds are used: see next_tests",
                                 facts.search.diagnosis().region.nodes.size());
  } else if (!facts.search.diagnosis().healthy.contains(stats::TestKind::kPair)) {
    finding.verdict = Verdict::kUnknown;
    finding.reason = "too few tests to know what is healthy: give more nodes";
  }
  if (!facts.unrun.empty()) {
    finding.verdict = Verdict::kUnknown;
    finding.reason =
        fmt::format("{} tests could not run, the first: {}", facts.unrun.size(), facts.unrun.front().reason);
  }
  return finding;
}

Json FindingsJson(const ValidationFacts& facts) {
  JsonArray findings;
  for (const stats::Accusation& accusation : facts.search.diagnosis().accusations) {
    findings.push_back(base::FindingToJson(AccusationFinding(accusation, facts)));
  }
  findings.push_back(base::FindingToJson(ClearFinding(facts)));
  findings.push_back(base::FindingToJson(SpeedFinding(facts)));
  return findings;
}

Json NextTestsJson(const ValidationFacts& facts) {
  JsonArray next;
  const stats::Diagnosis& diagnosis = facts.search.diagnosis();
  const bool open = !diagnosis.doubts.empty() || !diagnosis.region.empty() ||
                    std::any_of(diagnosis.accusations.begin(), diagnosis.accusations.end(),
                                [](const stats::Accusation& accusation) { return !accusation.pinned(); });
  if (!open) return next;
  for (const stats::PlannedTest& test : facts.search.SuspectTests()) next.emplace_back(Names(test.nodes, facts.tester));
  return next;
}

}  // namespace

std::string CulpritText(const Culprit& culprit, const NodeTester& tester) {
  const std::vector<int> nodes = NodesOf(culprit, tester);
  std::vector<std::string> names;
  names.reserve(nodes.size());
  for (const int node : nodes) names.push_back(tester.nodes()[static_cast<size_t>(node)]);
  if (culprit.kind == CulpritKind::kNode) return names.front();
  if (culprit.kind == CulpritKind::kLink) return "the link " + base::Join(names, " - ");
  constexpr size_t kMostNames = 4;
  const bool many = names.size() > kMostNames;
  if (many) names.resize(kMostNames);
  return "the switch of " + base::Join(names, ", ") + (many ? ", ..." : "");
}

std::string DiagnosisText(const stats::Diagnosis& diagnosis, const NodeTester& tester) {
  std::vector<std::string> texts;
  for (const stats::Accusation& accusation : diagnosis.accusations) {
    std::vector<std::string> names;
    for (const stats::Suspect& suspect : accusation.candidates) names.push_back(CulpritText(suspect.culprit, tester));
    texts.push_back(fmt::format("{}: {}", SymptomName(accusation.symptom), base::Join(names, " or ")));
  }
  for (const stats::Doubt& doubt : diagnosis.doubts) {
    constexpr size_t kMostTexts = 4;
    if (texts.size() >= kMostTexts) break;
    texts.push_back(fmt::format("in doubt: {} ({:.0f} %)", CulpritText(doubt.suspect.culprit, tester),
                                100 * doubt.suspect.probability));
  }
  return texts.empty() ? "nothing stands out" : base::Join(texts, "; ");
}

Json ValidationDocument(const ValidationFacts& facts) {
  const stats::Diagnosis& diagnosis = facts.search.diagnosis();
  JsonArray switches;
  for (const std::vector<int>& behind : facts.tester.topology().switches)
    switches.emplace_back(Names(behind, facts.tester));
  JsonArray nodes;
  for (const std::string& name : facts.tester.nodes()) nodes.emplace_back(name);
  JsonArray accusations;
  for (const stats::Accusation& accusation : diagnosis.accusations) {
    accusations.emplace_back(AccusationJson(accusation, facts.tester));
  }
  JsonArray doubts;
  for (const stats::Doubt& doubt : diagnosis.doubts) {
    JsonObject object = SuspectJson(doubt.suspect, facts.tester);
    object["symptom"] = SymptomName(doubt.symptom);
    doubts.emplace_back(std::move(object));
  }
  JsonArray unrun;
  for (const UnrunTest& test : facts.unrun) {
    unrun.emplace_back(
        JsonObject{{"round", test.round}, {"nodes", Names(test.nodes, facts.tester)}, {"reason", test.reason}});
  }
  JsonObject document;
  document["schema"] = "ashlar.validate/1";
  document["run"] = base::NewId(facts.started);
  document["started"] = base::Rfc3339(facts.started);
  document["wall_seconds"] = absl::ToDoubleSeconds(absl::Now() - facts.started);
  document["nodes"] = std::move(nodes);
  document["switches"] = std::move(switches);
  document["method"] = facts.tester.method();
  if (!facts.tester.drill().empty()) document["drill"] = facts.tester.drill();
  document["rounds"] = facts.search.rounds();
  document["most_rounds"] = facts.search.most_rounds();
  document["why_over"] = facts.search.WhyOver();
  document["tests"] = TestsJson(facts);
  document["unrun"] = std::move(unrun);
  document["healthy"] = HealthyJson(diagnosis);
  document["accusations"] = std::move(accusations);
  document["doubts"] = std::move(doubts);
  document["next_tests"] = NextTestsJson(facts);
  document["findings"] = FindingsJson(facts);
  return document;
}

}  // namespace ashlar::bench
