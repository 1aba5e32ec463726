// Checks that text is JSON in the form of RFC 8785 without building a value: what makes verification fast.
//
// A scanner reads a text that its caller keeps; it is for one thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace ashlar::ledger {

// True when `text` is what base::CanonicalJson writes for some value, at most `max_depth` containers deep.
bool IsCanonicalJson(std::string_view text, size_t max_depth);

class CanonicalScanner {
 public:
  CanonicalScanner(std::string_view text, size_t max_depth) : text_(text), max_depth_(max_depth) {}

  // Each moves behind what it found, or returns false and leaves the position undefined.
  bool Value();
  bool String();
  bool Number();
  bool Literal(std::string_view expected);

  size_t position() const { return position_; }
  bool AtEnd() const { return position_ == text_.size(); }

 private:
  bool Object();
  bool Array();
  bool Escape();
  bool Peek(char c) const { return position_ < text_.size() && text_[position_] == c; }

  std::string_view text_;
  size_t max_depth_;
  size_t depth_ = 0;
  size_t position_ = 0;
};

}  // namespace ashlar::ledger
