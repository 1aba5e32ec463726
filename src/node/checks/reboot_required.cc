#include "node/checks/reboot_required.h"

#include <algorithm>
#include <cctype>

#include "node/checks/finding.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kMark = "/run/reboot-required";
constexpr std::string_view kPrefix = "vmlinuz-";

bool IsDigit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }

// True when kernel release `left` is older than `right`: runs of digits compare as numbers, the rest as text.
bool IsOlder(std::string_view left, std::string_view right) {
  while (!left.empty() && !right.empty()) {
    if (!IsDigit(left[0]) || !IsDigit(right[0])) {
      if (left[0] != right[0]) return left[0] < right[0];
      left.remove_prefix(1);
      right.remove_prefix(1);
      continue;
    }
    const auto take = [](std::string_view& text) {
      const auto end = std::find_if_not(text.begin(), text.end(), IsDigit) - text.begin();
      std::string_view digits = text.substr(0, static_cast<size_t>(end));
      text.remove_prefix(digits.size());
      digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
      return digits;
    };
    const std::string_view first = take(left);
    const std::string_view second = take(right);
    if (first.size() != second.size()) return first.size() < second.size();
    if (first != second) return first < second;
  }
  return left.empty() && !right.empty();
}

// What kind of kernel it is ends the release ("amd64", "cloud-amd64", "azure"): only like is compared with like.
std::string_view Flavour(std::string_view release) {
  const size_t start = release.find_first_not_of("0123456789.-+");
  return start == std::string_view::npos ? "" : release.substr(start);
}

}  // namespace

// The mark is written by Debian's and Ubuntu's update hooks only; the comparison of kernels needs nobody's help.
std::vector<base::Finding> CheckRebootRequired(const CheckContext& context) {
  base::Finding finding = StartFinding({"reboot-required", "/run/reboot-required, /boot/vmlinuz-*"});
  Expect(finding, "the newest kernel runs, no reboot is asked for", "docs/checks.md: reboot-required");
  const auto running = context.system.ReadTrimmed("/proc/sys/kernel/osrelease");
  if (!running.ok()) return {CannotTell(std::move(finding), running.status())};
  if (running->empty()) return {CannotTell(std::move(finding), "/proc/sys/kernel/osrelease is empty")};
  finding.value = *running;
  if (context.system.Exists(kMark)) {
    return {
        Fail(std::move(finding), "an update asks for a reboot (/run/reboot-required.pkgs names it): drain and reboot")};
  }
  const auto files = context.system.List("/boot");
  std::string newest;
  for (const auto& file : files.ok() ? *files : std::vector<std::string>{}) {
    if (!file.starts_with(kPrefix)) continue;
    const std::string release = file.substr(kPrefix.size());
    if (release.empty() || Flavour(release) != Flavour(*running)) continue;
    if (newest.empty() || IsOlder(newest, release)) newest = release;
  }
  if (newest.empty()) {
    return {DoesNotApply(std::move(finding), "the running kernel is not in /boot: the host or an image brings it")};
  }
  if (!IsOlder(*running, newest)) return {Pass(std::move(finding))};
  return {Fail(std::move(finding), fmt::format("kernel {} is installed, {} runs: drain and reboot", newest, *running))};
}

}  // namespace ashlar::node
