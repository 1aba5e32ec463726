// What a validation found, as a document with findings.
//
// No state; any thread.
#pragma once

#include <absl/time/time.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/base.h"
#include "bench/validate/node_tester.h"
#include "bench/validate/validation.h"
#include "stats/stats.h"

namespace ashlar::bench {

struct RunTest {
  int round = 0;  // from 1
  NodeTestReport report;
};

struct UnrunTest {
  int round = 0;
  std::vector<int> nodes;
  std::string reason;
};

struct ValidationFacts {
  const NodeTester& tester;
  const stats::CulpritSearch& search;
  std::span<const RunTest> tests;  // in the order of the search's results
  std::span<const UnrunTest> unrun;
  absl::Time started;
  const std::optional<ExpectedSpeed>& expected;
};

// Of a whole validation: {"schema": "ashlar.validate/1", ...}.
base::Json ValidationDocument(const ValidationFacts& facts);

// "node-3", "the link node-3 - node-9", "the switch of node-0, node-1, node-2".
std::string CulpritText(const stats::Culprit& culprit, const NodeTester& tester);

// One line: who is accused, who is in doubt.
std::string DiagnosisText(const stats::Diagnosis& diagnosis, const NodeTester& tester);

}  // namespace ashlar::bench
