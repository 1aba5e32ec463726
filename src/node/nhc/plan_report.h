// What each line of a configuration of NHC became, as text and as JSON. Plain functions, any thread.
#pragma once

#include <string>

#include "base/base.h"
#include "node/nhc/plan.h"

namespace ashlar::node {

// The lines in their order, each with what it became below it, and a line that counts them.
std::string FormatNhcPlan(const NhcPlan& plan);

// {"conf", "host", "lines": [{"line", "text", "target", "check", "outcome", "says"}]}.
base::Json NhcPlanToJson(const NhcPlan& plan);

// kPass when every line for this host can be honoured and there is one at least, else kUnknown.
base::Verdict NhcPlanVerdict(const NhcPlan& plan);

}  // namespace ashlar::node
