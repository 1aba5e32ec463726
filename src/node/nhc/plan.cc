#include "node/nhc/plan.h"

#include <algorithm>
#include <array>

#include "node/kernel/text_scanner.h"
#include "node/nhc/check_table.h"
#include "node/nhc/conf_lines.h"
#include "node/nhc/match.h"
#include "node/nhc/shell_words.h"

namespace ashlar::node {
namespace {

using base::StatusCode;

// Variables by which NHC reads something else than the machine, or takes it for another.
constexpr std::array<std::string_view, 21> kChangesReadings = {"HOSTNAME",       "HOSTNAME_S",
                                                               "NHC_HOST",       "IFS",
                                                               "CPUINFO_FILE",   "CPUINFO_FILE_DEFAULT",
                                                               "MEMINFO_FILE",   "MEMINFO_FILE_DEFAULT",
                                                               "NETDEV_FILE",    "NETDEV_FILE_DEFAULT",
                                                               "KMOD_FILE",      "KMOD_FILE_DEFAULT",
                                                               "MOUNT_CMD",      "DF_CMD",
                                                               "DF_FLAGS",       "DFI_CMD",
                                                               "DFI_FLAGS",      "PASSWD_DATA_SRC",
                                                               "LOGIN_DEFS_SRC", "MAX_SYS_UID",
                                                               "STAT_FMT_STR"};

bool ChangesReadings(std::string_view name) {
  return std::find(kChangesReadings.begin(), kChangesReadings.end(), name) != kChangesReadings.end();
}

// Reads the lines in their order: what one sets, later ones use.
class PlanReader {
 public:
  explicit PlanReader(const std::string& host) : host_(host) {}

  NhcLine Read(const ConfLine& from) {
    NhcLine line{.number = from.number, .text = base::Utf8Text(from.text)};
    const base::Status status = Fill(from, line);
    if (!status.ok()) {
      line.outcome = NhcOutcome::kUnknown;
      line.says = base::Utf8Text(base::Message(status));
    }
    return line;
  }

 private:
  base::Status Fill(const ConfLine& from, NhcLine& line) {
    if (!from.problem.empty()) return base::Error(StatusCode::kInvalidArgument, "{}", from.problem);
    if (!base::IsUtf8(from.text)) return base::Error(StatusCode::kInvalidArgument, "it is not UTF-8");
    const ConfSides sides = SplitConfLine(from.text);
    line.target = sides.target;
    if (!sides.is_split) {
      return base::Error(StatusCode::kInvalidArgument,
                         "it has no ||, and NHC skips it without a word: write TARGET || CHECK");
    }
    if (sides.target.empty()) {
      return base::Error(StatusCode::kInvalidArgument,
                         "no target is before the ||, and NHC skips it without a word: write * for every host");
    }
    ASHLAR_ASSIGN_OR_RETURN(const bool is_ours, MatchesNhc(sides.target, host_));
    if (!is_ours) {
      line.outcome = NhcOutcome::kOtherHost;
      line.says = fmt::format("the target {} does not match {}", sides.target, host_);
      return base::OkStatus();
    }
    if (sides.check.empty()) {
      return base::Error(StatusCode::kInvalidArgument, "no check is behind the ||, and NHC skips it without a word");
    }
    const auto shell = ReadShellLine(sides.check, variables_);
    if (!shell.ok()) return Unreadable(sides.check, shell.status(), line);
    return shell->words.empty() ? KeepVariables(*shell, line) : MapCheck(*shell, line);
  }

  // A check that is not done here needs no advice on how its line is written.
  static base::Status Unreadable(std::string_view check, const base::Status& status, NhcLine& line) {
    const NhcCheckRow* row = FindNhcCheck(check.substr(0, check.find_first_of(" \t")));
    if (row == nullptr) return status;
    line.name = row->name;
    return row->map == nullptr ? NotDone(*row) : status;
  }

