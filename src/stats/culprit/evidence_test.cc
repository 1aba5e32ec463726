#include "stats/culprit/evidence.h"

#include <gtest/gtest.h>

namespace ashlar::stats {
namespace {

TEST(Touches, NodesLinksAndSwitches) {
  const Topology topology{.nodes = 6, .switches = {{0, 1, 2}, {3, 4, 5}}};
  struct Row {
    const char* name;
    Culprit culprit;
    std::vector<int> test;
    bool touches;
  };
  const Row rows[] = {
      {"a node that takes part", {CulpritKind::kNode, 2, -1}, {0, 2}, true},
      {"a node that does not", {CulpritKind::kNode, 2, -1}, {0, 1}, false},
      {"both ends of a link", {CulpritKind::kLink, 1, 4}, {0, 1, 4}, true},
      {"one end", {CulpritKind::kLink, 1, 4}, {0, 1, 3}, false},
      {"across a switch", {CulpritKind::kSwitch, 0, -1}, {2, 3}, true},
      {"behind it", {CulpritKind::kSwitch, 0, -1}, {0, 2}, false},
      {"elsewhere", {CulpritKind::kSwitch, 0, -1}, {3, 5}, false},
  };
  for (const Row& row : rows) EXPECT_EQ(Touches(row.culprit, topology, row.test), row.touches) << row.name;
}

}  // namespace
}  // namespace ashlar::stats
