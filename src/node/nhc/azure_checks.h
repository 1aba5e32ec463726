// AzNHC's checks that read a machine: GPUs, NVMe disks, InfiniBand links.
//
// Source: Azure/azurehpc-health-checks customTests/*.nhc. Each function is an NhcMapper (mapped_check.h). Where AzNHC
// only warns or puts things right, the finding fails: nothing is changed here. A machine without GPU is `unknown` for a
// line that asks about GPUs: one that fell off the bus looks the same.
#pragma once

#include <string>
#include <vector>

#include "node/nhc/mapped_check.h"

namespace ashlar::node {

base::StatusOr<MappedCheck> MapGpuCount(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapGpuEcc(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapGpuXid(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapGpuPersistence(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapGpuClockThrottling(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapAppGpuClocks(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapNvlinkStatus(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapNvmeCount(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapIbLinkFlapping(const std::vector<std::string>& arguments);

}  // namespace ashlar::node
