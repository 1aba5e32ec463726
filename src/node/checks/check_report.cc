#include "node/checks/check_report.h"

#include <algorithm>
#include <cctype>

#include "node/checks/check.h"
#include "node/checks/finding.h"

namespace ashlar::node {
namespace {

constexpr size_t kVerdictColumn = 9;
constexpr size_t kIdColumn = 29;
constexpr size_t kValueColumn = 19;
constexpr size_t kIndent = 9;
constexpr std::string_view kPlain = "\033[0m";

std::string_view Colour(base::Verdict verdict) {
  switch (verdict) {
    case base::Verdict::kPass: return "\033[32m";
    case base::Verdict::kFail: return "\033[1;31m";
    case base::Verdict::kUnknown: return "\033[33m";
    case base::Verdict::kNotApplicable: return "\033[2m";
    case base::Verdict::kConflict: return "\033[35m";
  }
  return "";
}

std::string_view ShortName(base::Verdict verdict) {
  return verdict == base::Verdict::kNotApplicable ? "n/a" : base::VerdictName(verdict);
}

// Without control characters: what was read may come from a kernel log or a file system's name.
std::string Printable(std::string_view text) {
  std::string clean;
  for (const char letter : text) {
    const bool control = std::iscntrl(static_cast<unsigned char>(letter)) != 0;
    clean.push_back(control ? ' ' : letter);
  }
  return clean;
}

size_t Columns(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char letter) {
    return (static_cast<unsigned char>(letter) & 0xC0U) != 0x80U;  // UTF-8 continuation bytes take no column
  }));
}

std::string Padded(std::string text, size_t columns) {
  const size_t own = Columns(text);
  if (own < columns) text.append(columns - own, ' ');
  return text + " ";
}

std::string NumberText(double number, const std::string& unit) {
  if (unit == "share") return Percent(number);
  if (unit == "bytes" && number >= 0) return base::HumanBytes({static_cast<uint64_t>(number)});
  if (unit == "seconds") return base::HumanDuration(absl::Seconds(number));
  const std::string text = number == static_cast<double>(static_cast<int64_t>(number)) ? fmt::format("{:.0f}", number)
                                                                                       : fmt::format("{:.3g}", number);
  return unit.empty() ? text : fmt::format("{} {}", text, unit);
}

std::string ListText(const base::JsonArray& list) {
  if (list.empty()) return "none";
  std::vector<std::string> names;
  for (const auto& item : list) {
    const base::Json* id = base::Find(item, "id");
    const base::Json& shown = id != nullptr ? *id : item;
    names.push_back(shown.is_string() ? std::string(std::string_view(shown.get_string())) : base::WriteJson(shown));
  }
  return FewNames(names);
}

// Words from `column` on, broken at blanks so that no line is longer than `width` where the words allow.
std::string Wrapped(std::string_view text, size_t width) {
  std::string lines;
  std::string line(kIndent, ' ');
  bool empty = true;
  for (const std::string_view word : base::SplitWords(text)) {
    if (!empty && Columns(line) + 1 + Columns(word) > width) {
      lines += line + "\n";
      line.assign(kIndent, ' ');
      empty = true;
    }
    if (!empty) line += " ";
    line += word;
    empty = false;
  }
  return empty ? lines : lines + line + "\n";
}

std::string CountText(std::span<const base::Finding> findings, base::Verdict verdict, std::string_view word) {
  std::vector<std::string> ids;
  for (const auto& finding : findings) {
    if (finding.verdict == verdict) ids.push_back(finding.id);
  }
  const bool names = verdict != base::Verdict::kPass && verdict != base::Verdict::kNotApplicable && !ids.empty();
  return names ? fmt::format("{} {} ({})", ids.size(), word, FewNames(ids)) : fmt::format("{} {}", ids.size(), word);
}

}  // namespace

std::string FindingValueText(const base::Finding& finding) {
  const base::Json& value = finding.value;
  if (value.is_null()) return "-";
  if (value.is_string()) return Printable(std::string_view(value.get_string()));
  if (value.is_array()) return Printable(ListText(value.get_array()));
  if (value.is_bool()) return value.get_bool() ? "yes" : "no";
  if (value.is_number()) return NumberText(value.to_number<double>(), finding.unit);
  return Printable(base::WriteJson(value));
}

std::string FormatFinding(const base::Finding& finding, const CheckReportOptions& options) {
  const std::string verdict = Padded(std::string(ShortName(finding.verdict)), kVerdictColumn - 1);
  std::string line = options.colour ? fmt::format("{}{}{}", Colour(finding.verdict), verdict, kPlain) : verdict;
  const std::string value = FindingValueText(finding);
  const std::string expectation = Printable(finding.expectation);
  std::string rest = Padded(finding.id, kIdColumn - 1) + Padded(value, kValueColumn - 1) + expectation;
  const size_t room = options.width > kVerdictColumn ? options.width - kVerdictColumn : 0;
  std::string below;
  if (Columns(rest) > room) {
    // What does not fit beside the id goes below it, whole.
    rest = Padded(finding.id, kIdColumn - 1);
    const bool value_fits = Columns(rest) + Columns(value) <= room;
    if (value_fits) rest += value;
    below = value_fits ? "" : Wrapped(value, options.width);
    if (!expectation.empty()) below += Wrapped("expected: " + expectation, options.width);
  }
  while (rest.ends_with(' ')) rest.pop_back();
  line += rest + "\n" + below;
  if (!finding.reason.empty()) line += Wrapped(Printable(finding.reason), options.width);
  return line;
}

std::string FormatCheckSummary(std::span<const base::Finding> findings) {
  std::string worst(base::VerdictName(base::WorstVerdict(findings)));
  std::transform(worst.begin(), worst.end(), worst.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  std::string text = fmt::format("{}: {}, {}, {}, {}", worst, CountText(findings, base::Verdict::kPass, "pass"),
                                 CountText(findings, base::Verdict::kFail, "fail"),
                                 CountText(findings, base::Verdict::kUnknown, "unknown"),
                                 CountText(findings, base::Verdict::kNotApplicable, "not applicable"));
  return text;
}

base::Json ChecksToJson(std::span<const base::Finding> findings) {
  base::JsonArray array;
  for (const auto& finding : findings) array.push_back(base::FindingToJson(finding));
  return base::JsonObject{{"verdict", base::VerdictName(base::WorstVerdict(findings))}, {"findings", std::move(array)}};
}

std::string FormatCheckList() {
  std::string text;
  for (const auto& row : CheckTable()) text += fmt::format("{:<{}}{}\n", row.id, kIdColumn, row.title);
  return text;
}

}  // namespace ashlar::node
