#include "node/kernel/net_dev.h"

#include "node/kernel/text_scanner.h"
#include "node/limits.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kPath = "/proc/net/dev";

bool ReadRow(std::string_view line, NetInterfaceStats& interface) {
  // The last colon: an alias as "eth0:1" has one of its own, and numbers have none.
  const size_t colon = line.rfind(':');
  if (colon == std::string_view::npos) return false;
  interface.name = base::Trim(line.substr(0, colon));
  if (interface.name.empty()) return false;
  WordScanner words(line.substr(colon + 1));
  for (uint64_t& counter : interface.counters) {
    if (!words.NextUint64(counter)) return false;
  }
  return words.AtEnd();
}

}  // namespace

base::Status ParseNetDev(std::string_view text, std::vector<NetInterfaceStats>& interfaces) {
  constexpr size_t kHeaderLines = 2;
  interfaces.clear();
  LineScanner lines(text);
  std::string_view line;
  while (lines.Next(line)) {
    if (lines.number() <= kHeaderLines) {
      if (line.find('|') == std::string_view::npos) return MalformedLine(kPath, lines.number(), line, "no header");
      continue;
    }
    NetInterfaceStats interface;
    if (!ReadRow(line, interface)) {
      return MalformedLine(kPath, lines.number(), line, "no interface with 16 numbers");
    }
    if (interfaces.size() == kMaxNics) {
      return base::Error(base::StatusCode::kResourceExhausted, "{}: more than {} interfaces", kPath, kMaxNics);
    }
    interfaces.push_back(interface);
  }
  if (lines.number() < kHeaderLines) return base::Error(base::StatusCode::kInvalidArgument, "{}: no header", kPath);
  return base::OkStatus();
}

}  // namespace ashlar::node
