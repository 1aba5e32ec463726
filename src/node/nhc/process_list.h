// Every process with its command line and its owner, as `ps axo user,args` shows them. Plain values; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/base.h"
#include "os/os.h"

namespace ashlar::node {

struct RunningProcess {
  int64_t pid = 0;
  std::string arguments;  // joined by blanks; "[name]" for a thread of the kernel and a process that has ended
  uint64_t user_id = 0;   // effective
  std::string user;       // its name in /etc/passwd; "" when it is not there
};

// Without the program that asks, and who started it with the same words: their command lines hold what is looked for.
// A process that ends meanwhile is left out. kResourceExhausted for more than kMaxProcesses.
base::StatusOr<std::vector<RunningProcess>> ReadRunningProcesses(const os::SysReader& system);

}  // namespace ashlar::node
