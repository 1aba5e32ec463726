// Whether this machine is virtual, and on whose hypervisor.
//
// Sources: the processor's hypervisor flag (CPUID 1, ECX bit 31) and the machine's DMI table, /sys/class/dmi/id.
// Azure's chassis asset tag is 7783-7084-3265-9085-8269-3286-77 on every machine (Azure documentation). Any thread.
#pragma once

#include <optional>

#include "node/identity.h"

namespace ashlar::node {

// `hypervisor_flag` as ParseCpuinfo read it. Many small hypervisors have no DMI table: the flag alone then says that
// the machine is virtual, with the kind "other".
Virtualisation ReadVirtualisation(const os::SysReader& system, const std::optional<bool>& hypervisor_flag,
                                  Unknowns& unknowns);

base::Json VirtualisationToJson(const Virtualisation& virtualisation);

}  // namespace ashlar::node
