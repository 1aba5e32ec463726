// NHC's checks of processors, memory, network interfaces and InfiniBand ports.
//
// Source: mej/nhc scripts/lbnl_hw.nhc. Each function is an NhcMapper (mapped_check.h).
#pragma once

#include <string>
#include <vector>

#include "node/nhc/mapped_check.h"

namespace ashlar::node {

base::StatusOr<MappedCheck> MapHwCpuinfo(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapHwPhysmem(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapHwPhysmemFree(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapHwSwap(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapHwSwapFree(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapHwMem(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapHwMemFree(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapHwEth(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapHwIb(const std::vector<std::string>& arguments);

}  // namespace ashlar::node
