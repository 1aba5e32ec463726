// check_fs_mount and its two shortcuts.
#include <algorithm>

#include "node/checks/finding.h"
#include "node/checks/mounts.h"
#include "node/nhc/arguments.h"
#include "node/nhc/match.h"
#include "node/nhc/storage_checks.h"

namespace ashlar::node {
namespace {

using Arguments = std::vector<std::string>;

constexpr std::string_view kUsage = "FOLDER [SOURCE [TYPE [OPTIONS]]], or -f FOLDER [-s SOURCE] [-t TYPE] [-o OPTIONS]";

// All expressions of a list must match; as text, since a mapped check is copied.
struct MountPlan {
  std::vector<std::string> folders;
  std::vector<std::string> sources;
  std::vector<std::string> types;
  std::vector<std::string> options;
  std::string note;  // what of the line is not done
};

void AddNonEmpty(std::vector<std::string>& list, const std::string& text) {
  if (!text.empty()) list.push_back(text);
}

base::Status AddOption(char letter, const std::string& value, MountPlan& plan) {
  switch (letter) {
    case 'f': plan.folders.push_back(value); return base::OkStatus();
    case 's': AddNonEmpty(plan.sources, value); return base::OkStatus();
    case 't': AddNonEmpty(plan.types, value); return base::OkStatus();
    case 'o': AddNonEmpty(plan.options, value); return base::OkStatus();
    case 'r':
    case 'O': plan.note = "; nothing is remounted"; return base::OkStatus();
    case '0':
      return base::Error(base::StatusCode::kUnimplemented,
                         "-0 asks for a note that never fails, and there is no such verdict: leave -0 out");
    case 'F':
      return base::Error(base::StatusCode::kUnimplemented,
                         "-F has the automounter mount it, and nothing is changed here: write -f");
    default:
      return base::Error(base::StatusCode::kUnimplemented,
                         "-{} runs a command, and no command is run here: leave it out", letter);
  }
}

base::StatusOr<MountPlan> ReadMountPlan(const Arguments& arguments) {
  MountPlan plan;
  if (!arguments.empty() && arguments[0].starts_with('/')) {
    ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 1, 4, kUsage));
    plan.folders.push_back(arguments[0]);
    if (arguments.size() > 1) AddNonEmpty(plan.sources, arguments[1]);
    if (arguments.size() > 2) AddNonEmpty(plan.types, arguments[2]);
    if (arguments.size() > 3) AddNonEmpty(plan.options, arguments[3]);
    return plan;
  }
  ASHLAR_ASSIGN_OR_RETURN(const NhcOptions options, ParseNhcOptions(arguments, "0rE:F:O:e:f:o:s:t:"));
  for (const auto& [letter, value] : options.given) ASHLAR_RETURN_IF_ERROR(AddOption(letter, value, plan));
  plan.folders.insert(plan.folders.end(), options.rest.begin(), options.rest.end());
  const bool absolute = std::all_of(plan.folders.begin(), plan.folders.end(),
                                    [](const std::string& folder) { return folder.starts_with('/'); });
  if (plan.folders.empty() || !absolute) return base::Error(base::StatusCode::kInvalidArgument, "want {}", kUsage);
  return plan;
}

std::string PlanText(const MountPlan& plan) {
  std::string text = base::Join(plan.folders, ", ") + " mounted";
  const auto add = [&](std::string_view what, const std::vector<std::string>& list) {
    if (!list.empty()) text += fmt::format(", {} {}", what, base::Join(list, " and "));
  };
  add("from", plan.sources);
  add("type", plan.types);
  add("options", plan.options);
  return text + plan.note;
}

// As /proc/mounts has them: one of ro and rw, of mount and file system together.
std::string OptionsText(const MountLine& mount) {
  std::string text = mount.read_only ? "ro" : "rw";
  for (const auto& option : mount.options) {
    if (option != "ro" && option != "rw") text += "," + option;
  }
  return text;
}

