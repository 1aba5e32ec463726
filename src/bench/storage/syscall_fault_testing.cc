#include "bench/storage/syscall_fault_testing.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include <cstddef>

#include "os/os.h"

namespace ashlar::bench {
namespace {

constexpr std::string_view kNoFilter = "no seccomp filter here";

sock_filter Statement(uint16_t code, uint32_t k) { return {code, 0, 0, k}; }

std::vector<sock_filter> Program(const std::vector<SystemCallFault>& faults) {
  std::vector<sock_filter> program;
  for (const SystemCallFault& fault : faults) {
    const uint8_t skip = fault.mask == 0 ? 1 : 3;
    program.push_back(Statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
    program.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, skip, static_cast<uint32_t>(fault.number)});
    if (fault.mask != 0) {
      // The low half of a 64-bit argument; both machines that matter store it first.
      const auto at = static_cast<uint32_t>(offsetof(seccomp_data, args) + sizeof(uint64_t) * fault.argument);
      program.push_back(Statement(BPF_LD | BPF_W | BPF_ABS, at));
      program.push_back({BPF_JMP | BPF_JSET | BPF_K, 0, 1, fault.mask});
    }
    program.push_back(Statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<uint32_t>(fault.error)));
  }
  program.push_back(Statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  return program;
}

bool Install(const std::vector<SystemCallFault>& faults) {
  std::vector<sock_filter> program = Program(faults);
  const sock_fprog filter = {static_cast<unsigned short>(program.size()), program.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

}  // namespace

base::StatusOr<std::string> RunWithFaults(const std::vector<SystemCallFault>& faults,
                                          const std::function<std::string()>& work) {
  os::IsolatedOptions options;
  options.deadline = absl::Seconds(60);
  base::StatusOr<std::string> answer =
      os::RunIsolated([&]() -> std::string { return Install(faults) ? work() : std::string(kNoFilter); }, options);
  if (answer.ok() && *answer == kNoFilter) return base::Error(base::StatusCode::kUnimplemented, "{}", kNoFilter);
  return answer;
}

}  // namespace ashlar::bench
