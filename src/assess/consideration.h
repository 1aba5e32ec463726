// One of the 38 things that Ashlar answers for: what it asks, why, what proves it, and the function that judges it.
#pragma once

#include <span>
#include <string_view>

#include "assess/judgement.h"

namespace ashlar::assess {

enum class Pillar { kReliability, kSecurity, kCost, kOperations, kPerformance, kBenchmarks };

// "Reliability", "Security", "Cost", "Operations", "Performance", "Benchmarks".
std::string_view PillarName(Pillar pillar);

struct Consideration {
  std::string_view id;  // "rel-zones"
  Pillar pillar;
  std::string_view question;  // what it asks, as a question that yes or no answers
  std::string_view why;       // what goes wrong without it
  std::string_view proof;     // the evidence that the scorecard accepts
  std::string_view remedy;    // what to do when it falls short
  Judgement (*judge)(const Evidence& evidence);
};

// All 38, in the order of docs/considerations.md.
std::span<const Consideration* const> Considerations();

// The consideration with that id, nullptr when there is none.
const Consideration* FindConsideration(std::string_view id);

}  // namespace ashlar::assess
