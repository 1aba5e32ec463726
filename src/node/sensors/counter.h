// Differences of the kernel's counters, which wrap, start over, and sometimes step back. Any thread.
#pragma once

#include <cstdint>
#include <optional>

namespace ashlar::node {

enum class CounterKind {
  k64Bit,
  k32Bit,      // wraps at 2^32: milliseconds in /proc/diskstats, after 49 days
  kStepsBack,  // idle and I/O wait time of a processor lose a little now and then (proc(5))
};

// Ticks by which a kStepsBack counter may fall without having been reset: 3 s, as node_exporter has it.
inline constexpr uint64_t kStepBackTicks = 300;

// How far the counter went from `previous` to `now`; nullopt when it was reset meanwhile, so that nobody knows. A
// k32Bit counter that fell is taken to have wrapped when it then went less than half of its range.
std::optional<uint64_t> CounterDelta(uint64_t previous, uint64_t now, CounterKind kind);

}  // namespace ashlar::node
