// Named limits of `node`. Each has a reject path and a test at and over it.
#pragma once

#include <absl/time/time.h>

#include <cstddef>

namespace ashlar::node {

inline constexpr size_t kMaxCpus = 8192;           // Linux's own largest NR_CPUS
inline constexpr size_t kMaxMeminfoEntries = 256;  // Linux 6.12 writes 55
inline constexpr size_t kMaxDiskRows = 16'384;     // devices and partitions
inline constexpr size_t kMaxNumaNodes = 1024;      // Linux's MAX_NUMNODES at its largest
inline constexpr size_t kMaxDisks = 4096;
inline constexpr size_t kMaxMounts = 20'000;  // a container host has thousands; Linux allows 100,000
inline constexpr size_t kMaxNics = 4096;
inline constexpr size_t kMaxRdmaDevices = 256;
inline constexpr size_t kMaxRdmaPorts = 64;         // of one device
inline constexpr size_t kMaxRdmaCounters = 512;     // of one port
inline constexpr size_t kMaxGpus = 128;             // a driver that counts more is not believed
inline constexpr size_t kMaxGpuLinks = 18;          // NVML_NVLINK_MAX_LINKS
inline constexpr size_t kMaxWatchedMounts = 1024;   // local file systems in a sample
inline constexpr size_t kMaxWatchedRdmaPorts = 64;  // in a sample: 22 open files each
inline constexpr size_t kMaxNicStatistics = 8192;
inline constexpr size_t kMaxCgroupDepth = 64;
inline constexpr size_t kMaxAzureBytes = size_t{1} << 20U;  // an instance document is about 5 KiB
inline constexpr absl::Duration kAzureDeadline = absl::Seconds(1);
inline constexpr absl::Duration kDeviceRescan = absl::Seconds(10);     // a new port or mount is seen after this
inline constexpr absl::Duration kGpuPatience = absl::Seconds(5);       // a reading that takes longer is called hung
inline constexpr absl::Duration kGpuFreshness = absl::Seconds(60);     // older values are no longer shown
inline constexpr absl::Duration kGpuLibraryRetry = absl::Seconds(60);  // between looks for a library that is missing

}  // namespace ashlar::node
