#include "node/checks/swap.h"

#include "node/checks/finding.h"
#include "node/kernel/meminfo.h"

namespace ashlar::node {

// No swap at all is fine: that is how the images of the field are made.
std::vector<base::Finding> CheckSwap(const CheckContext& context) {
  base::Finding finding = StartFinding({"swap", "/proc/meminfo SwapTotal, SwapFree", "bytes"});
  const auto text = context.system.Read("/proc/meminfo");
  if (!text.ok()) return {CannotTell(std::move(finding), text.status())};
  std::vector<MeminfoEntry> entries;
  const base::Status parsed = ParseMeminfo(*text, entries);
  if (!parsed.ok()) return {CannotTell(std::move(finding), parsed)};
  const auto total = FindMeminfo(entries, "SwapTotal");
  const auto unused = FindMeminfo(entries, "SwapFree");
  if (!total || !unused || *unused > *total) {
    return {CannotTell(std::move(finding), "/proc/meminfo: SwapTotal and SwapFree are missing or impossible")};
  }
  finding.value = *total - *unused;
  const auto most = context.expectations.Number("swap_used_share");
  if (!most) return {CannotTell(std::move(finding), "state node.swap_used_share in the configuration")};
  Expect(finding, fmt::format("<= {} of {}", Percent(most->value), base::HumanBytes({*total})), most->source);
  if (*total == 0) return {Pass(std::move(finding))};
  const double share = static_cast<double>(*total - *unused) / static_cast<double>(*total);
  if (share <= most->value) return {Pass(std::move(finding))};
  return {Fail(std::move(finding), fmt::format("{} of the swap is in use: find what holds the memory (smem, top), stop "
                                               "it, then swapoff -a && swapon -a",
                                               Percent(share)))};
}

}  // namespace ashlar::node
