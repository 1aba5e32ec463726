#include "node/kernel/cpu_stat.h"

#include "node/kernel/text_scanner.h"
#include "node/limits.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kPath = "/proc/stat";

bool ReadTimes(WordScanner& words, CpuTimes& times) {
  constexpr size_t kOldestColumns = 4;  // user, nice, system and idle are as old as the file
  times.ticks = {};
  size_t column = 0;
  while (column < kCpuModes && !words.AtEnd()) {
    if (!words.NextUint64(times.ticks[column])) return false;
    ++column;
  }
  return column >= kOldestColumns;
}

base::Status ReadCpuLine(std::string_view name, WordScanner& words, CpuStat& stat) {
  if (name == "cpu") {
    return ReadTimes(words, stat.total) ? base::OkStatus()
                                        : base::Error(base::StatusCode::kInvalidArgument, "no times");
  }
  const auto number = base::ParseUint64(name.substr(3));
  CpuTimes times;
  if (!number || *number >= kMaxCpus) return base::Error(base::StatusCode::kInvalidArgument, "no processor number");
  times.cpu = static_cast<uint32_t>(*number);
  if (!ReadTimes(words, times)) return base::Error(base::StatusCode::kInvalidArgument, "no times");
  if (!stat.cpus.empty() && stat.cpus.back().cpu >= times.cpu) {
    return base::Error(base::StatusCode::kInvalidArgument, "a processor out of order");
  }
  stat.cpus.push_back(times);
  return base::OkStatus();
}

// The member that a line of one number fills; nullptr for lines that we do not need.
std::optional<uint64_t>* CountOf(std::string_view name, CpuStat& stat) {
  if (name == "btime") return &stat.boot_time_seconds;
  if (name == "ctxt") return &stat.context_switches;
  if (name == "intr") return &stat.interrupts;
  if (name == "processes") return &stat.forks;
  if (name == "procs_running") return &stat.running;
  if (name == "procs_blocked") return &stat.blocked;
  return nullptr;
}

}  // namespace

base::Status ParseCpuStat(std::string_view text, CpuStat& stat) {
  stat.cpus.clear();
  for (const std::string_view name : {"btime", "ctxt", "intr", "processes", "procs_running", "procs_blocked"}) {
    CountOf(name, stat)->reset();
  }
  bool total = false;
  LineScanner lines(text);
  std::string_view line;
  while (lines.Next(line)) {
    WordScanner words(line);
    const std::string_view name = words.Next();
    if (name.starts_with("cpu")) {
      total = total || name == "cpu";
      const base::Status status = ReadCpuLine(name, words, stat);
      if (!status.ok()) return MalformedLine(kPath, lines.number(), line, base::Message(status));
      continue;
    }
    if (std::optional<uint64_t>* count = CountOf(name, stat)) {
      uint64_t value = 0;
      if (!words.NextUint64(value)) return MalformedLine(kPath, lines.number(), line, "no number");
      *count = value;
    }
  }
  if (!total) return base::Error(base::StatusCode::kInvalidArgument, "{}: no line `cpu`", kPath);
  return base::OkStatus();
}

base::StatusOr<LoadAverage> ParseLoadAverage(std::string_view text) {
  WordScanner words(base::Trim(text));
  LoadAverage load;
  for (double* average : {&load.one_minute, &load.five_minutes, &load.fifteen_minutes}) {
    const auto number = base::ParseDouble(words.Next());
    if (!number || *number < 0) {
      return base::Error(base::StatusCode::kInvalidArgument, "/proc/loadavg: no three averages in `{}`", Excerpt(text));
    }
    *average = *number;
  }
  return load;
}

}  // namespace ashlar::node
