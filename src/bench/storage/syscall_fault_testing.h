// Makes the kernel itself refuse system calls in a child of the test: errors that a healthy machine does not give.
//
// A seccomp filter (seccomp(2), SECCOMP_RET_ERRNO) in a forked child answers the named calls with an error number, so
// that the product runs unchanged, with no seam for tests in it. Any thread; the child has only itself.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/base.h"

namespace ashlar::bench {

struct SystemCallFault {
  long number = 0;    // SYS_pwrite64
  int error = 0;      // ENOSPC
  int argument = 0;   // with `mask`: only calls whose argument of this index has a bit of the mask
  uint32_t mask = 0;  // 0: every call
};

// Runs `work` under the faults; what it returns comes back. Errors as os::RunIsolated; kUnimplemented when this kernel
// or its policy takes no filter, for tests to skip on.
base::StatusOr<std::string> RunWithFaults(const std::vector<SystemCallFault>& faults,
                                          const std::function<std::string()>& work);

}  // namespace ashlar::bench
