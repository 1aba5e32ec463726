#include <string>
#include <vector>
#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

// What the interfaces of one machine say about the accelerated path.
struct Path {
  bool synthetic = false;            // an interface of the hypervisor's virtual switch is there
  std::vector<std::string> carried;  // virtual functions that carry traffic
  std::vector<std::string> idle;     // virtual functions that are present, and carry none or do not say
};

Path LookAt(const ledger::Entry& identity) {
  Path path;
  const base::Json* nics = base::Find(identity.body, "nics");
  if (nics == nullptr || !nics->is_array()) return path;
  for (const base::Json& nic : nics->get_array()) {
    const auto driver = base::GetString(nic, "driver");
    if (driver.ok() && (*driver == "hv_netvsc" || *driver == "virtio_net" || *driver == "vmxnet3")) {
      path.synthetic = true;
    }
    const auto is_function = base::GetBool(nic, "is_virtual_function");
    if (!is_function.ok() || !*is_function) continue;
    const auto carries = base::GetBool(nic, "carries_traffic");
    const std::string name = base::GetString(nic, "name").value_or("?");
    (carries.ok() && *carries ? path.carried : path.idle).push_back(name);
  }
  return path;
}

Judgement Judge(const Evidence& evidence) {
  const ledger::Entry* identity = evidence.Latest("node.identity");
  if (identity == nullptr) return Unknown("the machine is not recorded", "ashlar up --once");
  const base::Json* is_virtual = base::FindPath(identity->body, "virtualisation.is_virtual");
  if (is_virtual == nullptr || !is_virtual->is_bool()) {
    return Unknown("whether this is a virtual machine could not be read", "ashlar up --once");
  }
  if (!is_virtual->get_bool()) {
    return NotApplicable("not a virtual machine: no virtual switch stands in the way", *identity, "virtualisation");
  }
  const Path path = LookAt(*identity);
  Judgement judgement;
  judgement.command = "ashlar up --once";
  judgement.expectation = "a virtual function carries the traffic";
  judgement.expectation_source = "docs/considerations.md, perf-network";
  judgement.pointers.push_back(PointTo(*identity, "nics"));
  judgement.value = base::JsonObject{{"carrying", path.carried.size()}, {"not_carrying", path.idle.size()}};
  if (!path.carried.empty()) {
    judgement.verdict = base::Verdict::kPass;
    judgement.reason = fmt::format("traffic goes over {}", ListNames(path.carried));
  } else if (!path.idle.empty()) {
    judgement.reason = fmt::format("{} present, but not seen to carry traffic", ListNames(path.idle));
  } else if (base::FindPath(identity->body, "azure.size") != nullptr) {
    judgement.verdict = base::Verdict::kFail;
    judgement.reason = "no virtual function: accelerated networking is off, or its driver is missing";
  } else {
    judgement.reason = path.synthetic
                           ? "only virtual interfaces are here, and what this machine's provider promises is not known"
                           : "no network interface with a known driver was found";
  }
  return judgement;
}

}  // namespace

constinit const Consideration kPerfNetwork = {
    .id = "perf-network",
    .pillar = Pillar::kPerformance,
    .question = "Does network traffic go over the accelerated path (SR-IOV)?",
    .why = "Traffic through the virtual switch has several times the latency and costs processor time.",
    .proof = "A virtual function is present and carries the traffic.",
    .remedy = "Enable accelerated networking on the interface and install the driver of the virtual function.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
