// The scorecard: every consideration judged, and what changed since the last one.
#pragma once

#include <absl/time/time.h>

#include <optional>
#include <string>
#include <vector>

#include "assess/changes.h"
#include "assess/consideration.h"

namespace ashlar::assess {

struct ScorecardRow {
  const Consideration* consideration;  // never null
  Judgement judgement;
};

struct VerdictCounts {
  int pass = 0;
  int fail = 0;
  int unknown = 0;
  int not_applicable = 0;
  int conflict = 0;
};

struct Scorecard {
  absl::Time time;
  std::vector<ScorecardRow> rows;    // in registry order, all 38
  std::vector<Change> changes;       // empty when there was nothing to compare with
  std::optional<uint64_t> baseline;  // sequence of the scorecard compared with
};

// Judges every consideration and compares with the newest `assess.scorecard` entry and the measurements before.
Scorecard Assess(const Evidence& evidence);

VerdictCounts CountVerdicts(const Scorecard& scorecard);
VerdictCounts CountVerdicts(const Scorecard& scorecard, Pillar pillar);

// kFallsShort when anything fails or conflicts; kPass when something passed and nothing fails (what is unknown is
// listed, not held against the machine: most considerations need more than one machine); else kCouldNotRun.
base::ExitStatus ExitStatusOf(const Scorecard& scorecard);

// {"time", "counts", "scorecard": [{id, pillar, question, verdict, grade, value, unit, expectation,
// expectation_source, reason, command, remedy, evidence}], "changes": [...], "baseline"}.
base::Json ScorecardToJson(const Scorecard& scorecard);

}  // namespace ashlar::assess
