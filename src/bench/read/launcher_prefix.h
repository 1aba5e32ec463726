// The marks that launchers put before each line, and lines that fell into another: taken off, so that a reader sees
// what the program wrote. Pure; any thread.
#pragma once

#include <optional>
#include <string_view>

namespace ashlar::bench {

// A line and the stream that it belongs to: lines of several ranks are mixed in one log.
struct MarkedLine {
  std::string_view stream;  // "[1,0]<stdout>", "3", "node-7"; "" for a line without mark
  std::string_view text;
};

// Knows `[1,0]<stdout>:` (mpirun --tag-output), `3: ` (srun --label), `node-7: ` (pdsh, DeepSpeed).
MarkedLine TakePrefix(std::string_view line);

// "host:pid:tid [device] NCCL INFO|WARN|TRACE|ERROR ..." (also RCCL's, which says NCCL too): where it begins in `line`;
// what stands before is a piece of a line that it fell into. nullopt when there is none.
std::optional<size_t> FindNcclLog(std::string_view line);

}  // namespace ashlar::bench
