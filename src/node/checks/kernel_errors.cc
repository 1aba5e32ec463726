#include "node/checks/kernel_errors.h"

#include <algorithm>

#include "node/checks/finding.h"
#include "node/checks/kernel_events.h"
#include "node/checks/process_stat.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kDevice = "/dev/kmsg";

struct KernelHistory {
  std::string text;  // owns what `log` looks at
  KernelLogText log;
  absl::Duration from;  // since boot
  absl::Time boot;
  absl::Duration window;  // zero: since boot
};

base::StatusOr<std::string> ReadLog(const CheckContext& context) {
  auto text = context.system.ReadLimited(kDevice, kMaxKernelLog);
  if (text.ok()) return text;
  auto fallback = context.kernel.KernelLog();
  if (fallback.ok()) return fallback;
  return base::Error(text.status().code(), "{}; {}: run as root, or allow it (sysctl kernel.dmesg_restrict=0)",
                     base::Message(text.status()), base::Message(fallback.status()));
}

base::Status ReadHistory(const CheckContext& context, KernelHistory& history) {
  ASHLAR_ASSIGN_OR_RETURN(const std::string uptime_text, context.system.Read("/proc/uptime"));
  ASHLAR_ASSIGN_OR_RETURN(const absl::Duration uptime, ParseUptime(uptime_text));
  ASHLAR_ASSIGN_OR_RETURN(history.text, ReadLog(context));
  ASHLAR_ASSIGN_OR_RETURN(history.log, ParseKernelLog(history.text));
  if (history.log.records.empty()) {
    return base::Error(base::StatusCode::kNotFound,
                       "the kernel's log is empty: this is a container, or it was cleared");
  }
  history.boot = context.clock.Now() - uptime;
  if (history.window > absl::ZeroDuration()) history.from = std::max(absl::ZeroDuration(), uptime - history.window);
  return base::OkStatus();
}

std::string FailReason(const std::vector<KernelEvent>& events) {
  std::vector<std::string> lines;
  for (const auto& event : events) {
    if (event.fault != FaultOf::kMachine) continue;
    const std::string subject = event.subject.empty() || !base::IsUtf8(event.subject) ? "" : " on " + event.subject;
    lines.push_back(fmt::format("{} times {}{}: {}", event.count, event.id, subject, event.action));
  }
  return FewNames(lines);
}

base::Finding Judge(base::Finding finding, std::vector<KernelEvent> events, const KernelHistory& history) {
  const bool too_many = events.size() > kMaxKernelEvents;
  const auto has = [&](FaultOf fault) {
    return std::any_of(events.begin(), events.end(), [&](const auto& event) { return event.fault == fault; });
  };
  const bool machine = has(FaultOf::kMachine);
  const bool unlisted = has(FaultOf::kUnlisted);
  const std::string reason = FailReason(events);
  base::JsonArray values;
  for (size_t index = 0; index < std::min(events.size(), kMaxKernelEvents); ++index) {
    values.push_back(KernelEventToJson(events[index], history.boot));
  }
  finding.value = std::move(values);
  if (machine) {
    return Fail(std::move(finding), too_many ? fmt::format("{}; {} kinds in all", reason, events.size()) : reason);
  }
  if (unlisted) {
    const auto event =
        std::find_if(events.begin(), events.end(), [](const auto& one) { return one.fault == FaultOf::kUnlisted; });
    return CannotTell(std::move(finding), fmt::format("{}: {}", event->id, event->action));
  }
  if (history.log.unreadable_lines > 0) {
    return CannotTell(std::move(finding), fmt::format("{} lines of the log cannot be read: see them with dmesg -r",
                                                      history.log.unreadable_lines));
  }
  return Pass(std::move(finding));
}

std::string ExpectationText(const KernelHistory& history) {
  std::string text = history.window > absl::ZeroDuration()
                         ? fmt::format("none in the last {:g} h", absl::ToDoubleHours(history.window))
                         : "none since boot";
  const absl::Duration oldest = history.log.records.front().since_boot;
  if (oldest > history.from && !history.log.from_boot) text += "; the log begins later";
  return text;
}

}  // namespace

// One reading of the log for all classes; a log that cannot be read leaves every class open.
std::vector<base::Finding> CheckKernelErrors(const CheckContext& context) {
  base::Finding whole = StartFinding({"kernel-errors", "/dev/kmsg"});
  const auto rules = KernelEventRules::Load();
  if (!rules.ok()) return {CannotTell(std::move(whole), rules.status())};
  const auto window = context.expectations.Number("kernel_log_window_hours");
  if (!window) return {CannotTell(std::move(whole), "state node.kernel_log_window_hours in the configuration")};
  KernelHistory history;
  history.window = absl::Hours(window->value);
  const base::Status status = ReadHistory(context, history);
  std::vector<base::Finding> findings;
  const auto events = FindKernelEvents(*rules, history.log, history.from);
  for (const auto& row : rules->classes()) {
    base::Finding finding = StartFinding({fmt::format("kernel-errors-{}", row.id), "/dev/kmsg"});
    if (!status.ok()) {
      findings.push_back(CannotTell(std::move(finding), status));
      continue;
    }
    Expect(finding, ExpectationText(history), window->source);
    std::vector<KernelEvent> own;
    std::copy_if(events.begin(), events.end(), std::back_inserter(own),
                 [&](const auto& event) { return event.class_id == row.id; });
    findings.push_back(Judge(std::move(finding), std::move(own), history));
  }
  return findings;
}

}  // namespace ashlar::node
