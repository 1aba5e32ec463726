#include "node/nhc/arguments.h"

#include <algorithm>
#include <cctype>
#include <limits>

#include "node/kernel/text_scanner.h"

namespace ashlar::node {
namespace {

using base::StatusCode;

// How often k, M, ... multiply; 0 for a letter that is no prefix.
uint64_t PrefixPower(char letter) {
  constexpr std::string_view kPrefixes = "kmgtpe";
  const size_t at = kPrefixes.find(static_cast<char>(std::tolower(static_cast<unsigned char>(letter))));
  return at == std::string_view::npos ? 0 : at + 1;
}

base::StatusOr<uint64_t> Multiply(uint64_t number, uint64_t factor, uint64_t times, std::string_view text) {
  for (uint64_t time = 0; time < times; ++time) {
    if (number > std::numeric_limits<uint64_t>::max() / factor) {
      return base::Error(StatusCode::kInvalidArgument, "\"{}\" is too large", Excerpt(text));
    }
    number *= factor;
  }
  return number;
}

}  // namespace

base::StatusOr<uint64_t> ParseNhcNumber(std::string_view text) {
  const auto number = base::ParseUint64(text);
  if (!number) return base::Error(StatusCode::kInvalidArgument, "\"{}\" is no whole number", Excerpt(text));
  if (text.size() > 1 && text.front() == '0') {
    return base::Error(StatusCode::kInvalidArgument,
                       "\"{}\" begins with 0, which bash reads as octal: write it without", Excerpt(text));
  }
  return *number;
}

base::StatusOr<uint64_t> ParseNhcSize(std::string_view text) {
  std::string_view digits = text;
  if (digits.ends_with('b') || digits.ends_with('B')) digits.remove_suffix(1);
  uint64_t power = digits.empty() ? 0 : PrefixPower(digits.back());
  if (power > 0) digits.remove_suffix(1);
  const auto number = ParseNhcNumber(digits);
  if (!number.ok()) {
    return base::Error(StatusCode::kInvalidArgument, "\"{}\" is no size as 16G, 330kB or a number of kB",
                       Excerpt(text));
  }
  // No prefix is k.
  power = std::max<uint64_t>(power, 1);
  return Multiply(*number, base::kKiB, power, text);
}

base::StatusOr<uint64_t> ParseNhcCount(std::string_view text) {
  constexpr uint64_t kThousand = 1000;
  std::string_view digits = text;
  const uint64_t power = digits.empty() ? 0 : PrefixPower(digits.back());
  if (power > 0) digits.remove_suffix(1);
  const auto number = ParseNhcNumber(digits);
  if (!number.ok()) return base::Error(StatusCode::kInvalidArgument, "\"{}\" is no count as 1000 or 1k", Excerpt(text));
  return Multiply(*number, kThousand, power, text);
}

base::StatusOr<NhcAmount> ParseNhcAmount(std::string_view text, base::StatusOr<uint64_t> (*parse)(std::string_view)) {
  constexpr uint64_t kWhole = 100;
  if (!text.ends_with('%')) {
    ASHLAR_ASSIGN_OR_RETURN(const uint64_t number, parse(text));
    return NhcAmount{.number = number};
  }
  const auto percent = ParseNhcNumber(text.substr(0, text.size() - 1));
  if (!percent.ok() || *percent > kWhole) {
    return base::Error(StatusCode::kInvalidArgument, "\"{}\" is no whole percentage from 0% to 100%", Excerpt(text));
  }
  return NhcAmount{.number = *percent, .is_percent = true};
}

bool NhcOptions::Has(char option) const {
  return std::any_of(given.begin(), given.end(), [&](const auto& one) { return one.first == option; });
}

std::string NhcOptions::Value(char option) const {
  std::string value;
  for (const auto& [letter, text] : given) {
    if (letter == option) value = text;
  }
  return value;
}

base::StatusOr<NhcOptions> ParseNhcOptions(std::span<const std::string> words, std::string_view known) {
  NhcOptions options;
  size_t index = 0;
  for (; index < words.size(); ++index) {
    const std::string& word = words[index];
    if (word == "--") {
      ++index;
      break;
    }
    if (word.size() < 2 || word.front() != '-') break;
    for (size_t at = 1; at < word.size(); ++at) {
      const size_t found = word[at] == ':' ? std::string_view::npos : known.find(word[at]);
      if (found == std::string_view::npos) {
        return base::Error(StatusCode::kInvalidArgument, "it has no option -{}", Excerpt(word.substr(at, 1)));
      }
      if (!known.substr(found + 1).starts_with(':')) {
        options.given.emplace_back(word[at], "");
        continue;
      }
      const bool at_once = at + 1 < word.size();
      if (!at_once && index + 1 == words.size()) {
        return base::Error(StatusCode::kInvalidArgument, "option -{} needs a value", word[at]);
      }
      options.given.emplace_back(word[at], at_once ? word.substr(at + 1) : words[++index]);
      break;
    }
  }
  options.rest.assign(words.begin() + static_cast<ptrdiff_t>(index), words.end());
  return options;
}

base::Status WantArguments(std::span<const std::string> words, size_t least, size_t most, std::string_view usage) {
  bool fits = words.size() >= least && words.size() <= most;
  for (size_t index = 0; fits && index < least; ++index) fits = !words[index].empty();
  if (fits) return base::OkStatus();
  return base::Error(StatusCode::kInvalidArgument, "want {}", usage);
}

}  // namespace ashlar::node
