#include "node/checks/transparent_huge_pages.h"

#include <algorithm>

#include "node/checks/finding.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kSetting = "/sys/kernel/mm/transparent_hugepage/enabled";

// "always [madvise] never": the one in brackets holds. Source: Linux Documentation/admin-guide/mm/transhuge.rst.
std::optional<std::string> Chosen(std::string_view text) {
  std::optional<std::string> chosen;
  for (const std::string_view word : base::SplitWords(text)) {
    if (!word.starts_with('[') || !word.ends_with(']') || word.size() <= 2) continue;
    if (chosen) return std::nullopt;
    chosen = std::string(word.substr(1, word.size() - 2));
  }
  return chosen;
}

}  // namespace

// A kernel without the feature has no folder for it; a machine whose /sys cannot be read has no /sys/kernel either.
std::vector<base::Finding> CheckTransparentHugePages(const CheckContext& context) {
  base::Finding finding = StartFinding({"transparent-huge-pages", kSetting});
  const auto text = context.system.ReadTrimmed(kSetting);
  if (text.status().code() == base::StatusCode::kNotFound && context.system.Exists("/sys/kernel")) {
    return {DoesNotApply(std::move(finding), "this kernel has no transparent huge pages")};
  }
  if (!text.ok()) return {CannotTell(std::move(finding), text.status())};
  const auto chosen = Chosen(*text);
  if (!chosen) return {CannotTell(std::move(finding), fmt::format("{}: \"{}\" chooses nothing", kSetting, *text))};
  finding.value = *chosen;
  const auto fine = context.expectations.TextList("transparent_huge_pages");
  if (!fine) return {CannotTell(std::move(finding), "state node.transparent_huge_pages in the configuration")};
  Expect(finding, base::Join(fine->value, " or "), fine->source);
  if (std::find(fine->value.begin(), fine->value.end(), *chosen) != fine->value.end())
    return {Pass(std::move(finding))};
  return {Fail(std::move(finding), fmt::format("set it: echo {} > {} (and transparent_hugepage={} on the kernel's "
                                               "command line)",
                                               fine->value.empty() ? "madvise" : fine->value[0], kSetting,
                                               fine->value.empty() ? "madvise" : fine->value[0]))};
}

}  // namespace ashlar::node
