// Named limits of the reader of NHC configuration. Each has a reject path and a test at and over it.
#pragma once

#include <absl/time/time.h>

#include <cstddef>
#include <cstdint>

#include "base/base.h"

namespace ashlar::node {

inline constexpr base::Bytes kMaxNhcConf{base::kMiB};  // the largest shipped ones are below 10 KiB
inline constexpr size_t kMaxNhcLines = 20'000;         // comments among them
inline constexpr size_t kMaxNhcLineBytes = 8192;       // joined, and again with its variables expanded
inline constexpr size_t kMaxNhcChecks = 1024;          // of one machine: each is a child process
inline constexpr size_t kMaxNhcVariables = 256;
inline constexpr size_t kMaxNhcWords = 64;             // of one check
inline constexpr size_t kMaxNhcExpressionBytes = 256;  // one target or pattern
inline constexpr uint64_t kMaxNhcRepetitions = 1024;   // what the {m,n} of one regular expression multiply to
inline constexpr size_t kMaxNhcNodeDigits = 18;        // of a node's number: fits 64 bits

// Reading /proc and /sys takes milliseconds; a disk or a server may be slow; the drivers' own deadline comes first.
inline constexpr absl::Duration kNhcQuick = absl::Seconds(2);
inline constexpr absl::Duration kNhcDisk = absl::Seconds(4);
inline constexpr absl::Duration kNhcDriver = absl::Seconds(18);

}  // namespace ashlar::node
