#include "node/checks/check_machine.h"

#include "node/azure_metadata.h"
#include "node/checks/machine_facts.h"

namespace ashlar::node {
namespace {

// Only where a hypervisor is can there be a metadata service: elsewhere its deadline would be waited for in vain.
std::string AskForSize(const os::SysReader& system, const AzureFetch& azure) {
  const auto is_virtual = IsVirtualMachine(system);
  if (!azure || (is_virtual.ok() && !*is_virtual)) return "";
  const auto body = azure(std::string(kAzureInstancePath));
  if (!body.ok()) return "";
  const auto identity = ParseAzureInstance(*body);
  return identity.ok() ? identity->size.value_or("") : "";
}

}  // namespace

base::StatusOr<Expectations> LoadExpectations(const os::SysReader& system, const CheckMachineRequest& request) {
  Expectations::Request load;
  if (const base::Json* node = base::Find(request.configuration, "node")) load.configuration = *node;
  load.accelerated = IsAccelerated(system);
  load.size = request.size;
  const bool stated = base::Find(load.configuration, "size") != nullptr;
  if (load.size.empty() && !stated) load.size = AskForSize(system, request.azure);
  return Expectations::Load(load);
}

base::StatusOr<std::vector<base::Finding>> CheckMachine(const CheckMachineRequest& request) {
  const os::SysReader system;
  ASHLAR_ASSIGN_OR_RETURN(const Expectations expectations, LoadExpectations(system, request));
  const CheckContext context{
      .system = system, .expectations = expectations, .writable_directory = request.writable_directory};
  return RunChecks(context, request.run);
}

}  // namespace ashlar::node
