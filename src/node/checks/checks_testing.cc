#include "node/checks/checks_testing.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace ashlar::node {
namespace {

// For a while that no test outlives: the check's own deadline must end it.
void HangForever() {
  while (true) pause();
}

}  // namespace

base::StatusOr<FileSystemUsage> FakeKernelCalls::Usage(const std::string& path) const {
  if (hanging.contains(path)) HangForever();
  const auto found = usages.find(path);
  if (found != usages.end()) return found->second;
  return base::Error(base::StatusCode::kNotFound, "statvfs of {}: no such file", path);
}

base::StatusOr<ResourceLimit> FakeKernelCalls::Limit(ResourceKind kind) const {
  return kind == ResourceKind::kLockedMemory ? locked_memory : open_files;
}

base::StatusOr<std::vector<std::string>> FakeKernelCalls::Resolve(const std::string& name) const {
  const auto found = names.find(name);
  if (found != names.end()) return found->second;
  return base::Error(base::StatusCode::kNotFound, "{}: name or service not known", name);
}

std::vector<base::Finding> FakeMachine::Run(std::vector<base::Finding> (*run)(const CheckContext&),
                                            const std::string& node_yaml) const {
  std::vector<base::Finding> findings;
  With(node_yaml, [&](const CheckContext& context) { findings = run(context); });
  return findings;
}

void FakeMachine::With(const std::string& node_yaml, const std::function<void(const CheckContext&)>& use) const {
  const auto configuration = base::ParseYaml(node_yaml.empty() ? "{}" : node_yaml);
  if (!configuration.ok()) {
    ADD_FAILURE() << node_yaml << ": " << configuration.status();
    return;
  }
  const auto expectations =
      Expectations::Load({.configuration = *configuration, .size = size, .accelerated = accelerated});
  if (!expectations.ok()) {
    ADD_FAILURE() << expectations.status();
    return;
  }
  const os::SysReader system = tree.reader();
  const base::FakeClock clock(absl::FromUnixSeconds(1'800'000'000));
  const auto from_map = [this](GpuVendor vendor) -> base::StatusOr<GpuInventory> {
    const auto found = gpus.find(vendor);
    if (found != gpus.end()) return found->second;
    return base::Error(base::StatusCode::kNotFound, "no driver library");
  };
  const CheckContext context{.system = system,
                             .expectations = *expectations,
                             .kernel = kernel,
                             .clock = clock,
                             .files = files == nullptr ? os::RealFileSystem() : *files,
                             .read_gpus = this->read_gpus ? this->read_gpus : from_map,
                             .writable_directory = writable_directory};
  use(context);
}

void ExpectCases(std::vector<base::Finding> (*run)(const CheckContext&), std::span<const CheckCase> cases) {
  for (const auto& row : cases) {
    SCOPED_TRACE(row.name);
    const FakeMachine machine(row.files);
    const auto findings = machine.Run(run, row.node_yaml);
    if (findings.empty()) {
      ADD_FAILURE() << "no finding";
      continue;
    }
    EXPECT_EQ(findings[0].verdict, row.verdict) << DescribeFinding(findings[0]);
    EXPECT_NE(findings[0].reason.find(row.reason), std::string::npos) << DescribeFinding(findings[0]);
    for (const auto& finding : findings) {
      EXPECT_TRUE(finding.verdict == base::Verdict::kPass || !finding.reason.empty()) << DescribeFinding(finding);
      EXPECT_TRUE(base::FindingFromJson(base::FindingToJson(finding)).ok());
    }
  }
}

base::Finding OnlyFinding(const std::vector<base::Finding>& findings) {
  EXPECT_EQ(findings.size(), 1U);
  return findings.empty() ? base::Finding{} : findings[0];
}

Gpu HealthyGpu(uint32_t index) {
  Gpu gpu;
  gpu.index = index;
  gpu.name = "NVIDIA H100 80GB HBM3";
  gpu.pci_bus_id = fmt::format("0000000{}:00:00.0", index + 1);
  gpu.throttle_reasons = kThrottleIdle;
  gpu.persistence = true;
  gpu.ecc = {.enabled = true,
             .enabled_after_reboot = true,
             .volatile_corrected = 0,
             .volatile_uncorrected = 0,
             .aggregate_corrected = 0,
             .aggregate_uncorrected = 0};
  gpu.remapped_rows = GpuRemappedRows{};
  constexpr uint32_t kLinks = 18;  // data/node/sizes.yaml: ND96isr_H100_v5
  std::vector<GpuLink> links;
  for (uint32_t link = 0; link < kLinks; ++link) links.push_back({.index = link, .active = true});
  gpu.links = links;
  return gpu;
}

GpuInventory HealthyGpus(uint32_t count) {
  GpuInventory inventory;
  for (uint32_t index = 0; index < count; ++index) inventory.gpus.push_back(HealthyGpu(index));
  return inventory;
}

Files NvidiaOnPci(int count) {
  Files files;
  for (int index = 0; index < count; ++index) {
    const std::string folder = fmt::format("/sys/bus/pci/devices/000{}:00:00.0", index + 1);
    files[folder + "/class"] = "0x030200\n";
    files[folder + "/vendor"] = "0x10de\n";
  }
  return files;
}

std::string DescribeFinding(const base::Finding& finding) { return base::WriteJson(base::FindingToJson(finding)); }

}  // namespace ashlar::node
