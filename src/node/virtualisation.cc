#include "node/virtualisation.h"

#include "node/json_value.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kAzureAssetTag = "7783-7084-3265-9085-8269-3286-77";

struct Row {
  std::string_view vendor;   // start of DMI sys_vendor
  std::string_view product;  // start of DMI product_name
  std::string_view kind;
};

constexpr Row kRows[] = {
    {"Microsoft Corporation", "Virtual Machine", "hyper-v"},
    {"QEMU", "", "kvm"},
    {"Red Hat", "KVM", "kvm"},
    {"", "KVM", "kvm"},
    {"VMware", "", "vmware"},
    {"Xen", "", "xen"},
    {"Amazon EC2", "", "amazon"},
    {"Google", "Google Compute Engine", "google"},
    {"innotek GmbH", "VirtualBox", "virtualbox"},
    {"Firecracker", "", "firecracker"},
};

// A DMI text; no file is a machine without one, which is no failure.
std::optional<std::string> ReadDmi(const os::SysReader& system, std::string_view name, Unknowns& unknowns) {
  auto text = system.ReadTrimmed(fmt::format("/sys/class/dmi/id/{}", name));
  if (text.ok() && !text->empty()) return *std::move(text);
  if (!text.ok() && !absl::IsNotFound(text.status())) {
    AddUnknown(unknowns, fmt::format("virtualisation.{}", name), text.status());
  }
  return std::nullopt;
}

std::string_view KindOf(const std::string& vendor, const std::string& product) {
  for (const Row& row : kRows) {
    if (vendor.starts_with(row.vendor) && product.starts_with(row.product)) return row.kind;
  }
  return "";
}

}  // namespace

Virtualisation ReadVirtualisation(const os::SysReader& system, const std::optional<bool>& hypervisor_flag,
                                  Unknowns& unknowns) {
  Virtualisation result;
  result.vendor = ReadDmi(system, "sys_vendor", unknowns);
  result.product = ReadDmi(system, "product_name", unknowns);
  const auto asset_tag = ReadDmi(system, "chassis_asset_tag", unknowns);
  result.kind = KindOf(result.vendor.value_or(""), result.product.value_or(""));
  if (asset_tag == kAzureAssetTag) result.kind = "azure";
  if (!result.kind.empty()) {
    result.is_virtual = true;
  } else if (hypervisor_flag) {
    result.is_virtual = *hypervisor_flag;
    result.kind = *hypervisor_flag ? "other" : "none";
  } else {
    AddUnknown(unknowns, "virtualisation.is_virtual",
               base::Error(base::StatusCode::kNotFound,
                           "neither the processor's flags nor the DMI table say whether this machine is virtual"));
  }
  return result;
}

base::Json VirtualisationToJson(const Virtualisation& virtualisation) {
  return base::JsonObject{{"is_virtual", ValueOrNull(virtualisation.is_virtual)},
                          {"kind", virtualisation.kind.empty() ? base::Json(nullptr) : base::Json(virtualisation.kind)},
                          {"vendor", ValueOrNull(virtualisation.vendor)},
                          {"product", ValueOrNull(virtualisation.product)}};
}

}  // namespace ashlar::node
