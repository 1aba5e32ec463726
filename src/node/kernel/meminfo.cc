#include "node/kernel/meminfo.h"

#include <limits>

#include "node/kernel/text_scanner.h"
#include "node/limits.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kPath = "/proc/meminfo";

// "  1024 kB" or "  12".
bool ReadValue(std::string_view text, MeminfoEntry& entry) {
  WordScanner words(text);
  if (!words.NextUint64(entry.value)) return false;
  const std::string_view unit = words.Next();
  entry.is_bytes = unit == "kB";
  if (!unit.empty() && !entry.is_bytes) return false;
  if (entry.is_bytes) {
    if (entry.value > std::numeric_limits<uint64_t>::max() / base::kKiB) return false;
    entry.value *= base::kKiB;
  }
  return words.AtEnd();
}

}  // namespace

std::optional<uint64_t> FindMeminfo(const std::vector<MeminfoEntry>& entries, std::string_view name) {
  for (const MeminfoEntry& entry : entries) {
    if (entry.name == name) return entry.value;
  }
  return std::nullopt;
}

base::Status ParseMeminfo(std::string_view text, std::vector<MeminfoEntry>& entries) {
  entries.clear();
  LineScanner lines(text);
  std::string_view line;
  while (lines.Next(line)) {
    const size_t colon = line.find(':');
    MeminfoEntry entry;
    if (colon == std::string_view::npos || colon == 0 || !ReadValue(line.substr(colon + 1), entry)) {
      return MalformedLine(kPath, lines.number(), line, "not `name: number [kB]`");
    }
    entry.name = line.substr(0, colon);
    if (FindMeminfo(entries, entry.name)) return MalformedLine(kPath, lines.number(), line, "a repeated name");
    if (entries.size() == kMaxMeminfoEntries) {
      return base::Error(base::StatusCode::kResourceExhausted, "{}: more than {} lines", kPath, kMaxMeminfoEntries);
    }
    entries.push_back(entry);
  }
  const uint64_t total = FindMeminfo(entries, "MemTotal").value_or(0);
  if (total == 0) return base::Error(base::StatusCode::kInvalidArgument, "{}: no MemTotal", kPath);
  for (const std::string_view part : {"MemFree", "MemAvailable"}) {
    const uint64_t bytes = FindMeminfo(entries, part).value_or(0);
    if (bytes > total) {
      return base::Error(base::StatusCode::kInvalidArgument, "{}: {} of {} bytes is more than MemTotal of {}", kPath,
                         part, bytes, total);
    }
  }
  return base::OkStatus();
}

base::StatusOr<uint64_t> ParseNodeMemTotal(std::string_view text) {
  LineScanner lines(text);
  std::string_view line;
  while (lines.Next(line)) {
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    WordScanner words(line.substr(0, colon));
    uint64_t node = 0;
    if (words.Next() != "Node" || !words.NextUint64(node) || words.Next() != "MemTotal") continue;
    MeminfoEntry entry;
    if (!ReadValue(line.substr(colon + 1), entry) || !entry.is_bytes) {
      return MalformedLine("node meminfo", lines.number(), line, "no amount in kB");
    }
    return entry.value;
  }
  return base::Error(base::StatusCode::kInvalidArgument, "node meminfo: no MemTotal");
}

}  // namespace ashlar::node
