// `ashlar up`: the run, the HTTP API, metrics. Other rooms include this facade only.
#pragma once

#include "service/up.h"  // IWYU pragma: export
