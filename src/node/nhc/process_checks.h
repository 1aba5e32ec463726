// NHC's checks of processes: daemons that must run or must not, and the load.
//
// Source: mej/nhc scripts/lbnl_ps.nhc. Each function is an NhcMapper (mapped_check.h).
#pragma once

#include <string>
#include <vector>

#include "node/nhc/mapped_check.h"

namespace ashlar::node {

base::StatusOr<MappedCheck> MapPsDaemon(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapPsBlacklist(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapPsService(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapPsLoadavg(const std::vector<std::string>& arguments);

}  // namespace ashlar::node
