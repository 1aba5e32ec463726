// Every limit of reading other tools' results, in one place.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ashlar::bench {

inline constexpr uint64_t kMostWrongElements = uint64_t{1} << 53U;  // a count above is no count
inline constexpr size_t kMostRows = 1U << 20U;                      // of one run
inline constexpr size_t kMostMatrixColumns = 4096;                  // of a matrix of copies
inline constexpr size_t kMostSamples = 1U << 17U;                   // of one run; each has labels of its own
inline constexpr size_t kLongestHeading = 512;                      // bytes of a line that names a run, or a table
inline constexpr size_t kMostDevices = 1U << 20U;                   // of one run
inline constexpr size_t kMostNotes = 256;                           // of one run; twice as many when they are damage
inline constexpr size_t kMostStreams = 1U << 16U;                   // launcher's prefixes in one file
inline constexpr uint64_t kMostFileBytes = uint64_t{4} << 30U;      // of one file, unpacked
inline constexpr size_t kMostFiles = 100'000;                       // below the folders that were named
inline constexpr size_t kJsonProbeBytes = 4096;                     // blanks that may stand before a document
inline constexpr size_t kLongestLine = size_t{1} << 20U;            // bytes; a longer one is passed over

}  // namespace ashlar::bench
