// /proc/stat: processor time by mode, and a few counts of the whole machine; /proc/loadavg.
//
// Format: proc(5), Linux fs/proc/stat.c. Times are in ticks of 1/100 s (USER_HZ is 100 on every Linux architecture
// that we run on). Any thread may call.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::node {

inline constexpr double kTicksPerSecond = 100;

// In the order of the columns.
enum CpuMode : uint8_t {
  kUser,
  kNice,
  kSystem,
  kIdle,
  kIowait,
  kIrq,
  kSoftirq,
  kSteal,
  kGuest,
  kGuestNice,
  kCpuModes,
};

struct CpuTimes {
  uint32_t cpu = 0;
  std::array<uint64_t, kCpuModes> ticks = {};  // columns that an old kernel lacks are 0
};

struct CpuStat {
  std::vector<CpuTimes> cpus;  // those that are online, ascending
  CpuTimes total;
  std::optional<uint64_t> boot_time_seconds;  // since the epoch
  std::optional<uint64_t> context_switches;
  std::optional<uint64_t> interrupts;
  std::optional<uint64_t> forks;
  std::optional<uint64_t> running;
  std::optional<uint64_t> blocked;
};

// Reads into `stat`, reusing its memory. kInvalidArgument for a malformed line, processors out of order, or no line
// for the total; kResourceExhausted for more than kMaxCpus.
base::Status ParseCpuStat(std::string_view text, CpuStat& stat);

struct LoadAverage {
  double one_minute = 0;
  double five_minutes = 0;
  double fifteen_minutes = 0;
};

// "0.20 0.18 0.12 1/80 11206". kInvalidArgument otherwise.
base::StatusOr<LoadAverage> ParseLoadAverage(std::string_view text);

}  // namespace ashlar::node
