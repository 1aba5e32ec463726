// Can a file be written, synced and read back?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section filesystem-writable. Never throws; any thread.
std::vector<base::Finding> CheckFilesystemWritable(const CheckContext& context);

}  // namespace ashlar::node
