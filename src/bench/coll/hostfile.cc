#include "bench/coll/hostfile.h"

#include <algorithm>
#include <map>

#include "bench/coll/limits.h"

namespace ashlar::bench {
namespace {

base::Status Wrong(size_t line, std::string_view text, std::string_view why) {
  return base::Error(base::StatusCode::kInvalidArgument,
                     "line {} of the host file, \"{}\": {}; write \"host slots=8\", \"host:8\" or \"host\"", line,
                     text.substr(0, 80), why);
}

// Letters, digits, and what stands in host names and addresses. Anything else could reach a shell on the way.
bool IsHostName(std::string_view name) {
  if (name.empty() || name.size() > 255 || name.front() == '-') return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == '_';
  });
}

bool IsBracketedAddress(std::string_view name) {
  if (name.size() < 4 || name.front() != '[' || name.back() != ']') return false;
  const std::string_view inside = name.substr(1, name.size() - 2);
  return inside.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
}

base::StatusOr<int64_t> ParseSlots(size_t line, std::string_view whole, std::string_view text) {
  const auto number = base::ParseInt64(text);
  if (!number.has_value() || *number < 1 || *number > kMaxSlots) {
    return Wrong(line, whole, fmt::format("slots must be a number from 1 to {}", kMaxSlots));
  }
  return *number;
}

base::StatusOr<HostSlots> ParseLine(size_t line, std::string_view text) {
  const std::vector<std::string_view> words = base::SplitWords(text);
  HostSlots host;
  std::string_view name = words.front();
  const size_t after_address = name.front() == '[' ? name.find(']') : 0;
  const size_t colon = after_address == std::string_view::npos ? after_address : name.find(':', after_address);
  if (colon != std::string_view::npos) {
    ASHLAR_ASSIGN_OR_RETURN(host.slots, ParseSlots(line, text, name.substr(colon + 1)));
    name = name.substr(0, colon);
  }
  if (!IsHostName(name) && !IsBracketedAddress(name)) return Wrong(line, text, "this is no host name");
  host.host = std::string(name);
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word.starts_with("slots=")) {
      ASHLAR_ASSIGN_OR_RETURN(host.slots, ParseSlots(line, text, word.substr(6)));
    } else if (word.starts_with("max-slots=") || word.starts_with("max_slots=")) {
      ASHLAR_RETURN_IF_ERROR(ParseSlots(line, text, word.substr(10)).status());
    } else {
      return Wrong(line, text, fmt::format("\"{}\" is not understood", word.substr(0, 40)));
    }
  }
  return host;
}

}  // namespace

base::StatusOr<std::vector<HostSlots>> ParseHostfile(std::string_view text) {
  if (text.size() > kMaxHostfileBytes) {
    return base::Error(base::StatusCode::kResourceExhausted, "the host file is larger than {} bytes",
                       kMaxHostfileBytes);
  }
  std::vector<HostSlots> hosts;
  std::map<std::string, size_t, std::less<>> places;
  size_t number = 0;
  for (std::string_view line : base::SplitLines(text)) {
    ++number;
    line = base::Trim(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    ASHLAR_ASSIGN_OR_RETURN(HostSlots host, ParseLine(number, line));
    const auto [place, added] = places.try_emplace(host.host, hosts.size());
    if (!added) {
      hosts[place->second].slots += host.slots;
      continue;
    }
    if (hosts.size() == kMaxHosts) {
      return base::Error(base::StatusCode::kResourceExhausted, "the host file names more than {} hosts", kMaxHosts);
    }
    hosts.push_back(std::move(host));
  }
  if (hosts.empty()) return base::Error(base::StatusCode::kInvalidArgument, "the host file names no host");
  return hosts;
}

int64_t TotalSlots(const std::vector<HostSlots>& hosts) {
  int64_t total = 0;
  for (const HostSlots& host : hosts) total += host.slots;
  return total;
}

std::string OpenMpiHostfile(const std::vector<HostSlots>& hosts) {
  std::string text;
  for (const HostSlots& host : hosts) text += fmt::format("{} slots={}\n", host.host, host.slots);
  return text;
}

std::string MpichHostfile(const std::vector<HostSlots>& hosts) {
  std::string text;
  for (const HostSlots& host : hosts) text += fmt::format("{}:{}\n", host.host, host.slots);
  return text;
}

}  // namespace ashlar::bench
