#include "bench/read/launcher_prefix.h"

#include <algorithm>
#include <array>

namespace ashlar::bench {
namespace {

constexpr size_t kLongestMark = 255;  // a host name's limit
// What programs put before a message of theirs is no host.
constexpr std::array<std::string_view, 10> kNoHosts = {"NOTE",  "WARNING", "ERROR", "INFO",  "Note",
                                                       "Error", "Warning", "Info",  "error", "warning"};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameCharacter(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
}

// The length of "[1,0]<stdout>:", 0 when `line` does not begin so.
size_t OpenMpiTag(std::string_view line) {
  if (line.empty() || line.front() != '[') return 0;
  size_t at = 1;
  size_t commas = 0;
  while (at < line.size() && (IsDigit(line[at]) || line[at] == ',')) commas += line[at++] == ',' ? 1 : 0;
  if (commas != 1 || at == 2) return 0;
  for (const std::string_view end : {"]<stdout>:", "]<stderr>:", "]<stddiag>:"}) {
    if (line.substr(at).starts_with(end)) return at + end.size();
  }
  return 0;
}

// The length of "word: " at `begin`, without the begin; 0 when it is none.
size_t NameMark(std::string_view line) {
  size_t at = 0;
  while (at < line.size() && at <= kLongestMark && IsNameCharacter(line[at])) ++at;
  const bool is_mark = at > 0 && at + 1 < line.size() && line[at] == ':' && line[at + 1] == ' ';
  return is_mark ? at + 2 : 0;
}

}  // namespace

MarkedLine TakePrefix(std::string_view line) {
  if (const size_t length = OpenMpiTag(line); length > 0) {
    std::string_view text = line.substr(length);
    return {.stream = line.substr(0, length - 1), .text = text};
  }
  // srun pads the task's number to the width of the largest.
  const size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::string_view rest = line.substr(begin);
  const size_t length = NameMark(rest);
  if (length == 0) return {.stream = {}, .text = line};
  const std::string_view mark = rest.substr(0, length - 2);
  const bool is_number = std::all_of(mark.begin(), mark.end(), IsDigit);
  const bool is_message = std::find(kNoHosts.begin(), kNoHosts.end(), mark) != kNoHosts.end();
  if (is_message || (begin > 0 && !is_number)) return {.stream = {}, .text = line};
  return {.stream = mark, .text = rest.substr(length)};
}

std::optional<size_t> FindNcclLog(std::string_view line) {
  constexpr std::string_view kMark = "] NCCL ";
  const size_t mark = line.find(kMark);
  if (mark == std::string_view::npos) return std::nullopt;
  size_t at = mark;  // back over "[device" ...
  while (at > 0 && (IsDigit(line[at - 1]))) --at;
  if (at == mark || at < 2 || line[at - 1] != '[' || line[at - 2] != ' ') return std::nullopt;
  at -= 2;  // ... and "host:pid:tid"
  size_t colons = 0;
  while (at > 0 && (IsNameCharacter(line[at - 1]) || line[at - 1] == ':')) colons += line[--at] == ':' ? 1 : 0;
  if (colons != 2) return std::nullopt;
  return at;
}

}  // namespace ashlar::bench
