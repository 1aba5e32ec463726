// Health checks: is this machine as it should be? Each check is one file pair in this folder and one row in
// registry.cc.
//
// A check only looks: it never changes the machine. (filesystem-writable creates one small file in the folder that the
// caller names, and removes it.) RunChecks runs each in a child process of its own with a time limit, so that a check
// that hangs or crashes is named and keeps no other from its answer.
#pragma once

#include <absl/time/time.h>

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "node/checks/check_limits.h"
#include "node/checks/expectations.h"
#include "node/checks/kernel_calls.h"
#include "node/gpu.h"
#include "os/os.h"

namespace ashlar::node {

using GpuRead = std::function<base::StatusOr<GpuInventory>(GpuVendor)>;

// What checks read from. Borrowed for the length of the call; the members must allow use from a forked child.
struct CheckContext {
  const os::SysReader& system;
  const Expectations& expectations;
  const KernelCalls& kernel = RealKernelCalls();
  const base::Clock& clock = base::SystemClock();
  os::FileSystem& files = os::RealFileSystem();
  GpuRead read_gpus;               // empty: the drivers' own libraries, with kGpuAnswerDeadline
  std::string writable_directory;  // where filesystem-writable may write; "" is $TMPDIR or /tmp
};

// A check gives one finding or more; the id of each is the row's id, or starts with it and '-'.
struct CheckRow {
  std::string_view id;     // kebab-case
  std::string_view title;  // the question, one line
  absl::Duration time_limit;
  std::vector<base::Finding> (*run)(const CheckContext&);
};

// Every check, in the order of the report.
std::span<const CheckRow> CheckTable();

struct RunChecksOptions {
  std::vector<std::string> only;  // ids of rows; empty runs all
  std::vector<std::string> skip;
  // Called on the caller's thread for each finding, in the order in which the checks end.
  std::function<void(const base::Finding&)> on_finding;
  std::stop_token stop;  // checks that have not begun are then `unknown`
  size_t parallel = kMaxParallelChecks;
  // For all of them together: a check that runs then is ended, one that has not begun is not run; both are `unknown`
  // and say so.
  absl::Duration deadline = absl::InfiniteDuration();
};

// The findings in the order of the table. kInvalidArgument naming an id in `only` or `skip` that no row has, or when
// nothing is left to run. A check that hangs, crashes or answers nonsense is a finding: `unknown` with the reason.
base::StatusOr<std::vector<base::Finding>> RunChecks(const CheckContext& context, const RunChecksOptions& options);

// A check that the caller made at run time; its findings are called as a row's are.
struct CheckJob {
  std::string id;
  std::string alone;  // the command that runs it by itself
  absl::Duration time_limit;
  std::function<std::vector<base::Finding>(const CheckContext&)> run;
};

// Runs each as RunChecks runs a row, and gives the findings in the order of the jobs; `only` and `skip` do not count.
std::vector<base::Finding> RunCheckJobs(std::vector<CheckJob> jobs, const CheckContext& context,
                                        const RunChecksOptions& options);

// The same as RunChecks over rows of the caller's: what tests use.
base::StatusOr<std::vector<base::Finding>> RunCheckRows(std::span<const CheckRow> rows, const CheckContext& context,
                                                        const RunChecksOptions& options);

}  // namespace ashlar::node
