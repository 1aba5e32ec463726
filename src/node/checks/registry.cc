// One row for each check, in the order of the report.
#include <array>

#include "node/checks/check.h"
#include "node/checks/clock_synchronised.h"
#include "node/checks/cpu_count.h"
#include "node/checks/cpu_governor.h"
#include "node/checks/disk_inodes.h"
#include "node/checks/disk_space.h"
#include "node/checks/dns.h"
#include "node/checks/filesystem_writable.h"
#include "node/checks/gpu_count.h"
#include "node/checks/gpu_ecc.h"
#include "node/checks/gpu_nvlink.h"
#include "node/checks/gpu_persistence.h"
#include "node/checks/gpu_throttling.h"
#include "node/checks/infiniband_ports.h"
#include "node/checks/kernel_errors.h"
#include "node/checks/kernel_taint.h"
#include "node/checks/load.h"
#include "node/checks/memory_amount.h"
#include "node/checks/memory_errors.h"
#include "node/checks/network_links.h"
#include "node/checks/numa_balancing.h"
#include "node/checks/nvme_count.h"
#include "node/checks/process_limits.h"
#include "node/checks/processes.h"
#include "node/checks/read_only_mounts.h"
#include "node/checks/reboot_required.h"
#include "node/checks/required_mounts.h"
#include "node/checks/swap.h"
#include "node/checks/transparent_huge_pages.h"

namespace ashlar::node {
namespace {

// Reading /proc and /sys takes milliseconds: two seconds is a machine in trouble. A resolver asks each server twice for
// 5 s; a name that takes longer than 4 s stalls every job start. The driver's deadline comes first, so that it can name
// the call that hung.
constexpr absl::Duration kQuick = absl::Seconds(2);
constexpr absl::Duration kDisk = absl::Seconds(4);
constexpr absl::Duration kResolver = absl::Seconds(4);
constexpr absl::Duration kDriver = absl::Seconds(18);  // kGpuAnswerDeadline for each of two vendors, and some

constexpr std::array kRows = {
    CheckRow{"memory-amount", "Is all of the machine's memory there?", kQuick, &CheckMemoryAmount},
    CheckRow{"memory-errors", "Has the memory had errors since boot?", kQuick, &CheckMemoryErrors},
    CheckRow{"cpu-count", "Are all processors there and online?", kQuick, &CheckCpuCount},
    CheckRow{"cpu-governor", "Do the processors run at full frequency?", kQuick, &CheckCpuGovernor},
    CheckRow{"disk-space", "Has every disk file system room left?", kDisk, &CheckDiskSpace},
    CheckRow{"disk-inodes", "Has every disk file system inodes left?", kDisk, &CheckDiskInodes},
    CheckRow{"read-only-mounts", "Is a file system read-only that should not be?", kQuick, &CheckReadOnlyMounts},
    CheckRow{"required-mounts", "Is everything mounted that must be?", kQuick, &CheckRequiredMounts},
    CheckRow{"filesystem-writable", "Can a file be written, synced and read back?", kDisk, &CheckFilesystemWritable},
    CheckRow{"nvme-count", "Are all local NVMe disks there and live?", kQuick, &CheckNvmeCount},
    CheckRow{"swap", "Is the machine swapping?", kQuick, &CheckSwap},
    CheckRow{"clock-synchronised", "Is the clock synchronised?", kQuick, &CheckClockSynchronised},
    CheckRow{"load", "Is the machine busier than its processors allow?", kQuick, &CheckLoad},
    CheckRow{"processes", "Are processes stuck, dead or running away?", kQuick, &CheckProcesses},
    CheckRow{"kernel-errors", "What faults does the kernel's log hold?", kQuick, &CheckKernelErrors},
    CheckRow{"kernel-taint", "Has the kernel recorded a fault since boot?", kQuick, &CheckKernelTaint},
    CheckRow{"reboot-required", "Does an update wait for a reboot?", kQuick, &CheckRebootRequired},
    CheckRow{"network-links", "Are the network links up, at their rate?", kQuick, &CheckNetworkLinks},
    CheckRow{"dns", "Do names resolve?", kResolver, &CheckDns},
    CheckRow{"infiniband-ports", "Are the InfiniBand ports active, at their rate?", kQuick, &CheckInfinibandPorts},
    CheckRow{"gpu-count", "Are all GPUs there?", kDriver, &CheckGpuCount},
    CheckRow{"gpu-ecc", "Is ECC on, and the GPU memory free of errors?", kDriver, &CheckGpuEcc},
    CheckRow{"gpu-throttling", "Is a GPU held back?", kDriver, &CheckGpuThrottling},
    CheckRow{"gpu-nvlink", "Are all NVLinks active that the design has?", kDriver, &CheckGpuNvlink},
    CheckRow{"gpu-persistence", "Is persistence mode on?", kDriver, &CheckGpuPersistence},
    CheckRow{"process-limits", "Do the limits of a process allow what jobs need?", kQuick, &CheckProcessLimits},
    CheckRow{"transparent-huge-pages", "Are transparent huge pages set as they should be?", kQuick,
             &CheckTransparentHugePages},
    CheckRow{"numa-balancing", "Is automatic NUMA balancing set as it should be?", kQuick, &CheckNumaBalancing},
};

}  // namespace

std::span<const CheckRow> CheckTable() { return kRows; }

}  // namespace ashlar::node
