// Lists of hosts as people have them: Open MPI's, MPICH's and plain names.
//
// No state; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::bench {

struct HostSlots {
  std::string host;
  int64_t slots = 1;
  friend bool operator==(const HostSlots&, const HostSlots&) = default;
};

// Reads lines "host slots=8 [max-slots=8]" (Open MPI), "host:8" (MPICH, Intel) or "host"; # begins a comment. A host
// that is listed twice has the sum of its slots, as Open MPI counts. Forms may be mixed. IPv6 addresses take brackets
// ("[fe80::1]:4"). kInvalidArgument with the line's number; kResourceExhausted over kMaxHostfileBytes or kMaxHosts.
base::StatusOr<std::vector<HostSlots>> ParseHostfile(std::string_view text);

int64_t TotalSlots(const std::vector<HostSlots>& hosts);

// The list in the form that the launcher reads.
std::string OpenMpiHostfile(const std::vector<HostSlots>& hosts);
std::string MpichHostfile(const std::vector<HostSlots>& hosts);

}  // namespace ashlar::bench
