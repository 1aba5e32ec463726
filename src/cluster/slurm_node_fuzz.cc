// Any bytes as what Slurm prints: states, lists of hosts and nodes are read or refused, and what was read is read again
// the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cluster/hostlist.h"
#include "cluster/limits.h"
#include "cluster/node_state.h"
#include "cluster/slurm_node.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ashlar;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto state = cluster::ParseNodeState(text);
  if (state.ok()) {
    const auto again = cluster::ParseNodeState(cluster::NodeStateText(*state));
    if (!again.ok() || *again != *state) std::abort();
  }
  const auto hosts = cluster::ExpandHostList(text);
  if (hosts.ok()) {
    if (hosts->size() > cluster::kMaxHosts) std::abort();
    const auto again = cluster::ExpandHostList(cluster::CompressHostList(*hosts));
    // The list of ranges of a few names may be longer than the limits of one list allow.
    if (again.ok() && again->size() > hosts->size()) std::abort();
  }
  const auto nodes = cluster::ParseNodeListing(text);
  if (!nodes.ok()) return 0;
  for (const auto& node : *nodes) {
    if (!base::ParseJson(base::WriteJson(cluster::NodeToJson(node))).ok()) std::abort();
  }
  return 0;
}
