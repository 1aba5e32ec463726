#include "node/gpu/gpu_library.h"

namespace ashlar::node {

bool IsBlank32(uint32_t value) {
  constexpr uint32_t kFirstBlank = 0x7ffffff0U;
  constexpr uint32_t kLastBlank = 0x7fffffffU;
  constexpr uint32_t kAllOnes = 0xffffffffU;
  return (value >= kFirstBlank && value <= kLastBlank) || value == kAllOnes;
}

bool IsBlank64(uint64_t value) {
  constexpr uint64_t kFirstBlank = 0x7ffffffffffffff0U;
  return value >= kFirstBlank;
}

std::optional<std::string> DriverText(const char* buffer, size_t size) {
  const std::string_view whole(buffer, size);
  const size_t end = whole.find('\0');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view text = base::Trim(whole.substr(0, end));
  if (text.empty() || text == "<<<NULL>>>") return std::nullopt;
  for (const char character : text) {
    if (character < ' ' || character > '~') return std::nullopt;
  }
  return std::string(text);
}

}  // namespace ashlar::node
