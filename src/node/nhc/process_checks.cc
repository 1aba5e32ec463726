#include "node/nhc/process_checks.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "node/checks/finding.h"
#include "node/kernel/cpu_stat.h"
#include "node/nhc/arguments.h"
#include "node/nhc/match.h"
#include "node/nhc/process_list.h"

namespace ashlar::node {
namespace {

using Arguments = std::vector<std::string>;

// Which processes are meant, and whether one must be there or none may.
struct ProcessPlan {
  std::string part;    // of the command line; "" when `match` says it
  std::string match;   // expression for the first word, or for all of it
  bool whole = false;  // `match` is for the whole command line
  std::string owner;   // expression for the user's name; "" is any
  bool wanted = true;  // false: none may run
  std::string note;    // what of the line is not done
};

std::string PlanText(const ProcessPlan& plan) {
  std::string text = plan.part.empty() ? fmt::format("a process {}", plan.match)
                                       : fmt::format("a process with \"{}\" in its command line", plan.part);
  if (!plan.owner.empty()) text += fmt::format(" of {}", plan.owner);
  return fmt::format("{}{} runs{}", plan.wanted ? "" : "not ", text, plan.note);
}

base::StatusOr<bool> IsMeant(const ProcessPlan& plan, const RunningProcess& process) {
  if (!plan.part.empty()) return process.arguments.find(plan.part) != std::string::npos;
  const std::string text = plan.whole ? process.arguments : process.arguments.substr(0, process.arguments.find(' '));
  return MatchesNhc(plan.match, text);
}

// Absent when the process's user has no name in /etc/passwd: a directory service may know one.
base::StatusOr<std::optional<bool>> IsOwned(const ProcessPlan& plan, const RunningProcess& process) {
  if (plan.owner.empty()) return std::optional<bool>(true);
  if (base::ParseUint64(plan.owner)) return std::optional<bool>(std::to_string(process.user_id) == plan.owner);
  if (process.user.empty()) return std::optional<bool>();
  ASHLAR_ASSIGN_OR_RETURN(const bool matches, MatchesNhc(plan.owner, process.user));
  return std::optional<bool>(matches);
}

struct ProcessesSeen {
  std::vector<std::string> found;     // "sshd (712)"
  std::vector<std::string> nameless;  // would be, if their users had the owner's name
};

base::StatusOr<ProcessesSeen> LookFor(const ProcessPlan& plan, const std::vector<RunningProcess>& processes) {
  constexpr size_t kShown = 60;
  ProcessesSeen seen;
  for (const auto& process : processes) {
    ASHLAR_ASSIGN_OR_RETURN(const bool meant, IsMeant(plan, process));
    if (!meant) continue;
    ASHLAR_ASSIGN_OR_RETURN(const std::optional<bool> owned, IsOwned(plan, process));
    const std::string label = fmt::format("{} ({})", base::Utf8Text(process.arguments.substr(0, kShown)), process.pid);
    if (!owned) seen.nameless.push_back(fmt::format("{} of user {}", label, process.user_id));
    if (owned && *owned) seen.found.push_back(label);
  }
  return seen;
}

base::Finding CheckProcess(const CheckContext& context, const ProcessPlan& plan) {
  base::Finding finding = StartFinding({"process", "/proc/*/{cmdline,status}"});
  Expect(finding, PlanText(plan), "");
  const auto processes = ReadRunningProcesses(context.system);
  if (!processes.ok()) return CannotTell(std::move(finding), processes.status());
  const auto seen = LookFor(plan, *processes);
  if (!seen.ok()) return CannotTell(std::move(finding), seen.status());
  finding.value = NamesToJson(seen->found);
  if (plan.wanted && !seen->found.empty()) return Pass(std::move(finding));
  if (!plan.wanted && !seen->found.empty()) {
    return Fail(std::move(finding), fmt::format("{} should not run: stop it", FewNames(seen->found)));
  }
  if (!seen->nameless.empty()) {
    return CannotTell(std::move(finding),
                      fmt::format("{} has no name in /etc/passwd: name the owner by number", FewNames(seen->nameless)));
  }
  if (!plan.wanted) return Pass(std::move(finding));
  return Fail(std::move(finding), "no such process runs: start the service (systemctl start NAME), read its log");
}

base::StatusOr<MappedCheck> MapProcess(ProcessPlan plan) {
  if (!plan.part.empty() && plan.part.find_first_of("*?[\\") != std::string::npos) {
    return base::Error(base::StatusCode::kUnimplemented, "\"{}\" is a glob: use check_ps_service -m with an expression",
                       plan.part);
  }
  if (plan.part.empty()) ASHLAR_RETURN_IF_ERROR(NhcMatch::Parse(plan.match).status());
  if (!plan.owner.empty()) ASHLAR_RETURN_IF_ERROR(NhcMatch::Parse(plan.owner).status());
  return MappedCheck{.becomes = "/proc: " + PlanText(plan),
                     .run = [plan](const CheckContext& context) { return CheckProcess(context, plan); }};
}

// NAME [OWNER [ARGUMENTS]]
base::StatusOr<MappedCheck> MapByPart(const Arguments& arguments, bool wanted) {
  ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 1, 3, "NAME [OWNER [ARGUMENTS]]"));
  ProcessPlan plan{.part = arguments[0], .wanted = wanted};
  if (arguments.size() > 1) plan.owner = arguments[1];
  // NHC compares the owner of a daemon as it stands, that of a forbidden one by expression.
  if (wanted && plan.owner.find_first_of("!*?[{/") != std::string::npos) {
    return base::Error(base::StatusCode::kInvalidArgument, "{} is no user: use check_ps_service -u with an expression",
                       plan.owner);
  }
  if (arguments.size() > 2 && !arguments[2].empty()) plan.part += " " + arguments[2];
  return MapProcess(std::move(plan));
}

