#include "node/checks/process_limits.h"

#include "node/checks/finding.h"

namespace ashlar::node {
namespace {

std::string MemoryText(uint64_t bytes) { return bytes == kUnlimited ? "unlimited" : base::HumanBytes({bytes}); }

base::Json LimitToJson(uint64_t limit) { return limit == kUnlimited ? base::Json("unlimited") : base::Json(limit); }

base::Finding LockedMemory(const CheckContext& context) {
  base::Finding finding = StartFinding({"process-limits-memlock", "getrlimit RLIMIT_MEMLOCK", "bytes"});
  const auto limit = context.kernel.Limit(ResourceKind::kLockedMemory);
  if (!limit.ok()) return CannotTell(std::move(finding), limit.status());
  finding.value = LimitToJson(limit->soft);
  const auto least = context.expectations.Whole("memlock_bytes");
  if (!least) {
    return DoesNotApply(std::move(finding),
                        "no RDMA device and no GPU here: nothing pins much memory; state "
                        "node.memlock_bytes to check it");
  }
  Expect(finding, fmt::format(">= {}", MemoryText(least->value)), least->source);
  if (limit->soft >= least->value || limit->lock_capability) return Pass(std::move(finding));
  return Fail(std::move(finding),
              "RDMA and GPU transfers pin memory: `* soft memlock unlimited` and `* hard memlock "
              "unlimited` in /etc/security/limits.d, LimitMEMLOCK=infinity in the unit of slurmd");
}

base::Finding OpenFiles(const CheckContext& context) {
  base::Finding finding = StartFinding({"process-limits-open-files", "getrlimit RLIMIT_NOFILE", "files"});
  const auto limit = context.kernel.Limit(ResourceKind::kOpenFiles);
  if (!limit.ok()) return CannotTell(std::move(finding), limit.status());
  finding.value = LimitToJson(limit->soft);
  const auto least = context.expectations.Whole("open_files");
  if (!least) return CannotTell(std::move(finding), "state node.open_files in the configuration");
  Expect(finding, least->value == kUnlimited ? "unlimited" : fmt::format(">= {}", least->value), least->source);
  if (limit->soft >= least->value) return Pass(std::move(finding));
  return Fail(std::move(finding), fmt::format("collectives and data loaders open many files: `* soft nofile {0}` and "
                                              "`* hard nofile {0}` in /etc/security/limits.d, LimitNOFILE={0} in the "
                                              "unit of slurmd",
                                              least->value));
}

}  // namespace

// A limit is inherited from whoever starts the job: a shell, slurmd, a container engine may each give another.
std::vector<base::Finding> CheckProcessLimits(const CheckContext& context) {
  return {LockedMemory(context), OpenFiles(context)};
}

}  // namespace ashlar::node
