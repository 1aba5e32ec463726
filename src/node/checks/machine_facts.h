// Small facts that several checks need. Plain functions over /proc and /sys; any thread.
#pragma once

#include <cstdint>

#include "base/base.h"
#include "os/os.h"

namespace ashlar::node {

// Whether the processor says that it runs below a hypervisor; false where it lists no such flag (arm64).
base::StatusOr<bool> IsVirtualMachine(const os::SysReader& system);

// Processors that are online.
base::StatusOr<uint64_t> OnlineProcessors(const os::SysReader& system);

struct PciGpus {
  uint64_t nvidia = 0;
  uint64_t amd = 0;
  uint64_t total() const { return nvidia + amd; }
};

// Functions on PCI of vendor 10de or 1002 whose class is a display or 3D controller (0x0300, 0x0302, 0x0380) or a
// processing accelerator (0x1200). None where there is no PCI bus. An error for a function whose class cannot be read.
// Source of the numbers: the PCI ID database, classes 03 and 12.
base::StatusOr<PciGpus> CountPciGpus(const os::SysReader& system);

// True when the machine has a GPU or an RDMA device, or may have (its PCI bus cannot be read): then
// data/node/accelerated.yaml holds.
bool IsAccelerated(const os::SysReader& system);

}  // namespace ashlar::node
