// NHC's checks of files: what they are, what they hold.
//
// Source: mej/nhc scripts/lbnl_file.nhc. Each function is an NhcMapper (mapped_check.h).
#pragma once

#include <string>
#include <vector>

#include "node/nhc/mapped_check.h"

namespace ashlar::node {

base::StatusOr<MappedCheck> MapFileTest(const std::vector<std::string>& arguments);
base::StatusOr<MappedCheck> MapFileContents(const std::vector<std::string>& arguments);

}  // namespace ashlar::node
