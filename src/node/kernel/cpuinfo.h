// /proc/cpuinfo: which processor this is and how many.
//
// Format: Linux arch/x86/kernel/cpu/proc.c and arch/arm64/kernel/cpuinfo.c. Any thread may call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/base.h"

namespace ashlar::node {

struct Cpuinfo {
  uint32_t threads = 0;  // blocks that start with "processor"
  std::optional<std::string> model;
  std::optional<std::string> vendor;
  // From "physical id" and "core id"; absent unless every processor has both (arm64 has neither).
  std::optional<uint32_t> sockets;
  std::optional<uint32_t> cores;
  // Whether every processor has the flag "hypervisor"; absent on processors that list no such flags.
  std::optional<bool> hypervisor_flag;
};

// kInvalidArgument for a line without a colon, a number that is none, or no processor at all; kResourceExhausted for
// more than kMaxCpus processors.
base::StatusOr<Cpuinfo> ParseCpuinfo(std::string_view text);

}  // namespace ashlar::node
