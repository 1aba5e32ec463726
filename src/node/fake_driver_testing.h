// Chooses a fake GPU driver and what it does, for as long as the object lives.
//
// The fakes are real shared objects (gpu/modules/*.c, where their settings are listed), opened as the real libraries
// are. Settings go through a file that the environment names from the start of the program, so that a thread inside
// a fake and the test may go on side by side: one of each kind at a time.
#pragma once

#include <string>
#include <string_view>

#include "node/gpu.h"
#include "os/os.h"

namespace ashlar::node {

// Paths of the fakes; the bare NVML has no nvmlDeviceGetApplicationsClock.
std::string FakeNvmlPath();
std::string FakeBareNvmlPath();
std::string FakeRocmSmiPath();

// Sources that open both fakes, and ones that find no library at all.
GpuSources FakeGpuSources();
GpuSources NoGpuSources();

class FakeDriverSettings {
 public:
  // `settings` as "gpus=8,lost=3"; `variable` is FAKE_NVML or FAKE_ROCM_SMI.
  explicit FakeDriverSettings(const std::string& settings, const char* variable = "FAKE_NVML");
  ~FakeDriverSettings();
  FakeDriverSettings(const FakeDriverSettings&) = delete;
  FakeDriverSettings& operator=(const FakeDriverSettings&) = delete;

 private:
  const char* variable_;
};

// Makes power readings hang until it is released or gone; other settings come before.
class FakeDriverHang {
 public:
  explicit FakeDriverHang(const std::string& settings = "", const char* variable = "FAKE_NVML");
  ~FakeDriverHang() { Release(); }
  void Release();

 private:
  os::TemporaryDirectory directory_;
  FakeDriverSettings settings_;
};

}  // namespace ashlar::node
