#include "node/nhc/check_table.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "node/nhc/azure_checks.h"
#include "node/nhc/file_checks.h"
#include "node/nhc/hardware_checks.h"
#include "node/nhc/process_checks.h"
#include "node/nhc/storage_checks.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kNhc = "NHC";
constexpr std::string_view kAzure = "AzNHC";

constexpr std::string_view kRunsProgram =
    "it runs a program and judges what that says, and no program is run here: run "
    "it beside ashlar";
constexpr std::string_view kDmi =
    "it judges the text of dmidecode: run that by hand; ashlar check --only memory-amount "
    "shows missing memory";
constexpr std::string_view kMoab = "it asks Moab or TORQUE, which are not asked here: run momctl and mdiag by hand";
constexpr std::string_view kPs =
    "it judges each process by what it uses: ashlar check --only processes shows those that "
    "run away";
constexpr std::string_view kGpuBandwidth =
    "it measures: run nvbandwidth, and hold its output with ashlar bench read FILE";
constexpr std::string_view kCollective =
    "it measures: run all_reduce_perf, and hold its output with ashlar bench read "
    "FILE; without GPUs ashlar bench coll all_reduce";
constexpr std::string_view kIbBandwidth =
    "it measures: run ib_write_bw of perftest between two machines, and hold its "
    "output with ashlar bench read FILE";

