#include <algorithm>

#include "bench/validate/validation.h"

namespace ashlar::bench {
namespace {

using base::Json;

std::string Text(const Json& object, std::string_view key) { return base::GetString(object, key).value_or(""); }

std::string JoinTexts(const Json* array, std::string_view separator) {
  std::vector<std::string> texts;
  if (array != nullptr && array->is_array()) {
    for (const Json& text : array->get_array()) {
      if (text.is_string()) texts.emplace_back(text.get_string());
    }
  }
  return base::Join(texts, separator);
}

// The tests that support an accusation, the first few.
std::string SupportText(const Json& accusation, const Json& document) {
  constexpr size_t kMostTests = 5;
  const Json* support = base::Find(accusation, "support");
  const Json* tests = base::Find(document, "tests");
  if (support == nullptr || !support->is_array() || tests == nullptr || !tests->is_array()) return "";
  std::string text;
  size_t shown = 0;
  for (const Json& index : support->get_array()) {
    const auto at = index.is_int64() || index.is_uint64() ? index.to_number<size_t>() : tests->get_array().size();
    if (at >= tests->get_array().size()) continue;
    if (++shown > kMostTests) break;
    const Json& test = tests->get_array()[at];
    text += fmt::format("    test {:<4} round {:<3} {:<40} {}\n", at, base::GetInt(test, "round").value_or(0),
                        JoinTexts(base::Find(test, "nodes"), " "), Text(test, "text"));
  }
  const size_t all = support->get_array().size();
  if (all > kMostTests) text += fmt::format("    ... and {} more\n", all - kMostTests);
  return text;
}

std::string AccusationsText(const Json& document) {
  const Json* accusations = base::Find(document, "accusations");
  if (accusations == nullptr || !accusations->is_array()) return "";
  std::string text;
  for (const Json& accusation : accusations->get_array()) {
    const Json* candidates = base::Find(accusation, "candidates");
    if (candidates == nullptr || !candidates->is_array()) continue;
    const bool pinned = base::GetBool(accusation, "pinned").value_or(false);
    text += fmt::format("\n{} {}\n", Text(accusation, "symptom"), pinned ? "pinned:" : "cannot be told apart:");
    for (const Json& candidate : candidates->get_array()) {
      text += fmt::format("  {:<7} {:<40} {:5.1f} %\n", Text(candidate, "kind"),
                          JoinTexts(base::Find(candidate, "nodes"), " - "),
                          100 * base::GetNumber(candidate, "probability").value_or(0));
    }
    text += SupportText(accusation, document);
  }
  return text;
}

std::string HealthyText(const Json& document) {
  const Json* all = base::Find(document, "healthy");
  if (all == nullptr || !all->is_array()) return "";
  std::string text;
  for (const Json& healthy : all->get_array()) {
    const double fast = base::GetNumber(healthy, "fast_busbw_bytes_per_second").value_or(0);
    text += fmt::format("# healthy {:<7} {}", Text(healthy, "tests"), base::HumanRate({fast}));
    if (base::GetInt(healthy, "modes").value_or(1) == 2) {
      text += fmt::format(", and {} in {:.0f} % of tests (two modes)",
                          base::HumanRate({base::GetNumber(healthy, "slow_busbw_bytes_per_second").value_or(0)}),
                          100 * base::GetNumber(healthy, "slow_share").value_or(0));
    }
    text += fmt::format(", spread {:.1f} %\n", 100 * base::GetNumber(healthy, "relative_spread").value_or(0));
  }
  return text;
}

std::string FindingsText(const Json& document) {
  const Json* findings = base::Find(document, "findings");
  if (findings == nullptr || !findings->is_array()) return "";
  std::string text;
  for (const Json& json : findings->get_array()) {
    const auto finding = base::FindingFromJson(json);
    if (!finding.ok()) continue;
    text += fmt::format("{:<15} {:<17} {}\n", base::VerdictName(finding->verdict), finding->id,
                        finding->reason.empty() ? finding->expectation : finding->reason);
  }
  return text;
}

}  // namespace

std::string ValidationText(const Json& document) {
  std::string text;
  const std::string drill = Text(document, "drill");
  if (!drill.empty()) text += fmt::format("# DRILL: faults were made on purpose ({}); this is no measurement\n", drill);
  const Json* tests = base::Find(document, "tests");
  const Json* nodes = base::Find(document, "nodes");
  text += fmt::format("# {} nodes, {} tests in {} of at most {} rounds: {}\n",
                      nodes != nullptr && nodes->is_array() ? nodes->get_array().size() : 0,
                      tests != nullptr && tests->is_array() ? tests->get_array().size() : 0,
                      base::GetInt(document, "rounds").value_or(0), base::GetInt(document, "most_rounds").value_or(0),
                      Text(document, "why_over"));
  text += fmt::format("# a test: {}\n", Text(document, "method"));
  text += HealthyText(document) + AccusationsText(document);
  const Json* next = base::Find(document, "next_tests");
  if (next != nullptr && next->is_array() && !next->get_array().empty()) {
    text += "\nto tell more, test next:\n";
    for (const Json& test : next->get_array()) text += "  " + JoinTexts(&test, " ") + "\n";
  }
  return text + "\n" + FindingsText(document);
}

base::ExitStatus ExitStatusOfValidation(const Json& document) {
  const Json* findings = base::Find(document, "findings");
  std::vector<base::Finding> all;
  if (findings != nullptr && findings->is_array()) {
    for (const Json& json : findings->get_array()) {
      auto finding = base::FindingFromJson(json);
      if (finding.ok()) all.push_back(std::move(*finding));
    }
  }
  return base::ExitStatusOf(base::WorstVerdict(all));
}

}  // namespace ashlar::bench
