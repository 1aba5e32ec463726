// Block devices as /sys/block shows them: the whole disks, no partitions, loop or RAM devices.
//
// Formats: Linux Documentation/ABI/stable/sysfs-block. Any thread may call these.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "node/identity.h"

namespace ashlar::node {

// The scheduler in brackets: "none [mq-deadline] bfq" is "mq-deadline"; a single word stands for itself.
// kInvalidArgument otherwise.
base::StatusOr<std::string> ParseScheduler(std::string_view text);

// In the order of their names; none when the machine has no block devices. kResourceExhausted for more than kMaxDisks.
base::StatusOr<std::vector<Disk>> ReadDisks(const os::SysReader& system);

base::Json DiskToJson(const Disk& disk);

}  // namespace ashlar::node
