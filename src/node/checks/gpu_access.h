// What every GPU check asks first: which GPUs are there, and if none, is that a fault? Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "node/checks/check.h"

namespace ashlar::node {

struct GpuView {
  std::vector<Gpu> gpus;  // of all vendors, in the order of the drivers
  std::string read_from;  // "NVML", "ROCm SMI"
};

// Every GPU that the drivers show. kNotFound when the machine has none and none is expected; kFailedPrecondition when
// there should be some and none can be read; else the driver's error. The message says what to do.
base::StatusOr<GpuView> ReadGpuView(const CheckContext& context);

// "GPU 3 (00000001:00:00.0)".
std::string GpuLabel(const Gpu& gpu);

// A view, or the finding to give instead of a verdict.
struct GpuViewOrFinding {
  GpuView view;
  std::optional<base::Finding> instead;
};
GpuViewOrFinding StartGpuCheck(const CheckContext& context, base::Finding finding);

}  // namespace ashlar::node
