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

// The files with the settings, one for each fake.
class ControlFiles {
 public:
  ControlFiles() : directory_(MustCreate()) {
    for (const char* variable : {"FAKE_NVML", "FAKE_ROCM_SMI"}) setenv(variable, PathOf(variable).c_str(), 1);
  }

  // Replaced in one step: a fake sees the old settings or the new ones.
  void Write(const char* variable, const std::string& settings) const {
    const std::string path = PathOf(variable);
    std::ofstream(path + ".new") << settings;
    std::error_code error;
    std::filesystem::rename(path + ".new", path, error);
    if (error) std::abort();
  }

  void Remove(const char* variable) const {
    std::error_code ignored;  // there is none when a fork removed it first
    std::filesystem::remove(PathOf(variable), ignored);
  }

 private:
  std::string PathOf(const char* variable) const { return directory_.path() + "/" + variable; }

  os::TemporaryDirectory directory_;
};

const ControlFiles& Control() {
  static const ControlFiles files;
  return files;
}

// Made before any thread is there: setenv and getenv do not go together.
[[maybe_unused]] const ControlFiles& made_early = Control();

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
  Control().Write(variable_, settings);
}

FakeDriverSettings::~FakeDriverSettings() { Control().Remove(variable_); }

FakeDriverHang::FakeDriverHang(const std::string& settings, const char* variable)
    : directory_(MustCreate()), settings_(WithHangFile(settings, directory_), variable) {}

void FakeDriverHang::Release() {
  std::error_code ignored;  // released twice is released
  std::filesystem::remove(HangFile(directory_), ignored);
}

}  // namespace ashlar::node
