// NHC's checks of file systems: mounted as they should be, large and free enough.
//
// Source: mej/nhc scripts/lbnl_fs.nhc. Each function is an NhcMapper (mapped_check.h).
#pragma once

#include <string>
#include <vector>

#include "node/nhc/mapped_check.h"

namespace ashlar::node {

base::StatusOr<MappedCheck> MapFsMount(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapFsMountRw(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapFsMountRo(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapFsSize(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapFsFree(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapFsUsed(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapFsInodes(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapFsIfree(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapFsIused(const std::vector<std::string>& arguments);

}  // namespace ashlar::node
