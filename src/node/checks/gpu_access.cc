#include "node/checks/gpu_access.h"

#include "node/checks/finding.h"
#include "node/checks/machine_facts.h"

namespace ashlar::node {
namespace {

base::StatusOr<GpuInventory> Ask(const CheckContext& context, GpuVendor vendor) {
  if (context.read_gpus) return context.read_gpus(vendor);
  return ReadGpus(vendor, {.deadline = kGpuAnswerDeadline});
}

std::string_view LibraryName(GpuVendor vendor) { return vendor == GpuVendor::kNvidia ? "NVML" : "ROCm SMI"; }

base::Status AddVendor(const CheckContext& context, GpuVendor vendor, uint64_t on_pci, GpuView& view) {
  const auto inventory = Ask(context, vendor);
  if (inventory.ok()) {
    view.gpus.insert(view.gpus.end(), inventory->gpus.begin(), inventory->gpus.end());
    if (!view.read_from.empty()) view.read_from += ", ";
    view.read_from += LibraryName(vendor);
    return base::OkStatus();
  }
  // A driver library without a GPU of its vendor is a leftover of an image.
  const auto code = inventory.status().code();
  const bool not_there = code == base::StatusCode::kNotFound || code == base::StatusCode::kFailedPrecondition;
  if (on_pci == 0 && not_there) return base::OkStatus();
  return base::Error(base::StatusCode::kFailedPrecondition,
                     "{} GPUs of {} are on PCI, and the driver does not answer: {}", on_pci, GpuVendorName(vendor),
                     base::Message(inventory.status()));
}

}  // namespace

base::StatusOr<GpuView> ReadGpuView(const CheckContext& context) {
  ASHLAR_ASSIGN_OR_RETURN(const PciGpus on_pci, CountPciGpus(context.system));
  GpuView view;
  ASHLAR_RETURN_IF_ERROR(AddVendor(context, GpuVendor::kNvidia, on_pci.nvidia, view));
  // ROCm SMI is asked only where AMD's hardware is: opening it takes seconds on some machines.
  if (on_pci.amd > 0 || context.read_gpus) {
    ASHLAR_RETURN_IF_ERROR(AddVendor(context, GpuVendor::kAmd, on_pci.amd, view));
  }
  if (!view.gpus.empty()) return view;
  const auto expected = context.expectations.Whole("gpu_count");
  if (on_pci.total() > 0 || (expected && expected->value > 0)) {
    return base::Error(base::StatusCode::kFailedPrecondition, "GPUs should be here and none is seen: see gpu-count");
  }
  return base::Error(base::StatusCode::kNotFound, "no GPU here");
}

std::string GpuLabel(const Gpu& gpu) {
  return gpu.pci_bus_id ? fmt::format("GPU {} ({})", gpu.index, *gpu.pci_bus_id) : fmt::format("GPU {}", gpu.index);
}

GpuViewOrFinding StartGpuCheck(const CheckContext& context, base::Finding finding) {
  auto view = ReadGpuView(context);
  if (view.ok()) return {*std::move(view), std::nullopt};
  if (view.status().code() == base::StatusCode::kNotFound) {
    return {{}, DoesNotApply(std::move(finding), std::string(base::Message(view.status())))};
  }
  return {{}, CannotTell(std::move(finding), view.status())};
}

}  // namespace ashlar::node
