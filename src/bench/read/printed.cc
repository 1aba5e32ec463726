#include "bench/read/printed.h"

#include <cmath>

#include "base/base.h"

namespace ashlar::bench {
namespace {

constexpr int kLargestExponent = 300;  // beyond it the half step is no finite number

}  // namespace

std::optional<PrintedNumber> ParsePrinted(std::string_view text) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  const size_t e = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, e);
  int exponent = 0;
  if (e != std::string_view::npos) {
    std::string_view digits = text.substr(e + 1);
    if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
    const auto number = base::ParseInt64(digits);
    if (!number || std::abs(static_cast<double>(*number)) > kLargestExponent) return std::nullopt;
    exponent = static_cast<int>(*number);
  }
  const auto value = base::ParseDouble(text);
  if (!value) return std::nullopt;
  const size_t point = mantissa.find('.');
  const size_t decimals = point == std::string_view::npos ? 0 : mantissa.size() - point - 1;
  return PrintedNumber{.value = *value, .half_step = 0.5 * std::pow(10.0, exponent - static_cast<double>(decimals))};
}

}  // namespace ashlar::bench
