#include <algorithm>
#include "assess/considerations/considerations.h"

#include "assess/limits.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& evidence) {
  const auto checks = evidence.LatestOfEach("node.check");
  if (checks.empty()) return Unknown("no machine has reported its health", "ashlar check");
  Judgement judgement = NotInThisVersion(
      fmt::format("{} machine{} reported; whether an alert would reach somebody was never tried, and alerts are not "
                  "part of this version.",
                  checks.size(), checks.size() == 1 ? "" : "s"),
      "ashlar fleet alert --drill");
  judgement.value = base::JsonObject{{"machines_reporting", checks.size()}};
  for (size_t i = 0; i < std::min(checks.size(), kMaxPointers); ++i) {
    judgement.pointers.push_back(PointTo(*checks[i], "findings"));
  }
  return judgement;
}

}  // namespace

constinit const Consideration kRelHealth = {
    .id = "rel-health",
    .pillar = Pillar::kReliability,
    .question = "Is every machine watched, and does an alert reach somebody when it degrades?",
    .why = "A machine that degrades unseen slows every job that it takes part in, and is found by users first.",
    .proof = "Every node reported within its interval; alerts exist, fired in a drill and reached a receiver.",
    .remedy =
        "Run the checks on a schedule on every machine, route alerts to a receiver and prove it with a "
        "drill.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
