#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion(
      "The identity of a machine is recorded, but no known-good set to compare it with: the "
      "inventory is not part of this version.",
      "ashlar validate");
}

}  // namespace

constinit const Consideration kBenchSoftware = {
    .id = "bench-software",
    .pillar = Pillar::kBenchmarks,
    .question = "Do all machines have the same software, from the known-good set?",
    .why = "One machine with another driver or plug-in can hang a job of hundreds.",
    .proof = "All nodes equal, and in the known-good set.",
    .remedy = "Bring the machines that differ to the image of the others.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