constexpr std::array kRows = {
    NhcCheckRow{"check_hw_cpuinfo", kNhc, &MapHwCpuinfo, ""},
    NhcCheckRow{"check_hw_physmem", kNhc, &MapHwPhysmem, ""},
    NhcCheckRow{"check_hw_physmem_free", kNhc, &MapHwPhysmemFree, ""},
    NhcCheckRow{"check_hw_swap", kNhc, &MapHwSwap, ""},
    NhcCheckRow{"check_hw_swap_free", kNhc, &MapHwSwapFree, ""},
    NhcCheckRow{"check_hw_mem", kNhc, &MapHwMem, ""},
    NhcCheckRow{"check_hw_mem_free", kNhc, &MapHwMemFree, ""},
    NhcCheckRow{"check_hw_eth", kNhc, &MapHwEth, ""},
    NhcCheckRow{"check_hw_ib", kNhc, &MapHwIb, ""},
    NhcCheckRow{"check_hw_gm", kNhc, nullptr, "Myrinet GM is not read here: take the line out, or run NHC for it"},
    NhcCheckRow{"check_hw_mcelog", kNhc, nullptr,
                "it asks the mcelog daemon: ashlar check --only memory-errors,kernel-errors reads the kernel instead"},
    NhcCheckRow{"check_fs_mount", kNhc, &MapFsMount, ""},
    NhcCheckRow{"check_fs_mount_rw", kNhc, &MapFsMountRw, ""},
    NhcCheckRow{"check_fs_mount_ro", kNhc, &MapFsMountRo, ""},
    NhcCheckRow{"check_fs_size", kNhc, &MapFsSize, ""},
    NhcCheckRow{"check_fs_free", kNhc, &MapFsFree, ""},
    NhcCheckRow{"check_fs_used", kNhc, &MapFsUsed, ""},
    NhcCheckRow{"check_fs_inodes", kNhc, &MapFsInodes, ""},
    NhcCheckRow{"check_fs_ifree", kNhc, &MapFsIfree, ""},
    NhcCheckRow{"check_fs_iused", kNhc, &MapFsIused, ""},
    NhcCheckRow{"check_file_test", kNhc, &MapFileTest, ""},
    NhcCheckRow{"check_file_contents", kNhc, &MapFileContents, ""},
    NhcCheckRow{"check_file_stat", kNhc, nullptr,
                "owner, times and device numbers are not compared here: check_file_test reads kind and permissions"},
    NhcCheckRow{"check_ps_daemon", kNhc, &MapPsDaemon, ""},
    NhcCheckRow{"check_ps_blacklist", kNhc, &MapPsBlacklist, ""},
    NhcCheckRow{"check_ps_service", kNhc, &MapPsService, ""},
    NhcCheckRow{"check_ps_loadavg", kNhc, &MapPsLoadavg, ""},
    NhcCheckRow{"check_ps_cpu", kNhc, nullptr, kPs},
    NhcCheckRow{"check_ps_mem", kNhc, nullptr, kPs},
    NhcCheckRow{"check_ps_physmem", kNhc, nullptr, kPs},
    NhcCheckRow{"check_ps_time", kNhc, nullptr, kPs},
    NhcCheckRow{"check_ps_kswapd", kNhc, nullptr, kPs},
    NhcCheckRow{"check_ps_unauth_users", kNhc, nullptr,
                "it needs the jobs of the scheduler, which is not asked here: compare squeue -w HOST with ps"},
    NhcCheckRow{"check_ps_userproc_lineage", kNhc, nullptr,
                "it needs the scheduler's daemon: ashlar check --only processes shows what jobs left behind"},
    NhcCheckRow{"check_net_socket", kNhc, nullptr,
                "sockets are not read here: check_ps_service asks for the daemon behind one; see ss -ltnp"},
    NhcCheckRow{"check_net_ping", kNhc, nullptr,
                "no packets are sent here: run ping by hand; ashlar check --only network-links,dns reads the links"},
    NhcCheckRow{"check_cmd_output", kNhc, nullptr, kRunsProgram},
    NhcCheckRow{"check_cmd_status", kNhc, nullptr, kRunsProgram},
    NhcCheckRow{"check_dmi_data_match", kNhc, nullptr, kDmi},
    NhcCheckRow{"check_dmi_raw_data_match", kNhc, nullptr, kDmi},
    NhcCheckRow{"check_moab_sched", kNhc, nullptr, kMoab},
    NhcCheckRow{"check_moab_rm", kNhc, nullptr, kMoab},
    NhcCheckRow{"check_moab_torque", kNhc, nullptr, kMoab},
    NhcCheckRow{"check_nv_healthmon", kNhc, nullptr,
                "it runs nvidia-healthmon: ashlar check --only gpu-count,gpu-ecc,gpu-throttling reads the same"},
    NhcCheckRow{"check_nvsmi_healthmon", kNhc, nullptr,
                "it runs nvidia-smi: ashlar check --only gpu-count,gpu-ecc,gpu-throttling reads the same"},
    NhcCheckRow{"check_gpu_count", kAzure, &MapGpuCount, ""},
    NhcCheckRow{"check_gpu_ecc", kAzure, &MapGpuEcc, ""},
    NhcCheckRow{"check_gpu_xid", kAzure, &MapGpuXid, ""},
    NhcCheckRow{"check_gpu_persistence", kAzure, &MapGpuPersistence, ""},
    NhcCheckRow{"check_gpu_clock_throttling", kAzure, &MapGpuClockThrottling, ""},
    NhcCheckRow{"check_app_gpu_clocks", kAzure, &MapAppGpuClocks, ""},
    NhcCheckRow{"check_nvlink_status", kAzure, &MapNvlinkStatus, ""},
    NhcCheckRow{"check_nvme_count", kAzure, &MapNvmeCount, ""},
    NhcCheckRow{"check_ib_link_flapping", kAzure, &MapIbLinkFlapping, ""},
    NhcCheckRow{"check_hw_topology", kAzure, nullptr,
                "it compares with a topology file of NCCL: compare nvidia-smi topo -m by hand"},
    NhcCheckRow{"check_vbios_version", kAzure, nullptr,
                "the version is not read here: see nvidia-smi --query-gpu=vbios_version --format=csv"},
    NhcCheckRow{"check_gpu_xgmi", kAzure, nullptr, "it measures XGMI: run rocm-bandwidth-test by hand"},
    NhcCheckRow{"check_gpu_bw", kAzure, nullptr, kGpuBandwidth},
    NhcCheckRow{"check_nccl_allreduce", kAzure, nullptr, kCollective},
    NhcCheckRow{"check_nccl_allreduce_ib_loopback", kAzure, nullptr, kCollective},
    NhcCheckRow{"check_rccl_allreduce", kAzure, nullptr, kCollective},
    NhcCheckRow{"check_ib_bw_gdr", kAzure, nullptr, kIbBandwidth},
    NhcCheckRow{"check_ib_bw_non_gdr", kAzure, nullptr, kIbBandwidth},
    NhcCheckRow{"check_cpu_stream", kAzure, nullptr, "it measures memory bandwidth: run STREAM by hand"},
};

// Levenshtein's distance: letters to add, drop or replace.
size_t Distance(std::string_view left, std::string_view right) {
  std::vector<size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t at = 0; at < left.size(); ++at) {
    size_t diagonal = row[0]++;
    for (size_t other = 0; other < right.size(); ++other) {
      const size_t replaced = diagonal + (left[at] == right[other] ? 0 : 1);
      diagonal = row[other + 1];
      row[other + 1] = std::min({replaced, row[other] + 1, row[other + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::span<const NhcCheckRow> NhcCheckTable() { return kRows; }

const NhcCheckRow* FindNhcCheck(std::string_view name) {
  const auto* found = std::find_if(kRows.begin(), kRows.end(), [&](const auto& row) { return row.name == name; });
  return found == kRows.end() ? nullptr : found;
}

std::string_view NearestNhcCheck(std::string_view name) {
  constexpr size_t kNear = 3;
  constexpr size_t kLongest = 64;
  if (name.size() > kLongest) return "";
  std::string_view nearest;
  size_t least = kNear + 1;
  for (const auto& row : kRows) {
    const size_t distance = Distance(name, row.name);
    if (distance >= least) continue;
    least = distance;
    nearest = row.name;
  }
  return nearest;
}

}  // namespace ashlar::node
