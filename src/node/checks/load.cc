#include "node/checks/load.h"

#include "node/checks/finding.h"
#include "node/checks/machine_facts.h"
#include "node/kernel/cpu_stat.h"

namespace ashlar::node {

// Five minutes: one is over with every compile, and fifteen still show a job that has ended.
std::vector<base::Finding> CheckLoad(const CheckContext& context) {
  base::Finding finding = StartFinding({"load", "/proc/loadavg, 5 minutes", "per processor"});
  const auto text = context.system.Read("/proc/loadavg");
  if (!text.ok()) return {CannotTell(std::move(finding), text.status())};
  const auto load = ParseLoadAverage(base::Trim(*text));
  if (!load.ok()) return {CannotTell(std::move(finding), load.status())};
  const auto processors = OnlineProcessors(context.system);
  if (!processors.ok()) return {CannotTell(std::move(finding), processors.status())};
  const double each = load->five_minutes / static_cast<double>(*processors);
  finding.value = each;
  const auto most = context.expectations.Number("load_per_processor");
  if (!most) return {CannotTell(std::move(finding), "state node.load_per_processor in the configuration")};
  Expect(finding, fmt::format("<= {:g}", most->value), most->source);
  if (each <= most->value) return {Pass(std::move(finding))};
  return {
      Fail(std::move(finding),
           fmt::format("{:.1f} tasks want to run on {} processors: see which (top, ps -eo state,pid,comm); tasks in "
                       "state D wait for a disk or a server",
                       load->five_minutes, *processors))};
}

}  // namespace ashlar::node
