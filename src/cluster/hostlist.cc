#include "cluster/hostlist.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "cluster/limits.h"

namespace ashlar::cluster {
namespace {

using base::StatusCode;

constexpr std::string_view kDigits = "0123456789";

base::Status Wrong(std::string_view piece, std::string_view why) {
  return base::Error(StatusCode::kInvalidArgument, "host list \"{}\": {}; write it as n[01-04,7]",
                     base::Utf8Text(piece.substr(0, 80)), why);
}

bool IsNameText(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == '_';
  });
}

struct Range {
  uint64_t first = 0;
  uint64_t last = 0;
  size_t width = 0;
  uint64_t size() const { return last - first + 1; }
};

// Text, then the numbers that follow it; the last part of a name has none.
struct Part {
  std::string_view text;
  std::vector<Range> ranges;
  uint64_t choices() const {
    uint64_t sum = 0;
    for (const Range& range : ranges) sum += range.size();
    return ranges.empty() ? 1 : sum;
  }
};

base::StatusOr<uint64_t> ParseNumber(std::string_view piece, std::string_view text) {
  const auto number = text.size() <= kMaxHostDigits ? base::ParseUint64(text) : std::nullopt;
  if (!number || text.find_first_not_of(kDigits) != std::string_view::npos) {
    return Wrong(piece, fmt::format("a range is made of numbers of at most {} digits", kMaxHostDigits));
  }
  return *number;
}

base::StatusOr<Range> ParseRange(std::string_view piece, std::string_view text) {
  const size_t dash = text.find('-');
  const std::string_view low = text.substr(0, dash);
  Range range;
  ASHLAR_ASSIGN_OR_RETURN(range.first, ParseNumber(piece, low));
  range.last = range.first;
  range.width = low.size();
  if (dash != std::string_view::npos) {
    ASHLAR_ASSIGN_OR_RETURN(range.last, ParseNumber(piece, text.substr(dash + 1)));
  }
  if (range.last < range.first) return Wrong(piece, "a range goes from the smaller to the larger number");
  if (range.size() > kMaxHosts) {
    return base::Error(StatusCode::kResourceExhausted, "a range of the host list has more than {} hosts", kMaxHosts);
  }
  return range;
}

base::StatusOr<std::vector<Part>> ParsePiece(std::string_view piece) {
  std::vector<Part> parts;
  std::string_view rest = piece;
  size_t name_bytes = 0;
  while (true) {
    const size_t open = rest.find('[');
    Part part{rest.substr(0, open), {}};
    if (!IsNameText(part.text)) return Wrong(piece, "a name has letters, digits, '-', '.' and '_'");
    // Known before anything is expanded: a long text times many numbers would not fit memory.
    name_bytes += part.text.size() + (open == std::string_view::npos ? 0 : 1);
    if (name_bytes > kMaxHostNameBytes) {
      return base::Error(StatusCode::kResourceExhausted, "a name of the host list is longer than {} bytes",
                         kMaxHostNameBytes);
    }
    if (open == std::string_view::npos) {
      parts.push_back(std::move(part));
      return parts;
    }
    if (parts.size() == kMaxHostRanges) {
      return base::Error(StatusCode::kResourceExhausted, "a name of the host list has more than {} ranges",
                         kMaxHostRanges);
    }
    const size_t close = rest.find(']', open);
    if (close == std::string_view::npos) return Wrong(piece, "a '[' is not closed");
    for (const std::string_view text : base::Split(rest.substr(open + 1, close - open - 1), ',')) {
      ASHLAR_ASSIGN_OR_RETURN(const Range range, ParseRange(piece, text));
      part.ranges.push_back(range);
    }
    parts.push_back(std::move(part));
    rest.remove_prefix(close + 1);
  }
}

// How many names a piece stands for, as soon as it is over the limit any number above it.
uint64_t CountNames(const std::vector<Part>& parts) {
  uint64_t count = 1;
  for (const Part& part : parts) {
    const uint64_t choices = part.choices();
    if (choices > kMaxHosts) return choices;
    count *= choices;
    if (count > kMaxHosts) return count;
  }
  return count;
}

base::Status Expand(std::string_view piece, const std::vector<Part>& parts, std::vector<std::string>& hosts) {
  std::vector<std::string> names = {""};
  for (const Part& part : parts) {
    std::vector<std::string> longer;
    longer.reserve(names.size() * part.choices());
    for (const std::string& name : names) {
      if (part.ranges.empty()) longer.push_back(fmt::format("{}{}", name, part.text));
      for (const Range& range : part.ranges) {
        for (uint64_t number = range.first; number <= range.last; ++number) {
          longer.push_back(fmt::format("{}{}{:0{}}", name, part.text, number, range.width));
        }
      }
    }
    names = std::move(longer);
  }
  for (std::string& name : names) {
    if (!IsHostName(name)) return Wrong(piece, fmt::format("\"{}\" is no host name", name.substr(0, 80)));
    hosts.push_back(std::move(name));
  }
  return base::OkStatus();
}

