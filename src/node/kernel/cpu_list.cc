#include "node/kernel/cpu_list.h"

#include "node/kernel/text_scanner.h"
#include "node/limits.h"

namespace ashlar::node {

base::StatusOr<std::vector<uint32_t>> ParseCpuList(std::string_view text) {
  std::vector<uint32_t> cpus;
  const std::string_view trimmed = base::Trim(text);
  if (trimmed.empty()) return cpus;
  for (const std::string_view piece : base::Split(trimmed, ',')) {
    const size_t dash = piece.find('-');
    const auto first = base::ParseUint64(piece.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : base::ParseUint64(piece.substr(dash + 1));
    const bool in_order = first && (cpus.empty() || cpus.back() < *first);
    if (!in_order || !last || *last < *first || *last >= kMaxCpus) {
      return base::Error(base::StatusCode::kInvalidArgument, "`{}` is no list of processors", Excerpt(trimmed));
    }
    for (uint64_t cpu = *first; cpu <= *last; ++cpu) cpus.push_back(static_cast<uint32_t>(cpu));
  }
  return cpus;
}

std::string FormatCpuList(const std::vector<uint32_t>& cpus) {
  std::string text;
  for (size_t at = 0; at < cpus.size();) {
    size_t end = at;
    while (end + 1 < cpus.size() && cpus[end + 1] == cpus[end] + 1) ++end;
    if (!text.empty()) text += ',';
    text += end == at ? fmt::format("{}", cpus[at]) : fmt::format("{}-{}", cpus[at], cpus[end]);
    at = end + 1;
  }
  return text;
}

}  // namespace ashlar::node
