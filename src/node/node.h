// What one machine is and how it fares. Other rooms include this facade only.
#pragma once

#include "node/azure_metadata.h"        // IWYU pragma: export
#include "node/checks/check.h"          // IWYU pragma: export
#include "node/checks/check_machine.h"  // IWYU pragma: export
#include "node/checks/check_report.h"   // IWYU pragma: export
#include "node/checks/expectations.h"   // IWYU pragma: export
#include "node/gpu.h"                   // IWYU pragma: export
#include "node/identity.h"              // IWYU pragma: export
#include "node/infiniband.h"            // IWYU pragma: export
#include "node/network_interface.h"     // IWYU pragma: export
#include "node/nhc/plan_report.h"       // IWYU pragma: export
#include "node/nhc/run_plan.h"          // IWYU pragma: export
#include "node/sensors.h"               // IWYU pragma: export
#include "node/unknown.h"               // IWYU pragma: export
