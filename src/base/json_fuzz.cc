// What is read is written so that it is read the same; canonical text does not move.
#include <cstdint>
#include <cstdlib>

#include "base/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace base = ashlar::base;
  const auto require = [](bool holds) {
    if (!holds) std::abort();
  };
  const auto json = base::ParseJson(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!json.ok()) return 0;
  const auto canonical = base::CanonicalJson(*json);
  if (canonical.ok()) {
    const auto again = base::ParseJson(*canonical);
    require(again.ok());
    require(*base::CanonicalJson(*again) == *canonical);
  }
  const std::string plain = base::WriteJson(*json);
  const auto again = base::ParseJson(plain);
  require(again.ok());
  require(base::WriteJson(*again) == plain);
  require(base::ParseJson(base::WriteJsonIndented(*json)).ok());
  return 0;
}
