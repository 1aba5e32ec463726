#include "assess/gpu_presence.h"

namespace ashlar::assess {
namespace {

// A library that is missing is an answer (no GPU of that vendor); one that failed is not.
void LookForProblems(const base::Json& body, GpuPresence& presence) {
  const base::Json* unknowns = base::Find(body, "unknowns");
  if (unknowns == nullptr || !unknowns->is_array()) {
    presence.known = false;
    presence.reason = "the identity of the machine is malformed";
    return;
  }
  for (const base::Json& unknown : unknowns->get_array()) {
    const std::string field = base::GetString(unknown, "field").value_or("");
    // "gpu_inventories.nvidia" as a whole; a single value of a GPU that could not be read leaves the count known.
    if (field != "gpu_inventories" && field != "gpu_inventories.nvidia" && field != "gpu_inventories.amd") continue;
    presence.known = false;
    presence.reason = base::GetString(unknown, "reason").value_or("the GPUs could not be read");
  }
}

}  // namespace

GpuPresence FindGpus(const Evidence& evidence) {
  GpuPresence presence;
  presence.identity = evidence.Latest("node.identity");
  if (presence.identity == nullptr) return presence;
  const base::Json& body = presence.identity->body;
  const base::Json* inventories = base::Find(body, "gpu_inventories");
  if (inventories == nullptr || !inventories->is_array()) {
    presence.reason = "the identity of the machine is malformed";
    return presence;
  }
  presence.known = true;
  for (const base::Json& inventory : inventories->get_array()) {
    const base::Json* gpus = base::Find(inventory, "gpus");
    const std::string vendor = base::GetString(inventory, "vendor").value_or("");
    if (gpus == nullptr || !gpus->is_array()) continue;
    if (vendor == "nvidia") presence.nvidia += gpus->get_array().size();
    if (vendor == "amd") presence.amd += gpus->get_array().size();
  }
  LookForProblems(body, presence);
  return presence;
}

}  // namespace ashlar::assess
