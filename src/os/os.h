// One machine's files, processes and kernel readings. Other rooms include this facade only.
#pragma once

#include "os/filesystem.h"  // IWYU pragma: export
#include "os/limits.h"      // IWYU pragma: export
#include "os/signals.h"     // IWYU pragma: export
#include "os/subprocess.h"  // IWYU pragma: export
#include "os/sys_reader.h"  // IWYU pragma: export
