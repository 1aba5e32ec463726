// Numbers as another program printed them: a value and how far rounding may have moved it.
//
// A log says 0.51 and means anything from 0.505 to 0.515; what follows from it is an interval too. Pure; any thread.
#pragma once

#include <optional>
#include <string_view>

namespace ashlar::bench {

// All numbers that are possible, both ends included.
struct Interval {
  double low = 0;
  double high = 0;
  bool Contains(double number) const { return low <= number && number <= high; }
  bool Meets(const Interval& other) const { return low <= other.high && other.low <= high; }
};

// In the unit of the column that it stood in.
struct PrintedNumber {
  double value = 0;
  double half_step = 0;  // half of the last digit printed
  Interval Range() const { return {.low = value - half_step, .high = value + half_step}; }
};

// "12", "0.51", "1.2e+07"; never negative, no sign, no blanks. nullopt for anything else, also for "nan" and "inf".
std::optional<PrintedNumber> ParsePrinted(std::string_view text);

}  // namespace ashlar::bench
