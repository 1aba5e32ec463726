// Words of culprit finding: nodes, what a test of some of them came to, and who may be at fault.
//
// Plain values. Nodes have numbers from 0. A speed travels as its natural logarithm, so a fault that takes half of a
// bandwidth moves it by ln(1/2) whatever the unit was.
#pragma once

#include <span>

#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace ashlar::stats {

enum class TestOutcome { kFinished, kWrongData, kHung, kCrashed };

// Tests of one kind have speeds that can be compared.
enum class TestKind { kPair, kGroup };

// A test to run: the nodes exchange data all with all, so that every link between them is used.
struct PlannedTest {
  TestKind kind = TestKind::kPair;
  std::vector<int> nodes;  // ascending, without repetition, at least two
  friend bool operator==(const PlannedTest&, const PlannedTest&) = default;
};

// What it came to.
struct TestResult {
  TestKind kind = TestKind::kPair;
  std::vector<int> nodes;
  TestOutcome outcome = TestOutcome::kFinished;
  // ln of a bandwidth, in the same unit in all tests of a kind; not a number when none was measured.
  double log_speed = std::numeric_limits<double>::quiet_NaN();
  std::vector<int> blamed;  // nodes that the run itself named: the rank that died, or the one all others waited for
};

// What is known of the cluster before any test.
struct Topology {
  int nodes = 0;
  // The nodes behind one uplink: a test that crosses it uses it, one that stays behind it does not. May be empty.
  std::vector<std::vector<int>> switches;
};

enum class CulpritKind { kNode, kLink, kSwitch };

struct Culprit {
  CulpritKind kind = CulpritKind::kNode;
  int first = 0;    // the node, the lower node of the link, or the index of the switch
  int second = -1;  // the higher node of the link
  friend bool operator==(const Culprit&, const Culprit&) = default;
  friend auto operator<=>(const Culprit&, const Culprit&) = default;
};

// Nodes among which a slow link hides, and the links between them that no healthy test has cleared.
struct Region {
  std::vector<int> nodes;
  std::vector<std::pair<int, int>> open_links;
  bool empty() const { return nodes.empty(); }
};

enum class Symptom { kSlow, kWrongData, kHang, kCrash };

// Does a fault there touch a test of these nodes?
bool Touches(const Culprit& culprit, const Topology& topology, std::span<const int> nodes);

}  // namespace ashlar::stats
