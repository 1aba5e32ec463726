// Hostile entries: any JSON under any kind must neither crash the scorecard, nor pass for want of evidence, nor leave
// its text unescaped in the page.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "assess/assess.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using ashlar::assess::Evidence;
  const auto json = ashlar::base::ParseJson({reinterpret_cast<const char*>(data), size});
  if (!json.ok()) return 0;
  Evidence evidence(ashlar::base::JsonObject{}, absl::UnixEpoch());
  uint64_t sequence = 0;
  for (const char* kind : {"node.identity", "node.check", "bench.coll", "bench.storage", "assess.scorecard"}) {
    evidence.Add({.sequence = sequence++,
                  .time = absl::UnixEpoch(),
                  .kind = kind,
                  .subject = "a",
                  .actor = "fuzz",
                  .body = *json});
  }
  const auto scorecard = ashlar::assess::Assess(evidence);
  const std::string page = ashlar::assess::RenderHtml(scorecard, evidence);
  if (page.find("<script") != std::string::npos) std::abort();
  ashlar::assess::RenderSarif(scorecard);
  const auto judgement = ashlar::assess::JudgementFromJson(*json);
  if (judgement.ok() && !ashlar::assess::JudgementFromJson(ashlar::assess::JudgementToJson(*judgement)).ok()) {
    std::abort();
  }
  return 0;
}
