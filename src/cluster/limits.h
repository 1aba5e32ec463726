// Named limits of `cluster`. Each has a reject path and a test at and over it.
#pragma once

#include <absl/time/time.h>

#include <cstddef>

#include "base/base.h"

namespace ashlar::cluster {

inline constexpr size_t kMaxHostListBytes = base::kMiB;     // 65,536 names written out are below it
inline constexpr size_t kMaxHosts = 65'536;                 // of one list: what Slurm itself allows in a range
inline constexpr size_t kMaxHostNameBytes = 253;            // of one name: RFC 1035's limit of a name as text
inline constexpr size_t kMaxHostRanges = 8;                 // bracketed ranges of one name
inline constexpr size_t kMaxHostDigits = 18;                // of one number: it fits 64 bits
inline constexpr size_t kMaxStateBytes = 512;               // all flags that Slurm has take 300
inline constexpr size_t kMaxNodeLineBytes = 64 * 1024;      // one node as `scontrol -o show node` writes it
inline constexpr size_t kMaxNodes = kMaxHosts;              // of one listing
inline constexpr size_t kMaxReasonBytes = 240;              // what we write; `sinfo -R` and mails stay readable
inline constexpr base::Bytes kMaxListing{64 * base::kMiB};  // 65,536 nodes of 1 KiB each
inline constexpr absl::Duration kSlurmCallLimit = absl::Seconds(10);  // one scontrol: MessageTimeout's default
inline constexpr absl::Duration kWaitStep = absl::Seconds(1);         // between two looks at a node that is waited for

}  // namespace ashlar::cluster
