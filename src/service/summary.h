// What was measured, for people at a terminal: the machine, its checks, bandwidth by message size, storage speed.
//
// Pure functions of the evidence. A part that was not measured, or whose entry is malformed, is left out here: the
// scorecard below says so.
#pragma once

#include <string>

#include "assess/assess.h"

namespace ashlar::service {

// All parts one after the other, at most 80 columns as far as names allow.
std::string FormatMeasurements(const assess::Evidence& evidence, bool colour);

}  // namespace ashlar::service
