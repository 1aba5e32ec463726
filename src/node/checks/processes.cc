#include "node/checks/processes.h"

#include "node/checks/finding.h"
#include "node/checks/process_stat.h"

namespace ashlar::node {
namespace {

struct ProcessLists {
  std::vector<std::string> blocked;
  std::vector<std::string> zombies;
  std::vector<std::string> runaways;
};

// What makes an orphan a runaway; absent when nothing is stated.
struct RunawayRule {
  double share = 0;
  absl::Duration age;
  std::vector<std::string> allowed;
};

std::string Label(const ProcessStat& process) { return fmt::format("{} ({})", process.name, process.pid); }

// A process whose parent ended and that has kept a processor busy for most of its life: a rank that a job left behind
// spins so, waiting for peers that are gone.
bool IsRunaway(const ProcessStat& process, const RunawayRule& rule, absl::Duration uptime) {
  const absl::Duration age = uptime - process.started;
  if (process.parent != 1 || process.is_kernel_thread || process.pid == 1) return false;
  if (age < rule.age || age <= absl::ZeroDuration() || MatchesAny(rule.allowed, process.name)) return false;
  return absl::FDivDuration(process.processor_time, age) >= rule.share;
}

base::StatusOr<ProcessLists> ReadProcesses(const os::SysReader& system, const RunawayRule& rule) {
  ASHLAR_ASSIGN_OR_RETURN(const std::string uptime_text, system.Read("/proc/uptime"));
  ASHLAR_ASSIGN_OR_RETURN(const absl::Duration uptime, ParseUptime(uptime_text));
  ASHLAR_ASSIGN_OR_RETURN(const auto names, system.List("/proc"));
  ProcessLists lists;
  size_t count = 0;
  for (const auto& name : names) {
    if (!base::ParseUint64(name)) continue;
    if (++count > kMaxProcesses) {
      return base::Error(base::StatusCode::kResourceExhausted, "/proc: more than {} processes", kMaxProcesses);
    }
    const auto text = system.Read(fmt::format("/proc/{}/stat", name));
    if (!text.ok()) {
      // A process may end while the list is walked: its file is gone (ENOENT) or gives nothing (ESRCH).
      if (!system.Exists(fmt::format("/proc/{}/stat", name))) continue;
      return text.status();
    }
    ASHLAR_ASSIGN_OR_RETURN(const ProcessStat process, ParseProcessStat(*text));
    if (process.state == 'D') lists.blocked.push_back(Label(process));
    if (process.state == 'Z') lists.zombies.push_back(Label(process));
    if (IsRunaway(process, rule, uptime)) lists.runaways.push_back(Label(process));
  }
  if (count == 0) return base::Error(base::StatusCode::kNotFound, "/proc lists no process");
  return lists;
}

base::Finding JudgeCount(base::Finding finding, const std::vector<std::string>& names,
                         const std::optional<Expected<uint64_t>>& most, std::string_view advice) {
  finding.value = names.size();
  if (!most) return CannotTell(std::move(finding), "state the number in the configuration; see docs/checks.md");
  Expect(finding, fmt::format("<= {}", most->value), most->source);
  if (names.size() <= most->value) return Pass(std::move(finding));
  return Fail(std::move(finding), fmt::format("{}: {}", FewNames(names), advice));
}

base::Finding JudgeRunaways(base::Finding finding, const std::vector<std::string>& names, const RunawayRule& rule,
                            const std::string& source) {
  finding.value = NamesToJson(names);
  Expect(finding,
         fmt::format("no orphan at {} of a processor for {}", Percent(rule.share), base::HumanDuration(rule.age)),
         source);
  if (names.empty()) return Pass(std::move(finding));
  return Fail(std::move(finding), fmt::format("{}: a job left it behind, or it is a service gone wild: end it (kill), "
                                              "or name it in node.runaway_allowed",
                                              FewNames(names)));
}

}  // namespace

// All three come from one walk over /proc: it is the dear part of the check.
std::vector<base::Finding> CheckProcesses(const CheckContext& context) {
  const auto& expectations = context.expectations;
  base::Finding blocked = StartFinding({"processes-blocked", "/proc/*/stat state D", "processes"});
  base::Finding zombies = StartFinding({"processes-zombie", "/proc/*/stat state Z", "processes"});
  base::Finding runaways = StartFinding({"processes-runaway", "/proc/*/stat utime, stime, starttime"});
  const auto share = expectations.Number("runaway_cpu_share");
  const auto age = expectations.Number("runaway_age_seconds");
  const auto allowed = expectations.TextList("runaway_allowed");
  RunawayRule rule{.share = share ? share->value : 2, .age = absl::Seconds(age ? age->value : 0)};
  if (allowed) rule.allowed = allowed->value;
  const auto lists = ReadProcesses(context.system, rule);
  if (!lists.ok()) {
    return {CannotTell(std::move(blocked), lists.status()), CannotTell(std::move(zombies), lists.status()),
            CannotTell(std::move(runaways), lists.status())};
  }
  runaways = share && age ? JudgeRunaways(std::move(runaways), lists->runaways, rule, share->source)
                          : CannotTell(std::move(runaways), "state node.runaway_cpu_share and runaway_age_seconds");
  return {JudgeCount(std::move(blocked), lists->blocked, expectations.Whole("blocked_processes"),
                     "they wait for a disk or a server that does not answer: see /proc/PID/stack and the mounts"),
          JudgeCount(std::move(zombies), lists->zombies, expectations.Whole("zombie_processes"),
                     "their parents do not reap them: restart the parent (ps -o ppid= -p PID)"),
          std::move(runaways)};
}

}  // namespace ashlar::node
