#include "assess/considerations/considerations.h"
#include "assess/gpu_presence.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& evidence) {
  const GpuPresence gpus = FindGpus(evidence);
  if (gpus.identity == nullptr) return Unknown("the machine is not recorded", "ashlar up --once");
  if (!gpus.known) return Unknown(gpus.reason, "ashlar check --only gpu-count");
  if (gpus.amd == 0) return NotApplicable("no AMD GPU here", *gpus.identity, "gpu_inventories");
  return NotInThisVersion(fmt::format("{} AMD GPUs are here, and RCCL is not measured in this version.", gpus.amd),
                          "ashlar validate");
}

}  // namespace

constinit const Consideration kBenchRccl = {
    .id = "bench-rccl",
    .pillar = Pillar::kBenchmarks,
    .question = "Does the bus bandwidth of the collectives on AMD GPUs reach its baseline, with correct results?",
    .why = "Training is as fast as its slowest all-reduce.",
    .proof = "Measured bus bandwidth of RCCL against the baseline of the size.",
    .remedy = "Compare environment, topology and links with a machine that is fast, then test pairs.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
