#include "node/nhc/process_list.h"

#include <algorithm>
#include <map>

#include "node/checks/check_limits.h"
#include "node/checks/process_stat.h"

namespace ashlar::node {
namespace {

using base::StatusCode;

// Single blanks, as NHC's splitting of ps leaves them.
std::string CommandLine(std::string text) {
  std::replace(text.begin(), text.end(), '\0', ' ');
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::string line;
  for (const std::string_view word : base::SplitWords(text)) {
    if (!line.empty()) line += ' ';
    line += word;
  }
  return line;
}

// "Uid:\t1000\t1000\t1000\t1000": real, effective, saved, file system. Format: proc_pid_status(5).
base::StatusOr<uint64_t> ReadUser(const os::SysReader& system, const std::string& folder) {
  constexpr std::string_view kKey = "Uid:";
  ASHLAR_ASSIGN_OR_RETURN(const std::string text, system.Read(folder + "/status"));
  for (const std::string_view line : base::SplitLines(text)) {
    if (!line.starts_with(kKey)) continue;
    const auto words = base::SplitWords(line.substr(kKey.size()));
    const auto user = words.size() > 1 ? base::ParseUint64(words[1]) : std::nullopt;
    if (user) return *user;
  }
  return base::Error(StatusCode::kInvalidArgument, "{}/status: no user in it", folder);
}

base::StatusOr<std::map<uint64_t, std::string>> ReadUserNames(const os::SysReader& system) {
  ASHLAR_ASSIGN_OR_RETURN(const std::string text, system.Read("/etc/passwd"));
  std::map<uint64_t, std::string> names;
  for (const std::string_view line : base::SplitLines(text)) {
    const auto fields = base::Split(line, ':');
    constexpr size_t kUserField = 2;
    const auto user = fields.size() > kUserField ? base::ParseUint64(fields[kUserField]) : std::nullopt;
    // Of two names with one number the first counts, as getpwuid has it.
    if (user) names.emplace(*user, fields[0]);
  }
  return names;
}

base::StatusOr<RunningProcess> ReadProcess(const os::SysReader& system, const std::string& name) {
  const std::string folder = "/proc/" + name;
  RunningProcess process;
  ASHLAR_ASSIGN_OR_RETURN(const std::string stat_text, system.Read(folder + "/stat"));
  ASHLAR_ASSIGN_OR_RETURN(const ProcessStat stat, ParseProcessStat(stat_text));
  process.pid = stat.pid;
  ASHLAR_ASSIGN_OR_RETURN(process.user_id, ReadUser(system, folder));
  ASHLAR_ASSIGN_OR_RETURN(std::string text, system.Read(folder + "/cmdline"));
  process.arguments = CommandLine(std::move(text));
  if (process.arguments.empty()) process.arguments = fmt::format("[{}]", stat.name);
  return process;
}

}  // namespace

base::StatusOr<std::vector<RunningProcess>> ReadRunningProcesses(const os::SysReader& system) {
  ASHLAR_ASSIGN_OR_RETURN(const auto names, system.List("/proc"));
  ASHLAR_ASSIGN_OR_RETURN(const auto users, ReadUserNames(system));
  ASHLAR_ASSIGN_OR_RETURN(std::string own_text, system.Read("/proc/self/cmdline"));
  const std::string own = CommandLine(std::move(own_text));
  std::vector<RunningProcess> processes;
  size_t count = 0;
  for (const auto& name : names) {
    if (!base::ParseUint64(name)) continue;
    if (++count > kMaxProcesses) {
      return base::Error(StatusCode::kResourceExhausted, "/proc: more than {} processes", kMaxProcesses);
    }
    auto process = ReadProcess(system, name);
    if (!process.ok()) {
      // It ended while the list was walked.
      if (!system.Exists(fmt::format("/proc/{}/stat", name))) continue;
      return process.status();
    }
    if (!own.empty() && process->arguments.find(own) != std::string::npos) continue;
    const auto user = users.find(process->user_id);
    if (user != users.end()) process->user = user->second;
    processes.push_back(*std::move(process));
  }
  if (processes.empty()) return base::Error(StatusCode::kNotFound, "/proc lists no process");
  return processes;
}

}  // namespace ashlar::node
