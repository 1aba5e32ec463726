// What a line of NHC configuration becomes here: a reading of `node`, held to the line's own numbers.
//
// Plain values; a mapped check may run in any thread or forked child, as those of checks/check.h.
#pragma once

#include <absl/time/time.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "node/checks/check.h"
#include "node/nhc/nhc_limits.h"

namespace ashlar::node {

struct MappedCheck {
  std::string becomes;  // what is read and what it is held to, one line
  absl::Duration time_limit = kNhcQuick;
  // One finding; its id and the place of its expectation are the line's, and set by the caller.
  std::function<base::Finding(const CheckContext&)> run;
};

// From the arguments behind the check's name. An error says why the line cannot be honoured.
using NhcMapper = base::StatusOr<MappedCheck> (*)(const std::vector<std::string>& arguments);

// Runs a native check with `own` in place of what the machine is held to elsewhere (an object with keys of
// ExpectationKeys(); null keeps the machine's own). Of several findings the one called `id`.
struct NativeCheck {
  std::vector<base::Finding> (*run)(const CheckContext&);
  std::string_view id;
};
base::Finding RunNative(const CheckContext& context, const NativeCheck& check, const base::Json& own);

}  // namespace ashlar::node
