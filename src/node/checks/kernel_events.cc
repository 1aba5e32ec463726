#include "node/checks/kernel_events.h"

#include <algorithm>
#include <optional>

namespace ashlar::node {
namespace {

constexpr size_t kTextBytes = 200;
constexpr std::string_view kRulesFile = "node/kernel_events.yaml";
constexpr std::string_view kXidFile = "node/xid.yaml";
constexpr std::string_view kGpuClass = "gpu";

base::StatusOr<FaultOf> ParseFault(std::string_view text) {
  if (text == "machine") return FaultOf::kMachine;
  if (text == "noted") return FaultOf::kNoted;
  return base::Error(base::StatusCode::kInternal, "fault: want machine or noted, found \"{}\"", text);
}

std::string_view FaultName(FaultOf fault) {
  switch (fault) {
    case FaultOf::kMachine: return "machine";
    case FaultOf::kNoted: return "noted";
    case FaultOf::kUnlisted: return "unlisted";
  }
  return "";
}

base::StatusOr<const base::JsonArray*> ArrayOf(const base::Json& json, std::string_view key) {
  const base::Json* found = base::Find(json, key);
  if (found == nullptr || !found->is_array()) {
    return base::Error(base::StatusCode::kInternal, "data/{}: want a list `{}`", kRulesFile, key);
  }
  return &found->get_array();
}

// A driver's error line: "NVRM: Xid (PCI:0000:3b:00): 79, pid=..." or "nvidia-nvswitch3: SXid (PCI:...): 12028, ...".
struct GpuErrorLine {
  bool is_switch = false;
  std::string_view device;
  uint64_t number = 0;
  std::string_view rest;
};

std::optional<GpuErrorLine> ParseGpuErrorLine(std::string_view text) {
  constexpr std::string_view kMark = "Xid (";
  const size_t mark = text.find(kMark);
  if (mark == std::string_view::npos) return std::nullopt;
  GpuErrorLine line;
  line.is_switch = mark > 0 && text[mark - 1] == 'S';
  const std::string_view after = text.substr(mark + kMark.size());
  const size_t close = after.find("): ");
  if (close == std::string_view::npos) return std::nullopt;
  line.device = after.substr(0, close);
  const std::string_view tail = after.substr(close + 3);
  const size_t digits = std::min(tail.find_first_not_of("0123456789"), tail.size());
  const auto number = base::ParseUint64(tail.substr(0, digits));
  if (!number) return std::nullopt;
  line.number = *number;
  line.rest = tail.substr(digits);
  return line;
}

std::string CutText(std::string_view text) { return std::string(text.substr(0, kTextBytes)); }

}  // namespace

base::StatusOr<KernelEventRules> KernelEventRules::Load() {
  KernelEventRules rules;
  ASHLAR_RETURN_IF_ERROR(rules.LoadRules());
  ASHLAR_RETURN_IF_ERROR(rules.LoadGpuErrors());
  return rules;
}

base::Status KernelEventRules::LoadRules() {
  ASHLAR_ASSIGN_OR_RETURN(const base::Json json, base::EmbeddedYaml(kRulesFile));
  ASHLAR_ASSIGN_OR_RETURN(const base::JsonArray* classes, ArrayOf(json, "classes"));
  for (const auto& item : *classes) {
    ASHLAR_ASSIGN_OR_RETURN(std::string id, base::GetString(item, "id"));
    ASHLAR_ASSIGN_OR_RETURN(std::string title, base::GetString(item, "title"));
    classes_.push_back({std::move(id), std::move(title)});
  }
  ASHLAR_ASSIGN_OR_RETURN(const base::JsonArray* rules, ArrayOf(json, "rules"));
  for (const auto& item : *rules) {
    Rule rule;
    ASHLAR_ASSIGN_OR_RETURN(rule.class_id, base::GetString(item, "class"));
    ASHLAR_ASSIGN_OR_RETURN(rule.id, base::GetString(item, "id"));
    ASHLAR_ASSIGN_OR_RETURN(rule.pattern, base::GetString(item, "match"));
    ASHLAR_ASSIGN_OR_RETURN(rule.action, base::GetString(item, "action"));
    ASHLAR_ASSIGN_OR_RETURN(const std::string fault, base::GetString(item, "fault"));
    ASHLAR_ASSIGN_OR_RETURN(rule.fault, ParseFault(fault));
    const bool known =
        std::any_of(classes_.begin(), classes_.end(), [&](const auto& one) { return one.id == rule.class_id; });
    if (!known) return base::Error(base::StatusCode::kInternal, "data/{}: {}: unknown class", kRulesFile, rule.id);
    rules_.push_back(std::move(rule));
  }
  return base::OkStatus();
}

base::Status KernelEventRules::LoadGpuErrors() {
  ASHLAR_ASSIGN_OR_RETURN(const base::Json json, base::EmbeddedYaml(kXidFile));
  const base::Json* numbers = base::Find(json, "xids");
  const base::Json* actions = base::Find(json, "actions");
  if (numbers == nullptr || !numbers->is_object() || actions == nullptr) {
    return base::Error(base::StatusCode::kInternal, "data/{}: want `actions` and `xids`", kXidFile);
  }
  for (const auto& member : numbers->get_object()) {
    const auto number = base::ParseUint64(std::string_view(member.key()));
    ASHLAR_ASSIGN_OR_RETURN(const std::string action, base::GetString(member.value(), "action"));
    const base::Json* row = base::Find(*actions, action);
    if (!number || row == nullptr) {
      return base::Error(base::StatusCode::kInternal, "data/{}: entry {}: want a number and a known action", kXidFile,
                         std::string_view(member.key()));
    }
    GpuError error;
    ASHLAR_ASSIGN_OR_RETURN(error.name, base::GetString(member.value(), "name"));
    ASHLAR_ASSIGN_OR_RETURN(error.action, base::GetString(*row, "text"));
    ASHLAR_ASSIGN_OR_RETURN(const std::string fault, base::GetString(*row, "fault"));
    ASHLAR_ASSIGN_OR_RETURN(error.fault, ParseFault(fault));
    gpu_errors_.emplace(*number, std::move(error));
  }
  return base::OkStatus();
}

std::optional<KernelEvent> KernelEventRules::MatchGpuError(std::string_view text) const {
  const auto line = ParseGpuErrorLine(text);
  if (!line) return std::nullopt;
  KernelEvent event{.class_id = std::string(kGpuClass), .subject = std::string(line->device), .text = CutText(text)};
  if (line->is_switch) {
    // NVSwitch says itself whether it is fatal: "SXid (PCI:...): 12028, Non-fatal, Link 32 ...".
    event.id = fmt::format("sxid-{}", line->number);
    const bool harmless = base::Lowercase(line->rest).find("non-fatal") != std::string::npos;
    event.fault = harmless ? FaultOf::kNoted : FaultOf::kMachine;
    event.action = harmless ? "watch it; nothing to do while it stays rare"
                            : "reset the GPUs and the NVSwitch (or reboot); if it comes back, report the machine";
    return event;
  }
  event.id = fmt::format("xid-{}", line->number);
  const auto known = gpu_errors_.find(line->number);
  if (known == gpu_errors_.end()) {
    event.fault = FaultOf::kUnlisted;
    event.action = "look the number up in NVIDIA's Xid catalogue; data/node/xid.yaml does not have it";
    return event;
  }
  event.fault = known->second.fault;
  event.action = fmt::format("{}: {}", known->second.name, known->second.action);
  return event;
}

std::optional<KernelEvent> KernelEventRules::Match(std::string_view text) const {
  if (auto gpu = MatchGpuError(text)) return gpu;
  for (const auto& rule : rules_) {
    if (!base::GlobMatch(rule.pattern, text)) continue;
    return KernelEvent{.class_id = rule.class_id,
                       .id = rule.id,
                       .subject = "",
                       .fault = rule.fault,
                       .action = rule.action,
                       .text = CutText(text)};
  }
  return std::nullopt;
}

std::vector<KernelEvent> FindKernelEvents(const KernelEventRules& rules, const KernelLogText& log,
                                          absl::Duration from) {
  std::vector<KernelEvent> events;
  std::map<std::pair<std::string, std::string>, size_t> places;
  for (const auto& record : log.records) {
    if (!record.from_kernel || record.since_boot < from) continue;
    auto event = rules.Match(record.text);
    if (!event) continue;
    const auto [place, is_new] = places.try_emplace({event->id, event->subject}, events.size());
    if (is_new) {
      event->first_seen = record.since_boot;
      events.push_back(*std::move(event));
    }
    KernelEvent& kept = events[place->second];
    kept.last_seen = std::max(kept.last_seen, record.since_boot);
    kept.text = CutText(record.text);
    ++kept.count;
  }
  return events;
}

base::Json KernelEventToJson(const KernelEvent& event, absl::Time boot) {
  // The log may hold any byte; JSON only UTF-8.
  const std::string text = base::IsUtf8(event.text) ? event.text : "(text is not UTF-8)";
  const std::string subject = base::IsUtf8(event.subject) ? event.subject : "(not UTF-8)";
  return base::JsonObject{{"id", event.id},
                          {"subject", subject},
                          {"count", event.count},
                          {"first_seen", base::Rfc3339(boot + event.first_seen)},
                          {"last_seen", base::Rfc3339(boot + event.last_seen)},
                          {"fault", FaultName(event.fault)},
                          {"action", event.action},
                          {"text", text}};
}

}  // namespace ashlar::node
