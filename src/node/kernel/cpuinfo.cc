#include "node/kernel/cpuinfo.h"

#include <set>
#include <utility>

#include "node/kernel/text_scanner.h"
#include "node/limits.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kPath = "/proc/cpuinfo";

bool HasWord(std::string_view text, std::string_view word) {
  WordScanner words(text);
  for (std::string_view next = words.Next(); !next.empty(); next = words.Next()) {
    if (next == word) return true;
  }
  return false;
}

// Collects the blocks; a block is one processor.
class CpuinfoReader {
 public:
  // False when the value of a key that must be a number is none.
  bool Add(std::string_view key, std::string_view value) {
    if (key == "processor") return StartProcessor(value);
    if (key == "physical id") return ReadNumber(value, package_);
    if (key == "core id") return ReadNumber(value, core_);
    if (key == "model name" && !info_.model && !value.empty()) info_.model = std::string(value);
    if (key == "vendor_id" && !info_.vendor && !value.empty()) info_.vendor = std::string(value);
    if (key == "flags") {
      ++with_flags_;
      if (HasWord(value, "hypervisor")) ++with_hypervisor_;
    }
    return true;
  }

  uint32_t threads() const { return info_.threads; }

  Cpuinfo Finish() {
    EndProcessor();
    if (placed_ == info_.threads) {
      std::set<uint64_t> packages;
      for (const auto& [package, core] : cores_) packages.insert(package);
      info_.sockets = static_cast<uint32_t>(packages.size());
      info_.cores = static_cast<uint32_t>(cores_.size());
    }
    if (with_flags_ == info_.threads) info_.hypervisor_flag = with_hypervisor_ == with_flags_;
    return std::move(info_);
  }

 private:
  bool StartProcessor(std::string_view value) {
    EndProcessor();
    ++info_.threads;
    return base::ParseUint64(value).has_value();
  }

  void EndProcessor() {
    if (package_ && core_) {
      cores_.emplace(*package_, *core_);
      ++placed_;
    }
    package_.reset();
    core_.reset();
  }

  static bool ReadNumber(std::string_view value, std::optional<uint64_t>& number) {
    number = base::ParseUint64(value);
    return number.has_value();
  }

  Cpuinfo info_;
  std::optional<uint64_t> package_;
  std::optional<uint64_t> core_;
  std::set<std::pair<uint64_t, uint64_t>> cores_;
  uint32_t placed_ = 0;
  uint32_t with_flags_ = 0;
  uint32_t with_hypervisor_ = 0;
};

}  // namespace

base::StatusOr<Cpuinfo> ParseCpuinfo(std::string_view text) {
  CpuinfoReader reader;
  LineScanner lines(text);
  std::string_view line;
  while (lines.Next(line)) {
    if (base::Trim(line).empty()) continue;
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) return MalformedLine(kPath, lines.number(), line, "no colon");
    if (!reader.Add(base::Trim(line.substr(0, colon)), base::Trim(line.substr(colon + 1)))) {
      return MalformedLine(kPath, lines.number(), line, "no number");
    }
    if (reader.threads() > kMaxCpus) {
      return base::Error(base::StatusCode::kResourceExhausted, "{}: more than {} processors", kPath, kMaxCpus);
    }
  }
  if (reader.threads() == 0) {
    return base::Error(base::StatusCode::kInvalidArgument, "{}: no processor in it", kPath);
  }
  return reader.Finish();
}

}  // namespace ashlar::node
