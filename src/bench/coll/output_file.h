// The file that -J asks for.
#pragma once

#include <span>
#include <string>

#include "base/base.h"
#include "bench/coll/limits.h"
#include "os/os.h"

namespace ashlar::bench {

// One document as itself, several as an array.
base::Json JoinDocuments(std::span<const base::Json> documents);

// Writes the documents, indented, to `path`, or to `path`.0, `path`.1 ... when there is such a file already, as
// nccl-tests does: no result is ever overwritten. The path that was written. kAlreadyExists when kMaxOutputSuffixes are
// taken, others as the file system's.
base::StatusOr<std::string> SaveDocuments(const std::string& path, std::span<const base::Json> documents,
                                          os::FileSystem& files);

}  // namespace ashlar::bench
