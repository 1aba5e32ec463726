#include "stats/culprit/evidence.h"

#include <algorithm>

namespace ashlar::stats {

bool Touches(const Culprit& culprit, const Topology& topology, std::span<const int> nodes) {
  const auto takes_part = [&](int node) { return std::binary_search(nodes.begin(), nodes.end(), node); };
  if (culprit.kind == CulpritKind::kNode) return takes_part(culprit.first);
  if (culprit.kind == CulpritKind::kLink) return takes_part(culprit.first) && takes_part(culprit.second);
  const std::vector<int>& behind = topology.switches[static_cast<size_t>(culprit.first)];
  const auto inside = std::count_if(behind.begin(), behind.end(), takes_part);
  return inside > 0 && static_cast<size_t>(inside) < nodes.size();
}

}  // namespace ashlar::stats
