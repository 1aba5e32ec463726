#include "bench/read/sample_table.h"

#include <algorithm>

#include "bench/read/limits.h"

namespace ashlar::bench {
namespace {

using Words = std::vector<std::string_view>;

// How many of `words` from `at` on are the words of `heading`; 0 when they are not.
size_t WordsOf(std::string_view heading, const Words& words, size_t at) {
  const Words wanted = base::SplitWords(heading);
  if (wanted.size() > words.size() - at) return 0;
  return std::equal(wanted.begin(), wanted.end(), words.begin() + static_cast<std::ptrdiff_t>(at)) ? wanted.size() : 0;
}

// False when `cell` is not what `column` holds.
bool AddCell(const ColumnForm& column, std::string_view cell, Sample& sample) {
  switch (column.use) {
    case ColumnUse::kQuantity: {
      const auto number = ParsePrinted(cell);
      if (!number) return false;
      sample.quantities.push_back({.name = std::string(column.name),
                                   .value = number->value * column.factor,
                                   .unit = std::string(column.unit),
                                   .half_step = number->half_step * column.factor});
      return true;
    }
    case ColumnUse::kLabel: {
      const auto number = base::ParseUint64(cell);
      if (number) sample.labels[column.name] = *number;
      return number.has_value();
    }
    case ColumnUse::kWord: sample.labels[column.name] = cell; return true;
  }
  return false;
}

}  // namespace

std::optional<SampleColumns> SampleColumns::FromHeading(std::string_view heading, std::span<const ColumnForm> known) {
  SampleColumns table;
  if (heading.size() > kLongestHeading) return std::nullopt;
  const Words words = base::SplitWords(heading);
  for (size_t at = 0; at < words.size();) {
    // The longest wins: "Latency" alone may be the beginning of another column's name.
    size_t most = 0;
    const ColumnForm* best = nullptr;
    for (const ColumnForm& column : known) {
      const size_t length = WordsOf(column.heading, words, at);
      if (length > most) {
        most = length;
        best = &column;
      }
    }
    if (best == nullptr || table.Has(best->name)) return std::nullopt;
    table.columns_.push_back(*best);
    at += most;
  }
  if (table.columns_.empty()) return std::nullopt;
  return table;
}

bool SampleColumns::Has(std::string_view name) const {
  return std::any_of(columns_.begin(), columns_.end(),
                     [name](const ColumnForm& column) { return column.name == name; });
}

std::optional<Sample> SampleColumns::ReadRow(uint64_t line, std::string_view text) const {
  if (text.size() > kLongestHeading) return std::nullopt;
  const Words cells = base::SplitWords(text);
  if (cells.size() != columns_.size()) return std::nullopt;
  Sample sample{.line = line};
  for (size_t i = 0; i < cells.size(); ++i) {
    if (!AddCell(columns_[i], cells[i], sample)) return std::nullopt;
  }
  return sample;
}

std::optional<uint64_t> NumberLabel(const Sample& sample, std::string_view name) {
  const base::Json* label = sample.labels.if_contains(name);
  if (label == nullptr) return std::nullopt;
  if (label->is_uint64()) return label->get_uint64();
  if (label->is_int64() && label->get_int64() >= 0) return static_cast<uint64_t>(label->get_int64());
  return std::nullopt;
}

const Quantity* FindQuantity(const Sample& sample, std::string_view name) {
  const auto found = std::find_if(sample.quantities.begin(), sample.quantities.end(),
                                  [name](const Quantity& quantity) { return quantity.name == name; });
  return found == sample.quantities.end() ? nullptr : &*found;
}

}  // namespace ashlar::bench
