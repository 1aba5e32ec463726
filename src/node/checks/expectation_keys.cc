#include <array>

#include "node/checks/expectations.h"

namespace ashlar::node {
namespace {

using enum ExpectationKind;

constexpr std::array kKeys = {
    ExpectationKey{"memory_bytes", kBytes, "memory that the machine is sold with, as MemTotal shows it"},
    ExpectationKey{"memory_tolerance_share", kShare, "how far below memory_bytes MemTotal may be"},
    ExpectationKey{"memory_reserved_share", kShare, "how far MemTotal may be below the online memory blocks"},
    ExpectationKey{"memory_uncorrected_errors", kCount, "uncorrected memory errors since boot that are still fine"},
    ExpectationKey{"memory_corrected_errors", kCount, "corrected memory errors since boot that are still fine"},
    ExpectationKey{"cpu_count", kCount, "logical processors online"},
    ExpectationKey{"cpu_governors", kTextList, "frequency governors that are fine"},
    ExpectationKey{"disk_free_share", kShare, "least free share of each disk file system"},
    ExpectationKey{"inode_free_share", kShare, "least free share of inodes of each disk file system"},
    ExpectationKey{"mounts", kTextList, "folders that must be mount points"},
    ExpectationKey{"read_only_allowed", kTextList, "mount points that may be read-only, * and ? allowed"},
    ExpectationKey{"disk_types", kTextList, "file system types that hold files on disks or over the network"},
    ExpectationKey{"network_types", kTextList, "those of disk_types that a server can hang"},
    ExpectationKey{"nvme_count", kCount, "local NVMe disks"},
    ExpectationKey{"swap_used_share", kShare, "largest share of the swap that may be in use"},
    ExpectationKey{"clock_error_seconds", kNumber, "largest error that the kernel estimates for the clock, seconds"},
    ExpectationKey{"load_per_processor", kNumber, "largest 5-minute load for each processor"},
    ExpectationKey{"blocked_processes", kCount, "processes in uninterruptible sleep that are still fine"},
    ExpectationKey{"zombie_processes", kCount, "processes that ended and were not reaped that are still fine"},
    ExpectationKey{"runaway_cpu_share", kShare,
                   "share of one processor, over its life, from which an orphan runs away"},
    ExpectationKey{"runaway_age_seconds", kNumber, "age from which an orphan can be a runaway, seconds"},
    ExpectationKey{"runaway_allowed", kTextList, "names of programs that may do so, * and ? allowed"},
    ExpectationKey{"kernel_log_window_hours", kNumber, "how far back kernel errors count, hours; 0 is since boot"},
    ExpectationKey{"kernel_taint_bits", kCountList, "bits of /proc/sys/kernel/tainted that are a fault"},
    ExpectationKey{"links", kTextList, "network interfaces that must be there and up"},
    ExpectationKey{"links_ignored", kTextList, "network interfaces that are not looked at, * and ? allowed"},
    ExpectationKey{"link_gigabits_per_second", kNumberByName, "least rate by network interface, Gb/s"},
    ExpectationKey{"dns_name", kText, "name that must resolve; the host's own name when absent"},
    ExpectationKey{"infiniband_port_count", kCount, "InfiniBand ports"},
    ExpectationKey{"infiniband_gigabits_per_second", kNumber, "rate of each InfiniBand port, Gb/s"},
    ExpectationKey{"gpu_count", kCount, "GPUs"},
    ExpectationKey{"gpu_nvlink_count", kCount, "active NVLinks of each GPU by design"},
    ExpectationKey{"gpu_ecc_enabled", kFlag, "whether ECC is on"},
    ExpectationKey{"gpu_uncorrected_errors", kCount,
                   "uncorrected errors since driver load that are still fine, each GPU"},
    ExpectationKey{"gpu_corrected_errors", kCount, "corrected errors since driver load that are still fine, each GPU"},
    ExpectationKey{"gpu_throttling_allowed", kTextList, "throttle reasons that are no fault"},
    ExpectationKey{"gpu_persistence", kFlag, "whether persistence mode is on"},
    ExpectationKey{"memlock_bytes", kLimit, "least soft limit of locked memory"},
    ExpectationKey{"open_files", kLimit, "least soft limit of open files"},
    ExpectationKey{"transparent_huge_pages", kTextList, "settings of transparent huge pages that are fine"},
    ExpectationKey{"numa_balancing", kCountList, "values of kernel.numa_balancing that are fine"},
};

}  // namespace

std::span<const ExpectationKey> ExpectationKeys() { return kKeys; }

}  // namespace ashlar::node
