// What was read, for people: one line a run, then everything that keeps a run from passing. Pure; any thread.
#pragma once

#include <string>

#include "bench/read/reader.h"

namespace ashlar::bench {

std::string FormatReadReport(const ReadReport& report);

}  // namespace ashlar::bench
