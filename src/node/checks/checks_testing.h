// A machine that a test describes, for tests of checks: files below a fake root, answers of the kernel, GPUs.
//
// One thread at a time.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "node/checks/check.h"
#include "node/fake_tree_testing.h"

namespace ashlar::node {

// Answers what its members say.
class FakeKernelCalls : public KernelCalls {
 public:
  base::StatusOr<FileSystemUsage> Usage(const std::string& path) const override;
  base::StatusOr<ClockState> Clock() const override { return clock; }
  base::StatusOr<ResourceLimit> Limit(ResourceKind kind) const override;
  base::StatusOr<std::string> KernelLog() const override { return kernel_log; }
  base::StatusOr<std::vector<std::string>> Resolve(const std::string& name) const override;
  base::StatusOr<std::string> HostName() const override { return host_name; }

  std::map<std::string, base::StatusOr<FileSystemUsage>> usages;  // by mount point; others are kNotFound
  std::map<std::string, int> hanging;                             // mount points that never answer
  base::StatusOr<ClockState> clock = ClockState{.synchronised = true, .maximum_error = absl::Milliseconds(20)};
  base::StatusOr<ResourceLimit> locked_memory = ResourceLimit{.soft = UINT64_MAX, .hard = UINT64_MAX};
  base::StatusOr<ResourceLimit> open_files = ResourceLimit{.soft = 65535, .hard = 65535};
  base::StatusOr<std::string> kernel_log = base::Error(base::StatusCode::kPermissionDenied, "syslog: not permitted");
  base::StatusOr<std::string> host_name = std::string("node-1");
  std::map<std::string, base::StatusOr<std::vector<std::string>>> names = {
      {"node-1", std::vector<std::string>{"10.0.0.4"}}};  // others are kNotFound
};

// Files by absolute path, as FakeTree takes them.
using Files = std::map<std::string, std::string>;

class FakeMachine {
 public:
  FakeMachine() = default;
  explicit FakeMachine(const Files& content) : tree(content) {}

  // What `run` finds on this machine when the configuration's `node:` is `node_yaml`.
  std::vector<base::Finding> Run(std::vector<base::Finding> (*run)(const CheckContext&),
                                 const std::string& node_yaml = "") const;

  // Hands the context of this machine to `use`.
  void With(const std::string& node_yaml, const std::function<void(const CheckContext&)>& use) const;

  FakeTree tree;
  FakeKernelCalls kernel;
  std::string size;
  bool accelerated = false;
  // What the drivers answer; absent is kNotFound: no library.
  std::map<GpuVendor, base::StatusOr<GpuInventory>> gpus;
  GpuRead read_gpus;                // when set, asked instead of `gpus`
  os::FileSystem* files = nullptr;  // null: the machine's own
  std::string writable_directory;
};

// One row of a test: a machine, what is expected of it, what the check must say.
struct CheckCase {
  std::string name;
  Files files;
  std::string node_yaml;  // below `node:`
  base::Verdict verdict = base::Verdict::kUnknown;
  std::string reason;  // a part of the reason; "" is not looked at
};

// Runs `run` for each row; the first finding must be as the row says, and no finding but a pass may be without a
// reason.
void ExpectCases(std::vector<base::Finding> (*run)(const CheckContext&), std::span<const CheckCase> cases);

// The only finding; the test fails when there is another number of them.
base::Finding OnlyFinding(const std::vector<base::Finding>& findings);

// A GPU as a healthy H100 answers: ECC on without errors, 18 links, persistence on, nothing but idle holds it back.
Gpu HealthyGpu(uint32_t index);
GpuInventory HealthyGpus(uint32_t count);

// PCI functions of `count` NVIDIA 3D controllers (class 0x030200).
Files NvidiaOnPci(int count);

// Kind of a finding for messages of gtest.
std::string DescribeFinding(const base::Finding& finding);

}  // namespace ashlar::node
