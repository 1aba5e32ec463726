// Many machines: what Slurm says of its nodes, and what Ashlar may change there. Other rooms include this facade only.
#pragma once

#include "cluster/hostlist.h"       // IWYU pragma: export
#include "cluster/limits.h"         // IWYU pragma: export
#include "cluster/node_control.h"   // IWYU pragma: export
#include "cluster/node_decision.h"  // IWYU pragma: export
#include "cluster/node_state.h"     // IWYU pragma: export
#include "cluster/settle_node.h"    // IWYU pragma: export
#include "cluster/slurm_node.h"     // IWYU pragma: export
