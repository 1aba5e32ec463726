// Validation of many nodes: groups, then pairs in rounds, until who is at fault is pinned or cannot be.
//
// Keeps nothing: the document (schema ashlar.validate/1, docs/architecture.md) holds every test and what follows from
// it, so that another can follow each step. One thread.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/base.h"
#include "bench/validate/node_tester.h"

namespace ashlar::bench {

struct ValidationProgress {
  int round = 0;  // from 1
  int most_rounds = 0;
  std::string text;  // "2 tests hung", "suspects: node-3 (62 %), node-9 (31 %)"
};

struct ExpectedSpeed {
  double bytes_per_second = 0;  // of bus bandwidth between two nodes
  std::string source;
};

struct ValidationRequest {
  NodeTester& tester;
  std::optional<ExpectedSpeed> expected;  // what healthy nodes reach; without it they are only compared with each other
  std::function<void(const ValidationProgress&)> on_progress;  // may be empty
  std::stop_token stop;
};

// The document. kCancelled when `stop` was requested; kAborted when no test of a round could run.
base::StatusOr<base::Json> Validate(const ValidationRequest& request);

// The document for people: verdict, culprits with what supports them, doubts, what to do next.
std::string ValidationText(const base::Json& document);

// kPass, kFallsShort or kCouldNotRun, by the document's findings.
base::ExitStatus ExitStatusOfValidation(const base::Json& document);

}  // namespace ashlar::bench
