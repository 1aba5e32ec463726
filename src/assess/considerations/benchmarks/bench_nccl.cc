#include "assess/collectives.h"
#include "assess/considerations/considerations.h"
#include "assess/gpu_presence.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& evidence) {
  const GpuPresence gpus = FindGpus(evidence);
  if (gpus.identity == nullptr) return Unknown("the machine is not recorded", "ashlar up --once");
  if (!gpus.known) return Unknown(gpus.reason, "ashlar check --only gpu-count");
  if (gpus.nvidia > 0) {
    return NotInThisVersion(
        fmt::format("{} NVIDIA GPUs are here, and NCCL is not measured in this version.", gpus.nvidia),
        "ashlar validate");
  }
  if (gpus.amd > 0) {
    return NotApplicable("the GPUs here are AMD's: bench-rccl asks the same of them", *gpus.identity,
                         "gpu_inventories");
  }
  return JudgeCollectives(evidence, "mpi");
}

}  // namespace

constinit const Consideration kBenchNccl = {
    .id = "bench-nccl",
    .pillar = Pillar::kBenchmarks,
    .question = "Does the bus bandwidth of the collectives reach its baseline, with correct results?",
    .why = "Training is as fast as its slowest all-reduce.",
    .proof = "Measured bus bandwidth against the baseline: NCCL on NVIDIA GPUs, MPI where there is no GPU.",
    .remedy = "Compare environment, topology and links with a machine that is fast, then test pairs.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
