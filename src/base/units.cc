#include "base/units.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"

namespace ashlar::base {
namespace {

// Three significant digits without an exponent: 3.42, 34.2, 342, 3420.
std::string ThreeDigits(double value) {
  const double magnitude = std::abs(value);
  const int decimals = magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f}", value, decimals);
}

// abseil's reader takes more: blanks at both ends, years of any length, one digit for a month, "infinite-future".
bool HasRfc3339Shape(std::string_view text) {
  constexpr std::string_view kStart = "0000-00-00T00:00:00";
  constexpr std::string_view kOffset = "+00:00";
  const auto matches = [](std::string_view piece, std::string_view shape) {
    return std::equal(piece.begin(), piece.end(), shape.begin(), shape.end(), [](char c, char want) {
      if (want == '0') return c >= '0' && c <= '9';
      return c == want || (want == '+' && c == '-');
    });
  };
  if (!matches(text.substr(0, kStart.size()), kStart)) return false;
  text.remove_prefix(kStart.size());
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits == 0) return false;
    text.remove_prefix(digits);
  }
  return text == "Z" || matches(text, kOffset);
}

}  // namespace

StatusOr<Bytes> ParseSize(std::string_view text) {
  const auto refuse = [text] {
    return Error(StatusCode::kInvalidArgument,
                 "size \"{}\": want a number and at most one of K, M, G, T (powers of 1024), as in 64M", text);
  };
  if (text.empty() || !(text.front() >= '0' && text.front() <= '9')) return refuse();
  std::string_view digits = text;
  uint64_t unit = 1;
  switch (text.back()) {
    case 'k':
    case 'K': unit = kKiB; break;
    case 'm':
    case 'M': unit = kMiB; break;
    case 'g':
    case 'G': unit = kGiB; break;
    case 't':
    case 'T': unit = kGiB * kKiB; break;
    default: break;
  }
  if (unit != 1) digits.remove_suffix(1);
  if (digits.find_first_not_of("0123456789.") != std::string_view::npos) return refuse();
  const auto number = ParseDouble(digits);
  if (!number) return refuse();
  const double bytes = *number * static_cast<double>(unit);
  if (bytes >= 9.2e18) return refuse();
  return Bytes{static_cast<uint64_t>(bytes)};
}

StatusOr<absl::Duration> ParseDuration(std::string_view text) {
  absl::Duration duration;
  if (!absl::ParseDuration(std::string(text), &duration) || duration < absl::ZeroDuration() ||
      duration == absl::InfiniteDuration()) {
    return Error(StatusCode::kInvalidArgument, "duration \"{}\": want a number with a unit, as in 30s, 5m or 1h30m",
                 text);
  }
  return duration;
}

std::string HumanBytes(Bytes bytes) {
  constexpr std::array<const char*, 5> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  if (bytes.count < kKiB) return fmt::format("{} B", bytes.count);
  auto value = static_cast<double>(bytes.count);
  size_t unit = 0;
  for (value /= 1024; value >= 1023.95 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  const bool whole = std::abs(value - std::round(value)) < 0.05;
  return fmt::format("{:.{}f} {}", value, whole ? 0 : 1, kUnits.at(unit));
}

std::string HumanRate(BytesPerSecond rate) {
  if (!std::isfinite(rate.rate)) return "unknown";
  constexpr std::array<const char*, 5> kUnits = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
  double value = rate.rate;
  size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  return ThreeDigits(value) + " " + kUnits.at(unit);
}

std::string HumanDuration(absl::Duration duration) {
  const double seconds = absl::ToDoubleSeconds(duration);
  if (duration == absl::InfiniteDuration()) return "forever";
  if (duration < absl::ZeroDuration()) return "-" + HumanDuration(-duration);
  if (duration == absl::ZeroDuration()) return "0 s";
  // What rounds to 1000 belongs to the next unit.
  if (seconds < 999.5e-9) return ThreeDigits(seconds * 1e9) + " ns";
  if (seconds < 999.5e-6) return ThreeDigits(seconds * 1e6) + " µs";
  if (seconds < 0.9995) return ThreeDigits(seconds * 1e3) + " ms";
  if (seconds < 59.95) return ThreeDigits(seconds) + " s";
  const int64_t whole = absl::ToInt64Seconds(duration + absl::Milliseconds(500));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  if (whole < 86400) return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
  return fmt::format("{} d {} h", whole / 86400, whole % 86400 / 3600);
}

std::string HumanTime(absl::Time time) { return absl::FormatTime("%Y-%m-%d %H:%M:%S UTC", time, absl::UTCTimeZone()); }

std::string Rfc3339(absl::Time time) { return absl::FormatTime("%Y-%m-%d%ET%H:%M:%E6SZ", time, absl::UTCTimeZone()); }

StatusOr<absl::Time> ParseRfc3339(std::string_view text) {
  absl::Time time;
  std::string problem = "other shape";
  if (!HasRfc3339Shape(text) || !absl::ParseTime(absl::RFC3339_full, std::string(text), &time, &problem)) {
    return Error(StatusCode::kInvalidArgument, "time \"{}\": want RFC 3339, as in 2026-01-02T03:04:05Z ({})", text,
                 problem);
  }
  return time;
}

}  // namespace ashlar::base
