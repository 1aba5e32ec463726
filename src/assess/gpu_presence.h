// Which GPUs the recorded machines have, as several considerations ask.
#pragma once

#include <cstddef>
#include <string>

#include "assess/evidence.h"

namespace ashlar::assess {

struct GpuPresence {
  const ledger::Entry* identity = nullptr;  // the newest node.identity; nullptr when there is none
  bool known = false;                       // false when a driver library was there and did not answer
  std::string reason;                       // why it is not known
  size_t nvidia = 0;
  size_t amd = 0;

  size_t total() const { return nvidia + amd; }
};

GpuPresence FindGpus(const Evidence& evidence);

}  // namespace ashlar::assess
