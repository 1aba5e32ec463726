// Reading a directory. For use inside `os`; any thread may call.
#pragma once

#include <string>
#include <vector>

#include "base/base.h"

namespace ashlar::os {

// Names without "." and "..", sorted. Errors of opendir(3); kResourceExhausted over kDirectoryEntries.
base::StatusOr<std::vector<std::string>> ListDirectory(const char* path);

}  // namespace ashlar::os