base::Status AddServiceOption(char letter, const std::string& value, ProcessPlan& plan) {
  switch (letter) {
    case 'f': plan.whole = true; return base::OkStatus();
    case 'm': plan.match = value; return base::OkStatus();
    case 'u': plan.owner = value; return base::OkStatus();
    case 'd': return base::OkStatus();
    case 'S':
    case 'r':
    case 'c': plan.note = "; nothing is started"; return base::OkStatus();
    case 's':
    case 'k':
      plan.wanted = false;
      plan.note = "; nothing is stopped";
      return base::OkStatus();
    // How NHC verifies the repair that is not done here.
    case 'v':
    case 'V': return base::OkStatus();
    case '0':
      return base::Error(base::StatusCode::kUnimplemented,
                         "-0 asks for a note that never fails, and there is no such verdict: leave -0 out");
    default:
      return base::Error(base::StatusCode::kUnimplemented,
                         "-{} runs a command, and no command is run here: leave it out", letter);
  }
}

struct LoadPlan {
  std::optional<uint64_t> most[3];  // over 1, 5 and 15 minutes
};

std::string PlanText(const LoadPlan& plan) {
  constexpr uint64_t kMinutes[] = {1, 5, 15};
  std::vector<std::string> limits;
  for (size_t index = 0; index < std::size(kMinutes); ++index) {
    if (plan.most[index]) limits.push_back(fmt::format("< {} over {} min", *plan.most[index], kMinutes[index]));
  }
  return base::Join(limits, ", ");
}

base::Finding CheckLoadavg(const CheckContext& context, const LoadPlan& plan) {
  base::Finding finding = StartFinding({"loadavg", "/proc/loadavg"});
  Expect(finding, PlanText(plan), "");
  const auto text = context.system.Read("/proc/loadavg");
  const auto load = text.ok() ? ParseLoadAverage(base::Trim(*text)) : text.status();
  if (!load.ok()) return CannotTell(std::move(finding), load.status());
  const double seen[] = {load->one_minute, load->five_minutes, load->fifteen_minutes};
  finding.value = fmt::format("{:g}, {:g}, {:g}", seen[0], seen[1], seen[2]);
  for (size_t index = 0; index < std::size(seen); ++index) {
    // NHC drops the fraction, so 24.9 is below 25 and 25.0 is not: a comparison of the numbers gives the same.
    if (!plan.most[index] || seen[index] < static_cast<double>(*plan.most[index])) continue;
    return Fail(std::move(finding), "the load is at the line's limit: see which tasks (top, ps -eo state,pid,comm)");
  }
  return Pass(std::move(finding));
}

}  // namespace

base::StatusOr<MappedCheck> MapPsDaemon(const Arguments& arguments) { return MapByPart(arguments, true); }

base::StatusOr<MappedCheck> MapPsBlacklist(const Arguments& arguments) { return MapByPart(arguments, false); }

base::StatusOr<MappedCheck> MapPsService(const Arguments& arguments) {
  ASHLAR_ASSIGN_OR_RETURN(const NhcOptions options, ParseNhcOptions(arguments, "0E:SVcd:e:fkm:rsu:v"));
  ProcessPlan plan;
  for (const auto& [letter, value] : options.given) ASHLAR_RETURN_IF_ERROR(AddServiceOption(letter, value, plan));
  const std::string service = base::Join(options.rest, " ");
  if (service.empty()) return base::Error(base::StatusCode::kInvalidArgument, "want the name of a service");
  const std::string daemon = options.Has('d') ? options.Value('d') : service;
  if (plan.match.empty()) plan.match = "*" + daemon;
  return MapProcess(std::move(plan));
}

base::StatusOr<MappedCheck> MapPsLoadavg(const Arguments& arguments) {
  LoadPlan plan;
  ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 0, std::size(plan.most), "LIMIT1 [LIMIT5 [LIMIT15]]"));
  bool any = false;
  for (size_t index = 0; index < arguments.size(); ++index) {
    if (arguments[index].empty()) continue;
    ASHLAR_ASSIGN_OR_RETURN(plan.most[index], ParseNhcNumber(arguments[index]));
    any = true;
  }
  if (!any) return base::Error(base::StatusCode::kInvalidArgument, "want LIMIT1 [LIMIT5 [LIMIT15]]");
  return MappedCheck{.becomes = "/proc/loadavg: " + PlanText(plan),
                     .run = [plan](const CheckContext& context) { return CheckLoadavg(context, plan); }};
}

}  // namespace ashlar::node
