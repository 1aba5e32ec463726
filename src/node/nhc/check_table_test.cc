#include "node/nhc/check_table.h"

#include <gtest/gtest.h>

#include <set>

#include "os/os.h"

namespace ashlar::node {
namespace {

// Every name of mej/nhc 1.4.3 and of Azure/azurehpc-health-checks 0.4.5.
constexpr std::string_view kKnown =
    "check_cmd_output check_cmd_status check_dmi_data_match check_dmi_raw_data_match check_file_contents "
    "check_file_stat check_file_test check_fs_inodes check_fs_ifree check_fs_iused check_fs_mount check_fs_mount_ro "
    "check_fs_mount_rw check_fs_free check_fs_size check_fs_used check_hw_cpuinfo check_hw_eth check_hw_gm check_hw_ib "
    "check_hw_mcelog check_hw_mem check_hw_mem_free check_hw_physmem check_hw_physmem_free check_hw_swap "
    "check_hw_swap_free check_moab_sched check_moab_rm check_moab_torque check_net_ping check_net_socket "
    "check_nv_healthmon check_nvsmi_healthmon check_ps_blacklist check_ps_cpu check_ps_daemon check_ps_kswapd "
    "check_ps_loadavg check_ps_mem check_ps_physmem check_ps_service check_ps_time check_ps_unauth_users "
    "check_ps_userproc_lineage "
    "check_gpu_count check_nvlink_status check_gpu_xid check_gpu_bw check_gpu_ecc check_gpu_clock_throttling "
    "check_nccl_allreduce check_rccl_allreduce check_nccl_allreduce_ib_loopback check_ib_bw_gdr check_ib_bw_non_gdr "
    "check_ib_link_flapping check_hw_topology check_cpu_stream check_nvme_count check_vbios_version "
    "check_app_gpu_clocks check_gpu_persistence check_gpu_xgmi";

TEST(NhcCheckTable, HasEveryNameOnceAndNoOther) {
  std::set<std::string_view> names;
  for (const auto& row : NhcCheckTable()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
  const auto known = base::SplitWords(kKnown);
  EXPECT_EQ(names, std::set<std::string_view>(known.begin(), known.end()));
}

TEST(NhcCheckTable, ARowIsEitherDoneOrSaysWhatToDo) {
  for (const auto& row : NhcCheckTable()) {
    EXPECT_EQ(row.map == nullptr, !row.instead.empty()) << row.name;
    EXPECT_TRUE(row.program == "NHC" || row.program == "AzNHC") << row.name;
  }
}

TEST(NhcCheckTable, EveryRowIsInTheDocs) {
  const auto docs = os::ReadWholeFile(os::RealFileSystem(), ASHLAR_SOURCE_ROOT "/docs/formats/nhc.md", {base::kMiB});
  ASSERT_TRUE(docs.ok()) << docs.status();
  for (const auto& row : NhcCheckTable()) {
    EXPECT_NE(docs->find(fmt::format("`{}`", row.name)), std::string::npos) << row.name;
  }
}

TEST(NhcCheckTable, FindsAndGuesses) {
  EXPECT_EQ(FindNhcCheck("check_hw_eth")->name, "check_hw_eth");
  EXPECT_EQ(FindNhcCheck("check_hw"), nullptr);
  EXPECT_EQ(FindNhcCheck(""), nullptr);
  EXPECT_EQ(NearestNhcCheck("check_hw_eht"), "check_hw_eth");
  EXPECT_EQ(NearestNhcCheck("chek_fs_mount_rw"), "check_fs_mount_rw");
  EXPECT_EQ(NearestNhcCheck("/opt/site/check.sh"), "");
  EXPECT_EQ(NearestNhcCheck(std::string(1000, 'x')), "");
}

}  // namespace
}  // namespace ashlar::node
