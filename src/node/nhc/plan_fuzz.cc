// Any text as a configuration of NHC: read for a host, and told.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "node/nhc/plan_report.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ashlar;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto plan = node::MakeNhcPlan({.path = "nhc.conf", .text = text, .host = "gpu-07"});
  if (!plan.ok()) return 0;
  for (const auto& line : plan->lines) {
    const bool runs = line.check.run != nullptr;
    if (runs != (line.outcome == node::NhcOutcome::kCheck) || line.says.empty()) std::abort();
  }
  if (!base::IsUtf8(node::FormatNhcPlan(*plan))) std::abort();
  // What is told is JSON that can be read again.
  if (!base::ParseJson(base::WriteJson(node::NhcPlanToJson(*plan))).ok()) std::abort();
  return 0;
}
