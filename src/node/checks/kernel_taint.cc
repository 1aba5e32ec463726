#include "node/checks/kernel_taint.h"

#include <array>

#include "node/checks/finding.h"

namespace ashlar::node {
namespace {

constexpr uint64_t kTaintBits = 64;

// Source: Linux Documentation/admin-guide/tainted-kernels.rst.
constexpr std::array<std::string_view, 19> kTaintNames = {"proprietary module",
                                                          "module forced in",
                                                          "out of specification",
                                                          "module forced out",
                                                          "machine check",
                                                          "bad page",
                                                          "by user",
                                                          "oops",
                                                          "ACPI table overridden",
                                                          "warning",
                                                          "staging driver",
                                                          "firmware workaround",
                                                          "out-of-tree module",
                                                          "unsigned module",
                                                          "soft lockup",
                                                          "live patch",
                                                          "auxiliary",
                                                          "randomised structures",
                                                          "test"};

std::string TaintName(uint64_t bit) {
  return bit < kTaintNames.size() ? std::string(kTaintNames[bit]) : fmt::format("bit {}", bit);
}

std::vector<std::string> TaintNames(uint64_t mask) {
  std::vector<std::string> names;
  for (uint64_t bit = 0; bit < kTaintBits; ++bit) {
    if ((mask >> bit & 1U) != 0) names.push_back(TaintName(bit));
  }
  return names;
}

}  // namespace

// The bits stay until a reboot, also when the log has long lost the line.
std::vector<base::Finding> CheckKernelTaint(const CheckContext& context) {
  base::Finding finding = StartFinding({"kernel-taint", "/proc/sys/kernel/tainted"});
  const auto text = context.system.ReadTrimmed("/proc/sys/kernel/tainted");
  if (!text.ok()) return {CannotTell(std::move(finding), text.status())};
  const auto mask = base::ParseUint64(*text);
  if (!mask) return {CannotTell(std::move(finding), fmt::format("/proc/sys/kernel/tainted: \"{}\" is no mask", *text))};
  finding.value = NamesToJson(TaintNames(*mask));
  const auto bits = context.expectations.CountList("kernel_taint_bits");
  if (!bits) return {CannotTell(std::move(finding), "state node.kernel_taint_bits in the configuration")};
  uint64_t faults = 0;
  std::vector<std::string> expected;
  for (const uint64_t bit : bits->value) {
    if (bit >= kTaintBits) return {CannotTell(std::move(finding), fmt::format("{}: {} is no bit", bits->source, bit))};
    faults |= uint64_t{1} << bit;
    expected.push_back(TaintName(bit));
  }
  Expect(finding, "no " + base::Join(expected, ", "), bits->source);
  if ((*mask & faults) == 0) return {Pass(std::move(finding))};
  return {Fail(std::move(finding), fmt::format("since boot there was: {}; find it in the kernel log, mend the cause, "
                                               "reboot",
                                               FewNames(TaintNames(*mask & faults))))};
}

}  // namespace ashlar::node
