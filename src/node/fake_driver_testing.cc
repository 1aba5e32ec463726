#include "node/fake_driver_testing.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace ashlar::node {
namespace {

os::TemporaryDirectory MustCreate() {
  auto directory = os::TemporaryDirectory::Create();
  if (!directory.ok()) {
    std::fprintf(stderr, "fake driver: %s\n", std::string(base::Message(directory.status())).c_str());
    std::abort();
  }
  return *std::move(directory);
}

std::string HangFile(const os::TemporaryDirectory& directory) { return directory.path() + "/hang"; }

std::string WithHangFile(const std::string& settings, const os::TemporaryDirectory& directory) {
  std::ofstream(HangFile(directory)) << "hang\n";
  return fmt::format("{}{}hang_file={}", settings, settings.empty() ? "" : ",", HangFile(directory));
}

}  // namespace

std::string FakeNvmlPath() { return ASHLAR_FAKE_DRIVERS "/ashlar_fake_nvml.so"; }
std::string FakeBareNvmlPath() { return ASHLAR_FAKE_DRIVERS "/ashlar_fake_nvml_bare.so"; }
std::string FakeRocmSmiPath() { return ASHLAR_FAKE_DRIVERS "/ashlar_fake_rocm_smi.so"; }

GpuSources FakeGpuSources() {
  GpuSources sources;
  sources.nvml_library = FakeNvmlPath();
  sources.rocm_smi_library = FakeRocmSmiPath();
  return sources;
}

GpuSources NoGpuSources() {
  GpuSources sources;
  sources.nvml_library = "libashlar-has-no-such-nvml.so.1";
  sources.rocm_smi_library = "libashlar-has-no-such-rocm-smi.so";
  return sources;
}

FakeDriverSettings::FakeDriverSettings(const std::string& settings, const char* variable) : variable_(variable) {
  setenv(variable_, settings.c_str(), 1);
}

FakeDriverSettings::~FakeDriverSettings() { unsetenv(variable_); }

FakeDriverHang::FakeDriverHang(const std::string& settings, const char* variable)
    : directory_(MustCreate()), settings_(WithHangFile(settings, directory_), variable) {}

void FakeDriverHang::Release() {
  std::error_code ignored;  // released twice is released
  std::filesystem::remove(HangFile(directory_), ignored);
}

}  // namespace ashlar::node