base::StatusOr<bool> AllMatch(const std::vector<std::string>& expressions, const std::string& text) {
  for (const auto& expression : expressions) {
    ASHLAR_ASSIGN_OR_RETURN(const bool matches, MatchesNhc(expression, text));
    if (!matches) return false;
  }
  return true;
}

// Why `mount` is not as the plan wants it; "" when it is.
base::StatusOr<std::string> Difference(const MountPlan& plan, const MountLine& mount) {
  const std::string options = OptionsText(mount);
  ASHLAR_ASSIGN_OR_RETURN(const bool source, AllMatch(plan.sources, mount.device));
  if (!source) return fmt::format("{} is mounted from {}", mount.mount_point, mount.device);
  ASHLAR_ASSIGN_OR_RETURN(const bool type, AllMatch(plan.types, mount.type));
  if (!type) return fmt::format("{} has the type {}", mount.mount_point, mount.type);
  ASHLAR_ASSIGN_OR_RETURN(const bool fits, AllMatch(plan.options, options));
  if (!fits) return fmt::format("{} has the options {}", mount.mount_point, options);
  return std::string();
}

base::StatusOr<std::vector<std::string>> Differences(const MountPlan& plan, const std::vector<MountLine>& mounts) {
  std::vector<std::string> faults;
  for (const auto& folder : plan.folders) {
    // The last mount over a folder is the one that is seen.
    const auto found = std::find_if(mounts.rbegin(), mounts.rend(),
                                    [&](const MountLine& mount) { return mount.mount_point == folder; });
    if (found == mounts.rend()) {
      faults.push_back(fmt::format("{} is not mounted", folder));
      continue;
    }
    ASHLAR_ASSIGN_OR_RETURN(const std::string fault, Difference(plan, *found));
    AddNonEmpty(faults, fault);
  }
  return faults;
}

base::Finding CheckMount(const CheckContext& context, const MountPlan& plan) {
  base::Finding finding = StartFinding({"mount", "/proc/self/mountinfo"});
  Expect(finding, PlanText(plan), "");
  const auto mounts = ReadMounts(context.system);
  if (!mounts.ok()) return CannotTell(std::move(finding), mounts.status());
  const auto faults = Differences(plan, *mounts);
  if (!faults.ok()) return CannotTell(std::move(finding), faults.status());
  finding.value = fmt::format("{} of {}", plan.folders.size() - faults->size(), plan.folders.size());
  if (faults->empty()) return Pass(std::move(finding));
  return Fail(std::move(finding),
              fmt::format("{}: look at /etc/fstab and the kernel log, mount it again", FewNames(*faults)));
}

base::StatusOr<MappedCheck> MapMount(const Arguments& arguments, const std::string& option) {
  ASHLAR_ASSIGN_OR_RETURN(MountPlan plan, ReadMountPlan(arguments));
  // The shortcuts ask for one more; an old-style fourth argument is then not theirs.
  if (!option.empty() && arguments[0].starts_with('/') && !plan.options.empty()) {
    return base::Error(base::StatusCode::kInvalidArgument, "want FOLDER [SOURCE [TYPE]], or options with -f FOLDER");
  }
  AddNonEmpty(plan.options, option);
  for (const auto* list : {&plan.sources, &plan.types, &plan.options}) {
    for (const auto& expression : *list) ASHLAR_RETURN_IF_ERROR(NhcMatch::Parse(expression).status());
  }
  return MappedCheck{.becomes = "/proc/self/mountinfo: " + PlanText(plan),
                     .run = [plan](const CheckContext& context) { return CheckMount(context, plan); }};
}

}  // namespace

base::StatusOr<MappedCheck> MapFsMount(const Arguments& arguments) { return MapMount(arguments, ""); }

base::StatusOr<MappedCheck> MapFsMountRw(const Arguments& arguments) { return MapMount(arguments, "/(^|,)rw($|,)/"); }

base::StatusOr<MappedCheck> MapFsMountRo(const Arguments& arguments) { return MapMount(arguments, "/(^|,)ro($|,)/"); }

}  // namespace ashlar::node
