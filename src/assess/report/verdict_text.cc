#include "assess/report/verdict_text.h"

namespace ashlar::assess {

VerdictText TextOf(base::Verdict verdict) {
  switch (verdict) {
    case base::Verdict::kPass: return {"✓", "pass", "\x1b[32m"};
    case base::Verdict::kFail: return {"✗", "FAIL", "\x1b[1;31m"};
    case base::Verdict::kNotApplicable: return {"–", "n/a", "\x1b[2m"};
    case base::Verdict::kConflict: return {"!", "CONFLICT", "\x1b[1;35m"};
    case base::Verdict::kUnknown: break;
  }
  return {"?", "unknown", "\x1b[33m"};
}

}  // namespace ashlar::assess
