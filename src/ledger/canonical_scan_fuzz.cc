// Fuzz target: the scanner and the canonical writer must agree about every text.
#include <cstdint>
#include <cstdlib>

#include "base/base.h"
#include "ledger/canonical_scan.h"
#include "ledger/entry_codec.h"
#include "ledger/limits.h"

namespace {

// Integers beyond 2^53 are written from doubles and read back as integers, which the writer refuses: not comparable.
bool IsWritable(const ashlar::base::Json& json) { return ashlar::base::CanonicalJson(json).ok(); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ashlar;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool scanned = ledger::IsCanonicalJson(text, 64);
  const auto json = base::ParseJson(text);
  if (scanned && !json.ok()) std::abort();
  if (json.ok() && IsWritable(*json) && (*base::CanonicalJson(*json) == text) != scanned) std::abort();
  ledger::EntryView view;
  if (ledger::ScanEntry(text, view) && !base::ParseJson(text).ok()) std::abort();
  ledger::ParseEntry(text).IgnoreError();
  return 0;
}
