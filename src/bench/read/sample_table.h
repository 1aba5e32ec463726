// Tables under a heading of column names, as benchmarks print them: from a row's text to a sample in SI units.
//
// A heading is matched word by word against the columns that a dialect knows, so that "BW peak[Gb/sec]" is one column
// and not two. A table with a column that nobody knows is not guessed at. Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "bench/read/record.h"

namespace ashlar::bench {

enum class ColumnUse {
  kQuantity,  // a figure, multiplied by `factor`
  kLabel,     // a whole number that says what was measured: a size, a group
  kWord,      // a label that is text
};

// Views of text that outlives every table: a constant of the dialect.
struct ColumnForm {
  std::string_view heading;  // as the tool prints it, one blank between words
  std::string_view name;     // of the quantity or label
  std::string_view unit = {};
  double factor = 1;  // from the printed unit to `unit`
  ColumnUse use = ColumnUse::kQuantity;
};

class SampleColumns {
 public:
  // nullopt when a word of `heading` belongs to none of `known`, or a column stands there twice.
  static std::optional<SampleColumns> FromHeading(std::string_view heading, std::span<const ColumnForm> known);

  bool Has(std::string_view name) const;

  // nullopt when `text` is no whole row: another number of cells, or one that is no number.
  std::optional<Sample> ReadRow(uint64_t line, std::string_view text) const;

 private:
  std::vector<ColumnForm> columns_;
};

// A label of `sample` that is a whole number; nullopt when it has none of this name.
std::optional<uint64_t> NumberLabel(const Sample& sample, std::string_view name);

// nullptr when `sample` has no such quantity.
const Quantity* FindQuantity(const Sample& sample, std::string_view name);

}  // namespace ashlar::bench
