#include "node/checks/process_stat.h"

#include "node/kernel/cpu_stat.h"

namespace ashlar::node {
namespace {

// Columns after the name, from 0: state ppid pgrp session tty tpgid flags ... utime (11) stime (12) ... starttime (19).
constexpr size_t kParent = 1;
constexpr size_t kFlags = 6;
constexpr size_t kUserTime = 11;
constexpr size_t kSystemTime = 12;
constexpr size_t kStartTime = 19;
constexpr uint64_t kKernelThread = 0x00200000;  // PF_KTHREAD, include/linux/sched.h
constexpr uint64_t kMaxTicks = uint64_t{1} << 53U;

base::Status Malformed(std::string_view text) {
  constexpr size_t kShown = 60;
  return base::Error(base::StatusCode::kInvalidArgument, "`{}` is no line of /proc/PID/stat", text.substr(0, kShown));
}

std::optional<absl::Duration> Ticks(std::string_view text) {
  const auto ticks = base::ParseUint64(text);
  if (!ticks || *ticks > kMaxTicks) return std::nullopt;
  return absl::Seconds(static_cast<double>(*ticks) / kTicksPerSecond);
}

}  // namespace

base::StatusOr<ProcessStat> ParseProcessStat(std::string_view text) {
  // The name stands in brackets and may hold any character, also brackets: the last one ends it.
  const size_t open = text.find(" (");
  const size_t close = text.rfind(") ");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open + 2) return Malformed(text);
  const auto pid = base::ParseInt64(text.substr(0, open));
  const auto columns = base::SplitWords(base::Trim(text.substr(close + 2)));
  if (!pid || *pid <= 0 || columns.size() <= kStartTime || columns[0].size() != 1) return Malformed(text);
  const auto parent = base::ParseInt64(columns[kParent]);
  const auto flags = base::ParseUint64(columns[kFlags]);
  const auto user = Ticks(columns[kUserTime]);
  const auto system = Ticks(columns[kSystemTime]);
  const auto started = Ticks(columns[kStartTime]);
  if (!parent || !flags || !user || !system || !started) return Malformed(text);
  return ProcessStat{.pid = *pid,
                     .name = std::string(text.substr(open + 2, close - open - 2)),
                     .state = columns[0][0],
                     .parent = *parent,
                     .is_kernel_thread = (*flags & kKernelThread) != 0,
                     .processor_time = *user + *system,
                     .started = *started};
}

base::StatusOr<absl::Duration> ParseUptime(std::string_view text) {
  const auto words = base::SplitWords(base::Trim(text));
  const auto seconds = words.empty() ? std::nullopt : base::ParseDouble(words[0]);
  constexpr double kMaxSeconds = 1e10;
  if (!seconds || *seconds < 0 || *seconds > kMaxSeconds) {
    return base::Error(base::StatusCode::kInvalidArgument, "/proc/uptime: no number of seconds");
  }
  return absl::Seconds(*seconds);
}

}  // namespace ashlar::node
