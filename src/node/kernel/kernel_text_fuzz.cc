// Every parser of the kernel's texts: the first byte chooses which one reads the rest.
#include <cstdint>

#include "node/cgroup.h"
#include "node/disk.h"
#include "node/infiniband.h"
#include "node/kernel/cpu_list.h"
#include "node/kernel/cpu_stat.h"
#include "node/kernel/cpuinfo.h"
#include "node/kernel/diskstats.h"
#include "node/kernel/meminfo.h"
#include "node/kernel/mountinfo.h"
#include "node/kernel/net_dev.h"
#include "node/kernel/os_release.h"
#include "node/kernel/pressure.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ashlar::node;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::vector<MeminfoEntry> meminfo;
  CpuStat stat;
  std::vector<DiskStats> disks;
  std::vector<NetInterfaceStats> interfaces;
  constexpr uint8_t kParsers = 15;
  switch (data[0] % kParsers) {
    case 0: (void)ParseCpuinfo(text); break;
    case 1: (void)ParseMeminfo(text, meminfo); break;
    case 2: (void)ParseNodeMemTotal(text); break;
    case 3: (void)ParseCpuStat(text, stat); break;
    case 4: (void)ParseLoadAverage(text); break;
    case 5: (void)ParseDiskstats(text, disks); break;
    case 6: (void)ParseNetDev(text, interfaces); break;
    case 7: (void)ParseMountinfo(text); break;
    case 8: (void)ParsePressure(text); break;
    case 9: (void)ParseOsRelease(text); break;
    case 10: {
      const auto cpus = ParseCpuList(text);
      if (cpus.ok()) (void)FormatCpuList(*cpus);
      break;
    }
    case 11: (void)ParseCgroup(text); break;
    case 12: (void)ParseScheduler(text); break;
    case 13: (void)ParseRdmaState(text); break;
    default: (void)ParseRdmaRate(text); break;
  }
  return 0;
}
