// Named limits of `base`. Each has a reject path and a test at and over it.
#pragma once

#include <cstddef>

namespace ashlar::base {

inline constexpr size_t kMaxJsonBytes = size_t{64} << 20U;  // one document: a report with its evidence is below 10 MiB
inline constexpr size_t kMaxJsonDepth = 64;
inline constexpr size_t kMaxYamlBytes = size_t{1} << 20U;  // read at about 1 MB/s, so one second at most
inline constexpr size_t kMaxYamlDepth = 32;
inline constexpr size_t kMaxYamlNodes = 200'000;  // aliases expand: a small text must not become a large tree

}  // namespace ashlar::base
