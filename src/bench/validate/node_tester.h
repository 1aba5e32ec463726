// What validation needs of the machines: run tests of some nodes together, and say what each came to.
//
// One thread calls; an implementation may run the tests of one call at the same time, since they share no node.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/base.h"
#include "stats/stats.h"

namespace ashlar::bench {

struct NodeTestReport {
  stats::TestResult result;
  std::string text;     // "12.3 GB/s", "hung: no sign of life from rank 1 ..."
  base::Json document;  // of the benchmark; null when there is none
};

class NodeTester {
 public:
  virtual ~NodeTester() = default;

  virtual const std::vector<std::string>& nodes() const = 0;  // names, by number
  virtual const stats::Topology& topology() const = 0;
  virtual std::string method() const = 0;  // what a test is, for people: "all_reduce of 4 MiB over MPI"
  virtual std::string drill() const = 0;   // which faults are made on purpose; "" in earnest

  // One report or error (the test could not run) for each test, in their order.
  virtual std::vector<base::StatusOr<NodeTestReport>> Run(const std::vector<stats::PlannedTest>& tests,
                                                          const std::stop_token& stop) = 0;
};

}  // namespace ashlar::bench
