// The metadata service's answer, and driver texts: both come from outside and are read in full.
#include <cstdint>

#include "node/azure_metadata.h"
#include "node/gpu/gpu_library.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto azure = ashlar::node::ParseAzureInstance(text);
  if (azure.ok()) (void)ashlar::base::WriteJson(ashlar::node::AzureIdentityToJson(*azure));
  (void)ashlar::node::DriverText(text.data(), text.size());
  return 0;
}
