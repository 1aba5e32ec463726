// Any bytes give records that can be stored, and what is cut off at the front or the end never makes a pass of itself.
#include "bench/read/reader.h"

#include <cstdlib>

#include "bench/read/unpack.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const ashlar::bench::RunRecord& run : ashlar::bench::ReadText(text, "fuzz")) {
    if (!ashlar::base::CanonicalJson(ashlar::bench::RunRecordToJson(run)).ok()) std::abort();
    const bool passes = ashlar::base::WorstVerdict(run.findings) == ashlar::base::Verdict::kPass;
    const bool is_empty = run.collective ? run.collective->rows.empty() : run.samples.empty();
    if (passes && (!run.is_complete || is_empty)) std::abort();
  }
  ashlar::bench::Unpack(std::string(text), 1U << 20U).status().IgnoreError();
  return 0;
}