  static base::Status NotDone(const NhcCheckRow& row) {
    return base::Error(StatusCode::kUnimplemented, "a check of {} that is not done here: {}", row.program, row.instead);
  }

  base::Status KeepVariables(const ShellLine& shell, NhcLine& line) {
    std::vector<std::string> names;
    for (const auto& [name, value] : shell.assignments) {
      if (ChangesReadings(name)) {
        return base::Error(StatusCode::kUnimplemented,
                           "{} has NHC read something else than this machine, which is not followed here: take the "
                           "line out",
                           name);
      }
      if (variables_.size() >= kMaxNhcVariables && !variables_.contains(name)) {
        return base::Error(StatusCode::kResourceExhausted, "more than {} variables", kMaxNhcVariables);
      }
      variables_.insert_or_assign(name, value);
      names.push_back(name);
    }
    line.outcome = NhcOutcome::kSetting;
    line.says =
        fmt::format("{}: kept for later lines; NHC's own settings change nothing here", base::Join(names, ", "));
    return base::OkStatus();
  }

  static base::Status MapCheck(const ShellLine& shell, NhcLine& line) {
    line.name = Excerpt(shell.words.front());
    const NhcCheckRow* row = FindNhcCheck(shell.words.front());
    if (row == nullptr) return UnknownName(shell.words.front());
    if (row->map == nullptr) return NotDone(*row);
    auto check = row->map({shell.words.begin() + 1, shell.words.end()});
    if (!check.ok()) return base::Annotate(check.status(), row->name);
    line.outcome = NhcOutcome::kCheck;
    line.says = check->becomes;
    line.check = *std::move(check);
    return base::OkStatus();
  }

  static base::Status UnknownName(std::string_view name) {
    const std::string_view near = NearestNhcCheck(name);
    if (!near.empty()) {
      return base::Error(StatusCode::kNotFound, "neither NHC nor AzNHC has a check {}: is it {}?", Excerpt(name), near);
    }
    return base::Error(StatusCode::kNotFound,
                       "neither NHC nor AzNHC has a check {}: a site's own script or another command is not run here",
                       Excerpt(name));
  }

  const std::string& host_;
  NhcVariables variables_;
};

}  // namespace

std::string_view NhcOutcomeName(NhcOutcome outcome) {
  switch (outcome) {
    case NhcOutcome::kCheck: return "check";
    case NhcOutcome::kSetting: return "setting";
    case NhcOutcome::kOtherHost: return "not_applicable";
    case NhcOutcome::kUnknown: return "unknown";
  }
  return "";
}

size_t NhcPlan::Count(NhcOutcome outcome) const {
  return static_cast<size_t>(
      std::count_if(lines.begin(), lines.end(), [&](const NhcLine& line) { return line.outcome == outcome; }));
}

base::StatusOr<NhcPlan> MakeNhcPlan(const NhcConf& conf) {
  if (conf.text.size() > kMaxNhcConf.count) {
    return base::Error(StatusCode::kResourceExhausted, "{}: longer than {}", conf.path, base::HumanBytes(kMaxNhcConf));
  }
  const auto lines = ReadConfLines(conf.text);
  if (!lines.ok()) return base::Annotate(lines.status(), conf.path);
  NhcPlan plan{.path = conf.path, .host = conf.host};
  PlanReader reader(conf.host);
  size_t checks = 0;
  for (const auto& line : *lines) {
    const bool says_nothing = line.text.empty() || line.text.front() == '#';
    if (says_nothing && line.problem.empty()) continue;
    plan.lines.push_back(reader.Read(line));
    if (plan.lines.back().outcome == NhcOutcome::kCheck && ++checks > kMaxNhcChecks) {
      return base::Error(StatusCode::kResourceExhausted, "{}: more than {} checks for {}", conf.path, kMaxNhcChecks,
                         conf.host);
    }
  }
  return plan;
}

}  // namespace ashlar::node