// Pieces between the commas that are outside brackets.
base::StatusOr<std::vector<std::string_view>> SplitPieces(std::string_view text) {
  std::vector<std::string_view> pieces;
  size_t start = 0;
  bool inside = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '[' && inside) || (c == ']' && !inside)) return Wrong(text, "its brackets do not pair");
    if (c == '[' || c == ']') inside = c == '[';
    if (c != ',' || inside) continue;
    pieces.push_back(text.substr(start, i - start));
    start = i + 1;
  }
  pieces.push_back(text.substr(start));
  return pieces;
}

// A name and the number that it ends with.
struct SplitName {
  std::string before;
  size_t width = 0;  // of a number with leading zeros; 0 of any other
  uint64_t number = 0;
  size_t digits = 0;  // 0: the name ends with no number that fits
};

SplitName SplitAtNumber(const std::string& name) {
  const size_t before = name.find_last_not_of(kDigits);
  const size_t start = before == std::string::npos ? 0 : before + 1;
  const size_t digits = name.size() - start;
  if (digits == 0 || digits > kMaxHostDigits) return {name, 0, 0, 0};
  const uint64_t number = base::ParseUint64(std::string_view(name).substr(start)).value_or(0);
  const bool padded = digits > 1 && name[start] == '0';
  return {name.substr(0, start), padded ? digits : 0, number, digits};
}

std::string RangesText(const std::set<uint64_t>& numbers, size_t width) {
  std::string text;
  size_t ranges = 0;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const uint64_t first = *at;
    uint64_t last = first;
    while (++at != numbers.end() && *at == last + 1) last = *at;
    text += fmt::format("{}{:0{}}", ranges++ == 0 ? "" : ",", first, width);
    if (last != first) text += fmt::format("-{:0{}}", last, width);
  }
  return numbers.size() == 1 ? text : fmt::format("[{}]", text);
}

}  // namespace

bool IsHostName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxHostNameBytes && name.front() != '-' && IsNameText(name);
}

base::StatusOr<std::vector<std::string>> ExpandHostList(std::string_view text) {
  if (text.size() > kMaxHostListBytes) {
    return base::Error(StatusCode::kResourceExhausted, "the host list is longer than {} bytes", kMaxHostListBytes);
  }
  ASHLAR_ASSIGN_OR_RETURN(const auto pieces, SplitPieces(base::Trim(text)));
  std::vector<std::string> hosts;
  for (const std::string_view piece : pieces) {
    if (piece.empty()) continue;
    ASHLAR_ASSIGN_OR_RETURN(const auto parts, ParsePiece(piece));
    const uint64_t count = CountNames(parts);
    if (count > kMaxHosts || hosts.size() + count > kMaxHosts) {
      return base::Error(StatusCode::kResourceExhausted, "the host list has more than {} hosts", kMaxHosts);
    }
    ASHLAR_RETURN_IF_ERROR(Expand(piece, parts, hosts));
  }
  if (hosts.empty()) return Wrong(text, "it names no host");
  return hosts;
}

std::string CompressHostList(std::span<const std::string> hosts) {
  using Group = std::pair<std::string, size_t>;  // what stands before the number, and the width
  std::vector<SplitName> names;
  names.reserve(hosts.size());
  std::set<Group> padded;
  for (const std::string& host : hosts) {
    names.push_back(SplitAtNumber(host));
    if (names.back().width > 0) padded.emplace(names.back().before, names.back().width);
  }
  std::map<Group, std::set<uint64_t>> groups;
  std::set<std::string> plain;
  for (const SplitName& name : names) {
    if (name.digits == 0) {
      plain.insert(name.before);
      continue;
    }
    // A number without leading zeros joins the padded ones of its width: n09 and n10 are n[09-10].
    const bool joins = padded.contains({name.before, name.digits});
    groups[{name.before, joins ? name.digits : 0}].insert(name.number);
  }
  std::vector<std::string> pieces(plain.begin(), plain.end());
  for (const auto& [group, numbers] : groups) pieces.push_back(group.first + RangesText(numbers, group.second));
  return base::Join(pieces, ",");
}

}  // namespace ashlar::cluster
