// What one machine is and how it fares. Other rooms include this facade only.
#pragma once

#include "node/gpu.h"                // IWYU pragma: export
#include "node/identity.h"           // IWYU pragma: export
#include "node/infiniband.h"         // IWYU pragma: export
#include "node/network_interface.h"  // IWYU pragma: export
#include "node/unknown.h"            // IWYU pragma: export
