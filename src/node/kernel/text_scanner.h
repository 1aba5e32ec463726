// Walks over the kernel's texts line by line and word by word, without allocating.
//
// One thread at a time; the text must outlive the scanner and everything that it returns.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/base.h"

namespace ashlar::node {

class LineScanner {
 public:
  explicit LineScanner(std::string_view text) : rest_(text) {}

  // The next line without its "\n"; false at the end.
  bool Next(std::string_view& line) {
    if (rest_.empty()) return false;
    const size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++number_;
    return true;
  }

  // Of the line that Next returned last, from 1.
  size_t number() const { return number_; }

 private:
  std::string_view rest_;
  size_t number_ = 0;
};

class WordScanner {
 public:
  explicit WordScanner(std::string_view line) : rest_(line) {}

  // The next run of characters that are neither blank nor tab; empty at the end.
  std::string_view Next() {
    const size_t start = rest_.find_first_not_of(" \t");
    if (start == std::string_view::npos) {
      rest_ = {};
      return {};
    }
    rest_.remove_prefix(start);
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t"));
    rest_.remove_prefix(word.size());
    return word;
  }

  // The next word as a whole decimal number; false when it is none or there is none.
  bool NextUint64(uint64_t& number) {
    const auto parsed = base::ParseUint64(Next());
    if (!parsed) return false;
    number = *parsed;
    return true;
  }

  bool AtEnd() const { return rest_.find_first_not_of(" \t") == std::string_view::npos; }

 private:
  std::string_view rest_;
};

// At most the first 60 bytes of `text`, printable, for messages.
std::string Excerpt(std::string_view text);

// kInvalidArgument: "/proc/stat line 3: `...` is not ...".
base::Status MalformedLine(std::string_view path, size_t line_number, std::string_view line, std::string_view problem);

}  // namespace ashlar::node
