#include "ledger/canonical_scan.h"

#include <algorithm>

#include "base/base.h"

namespace ashlar::ledger {
namespace {

constexpr size_t kPlainDigits = 15;  // integers of so many digits are exact in a double and written as they are

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Members stand in the order of their names' UTF-16 code units. For plain ASCII that is the order of the bytes; the
// rare rest is asked of the canonical writer itself.
bool NamesAscend(std::string_view before, std::string_view after) {
  const auto is_plain = [](std::string_view name) {
    return std::all_of(name.begin(), name.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x80 && c != '\\'; });
  };
  if (is_plain(before) && is_plain(after)) return before < after;
  const std::string text = fmt::format("{{\"{}\":0,\"{}\":0}}", before, after);
  const auto json = base::ParseJson(text);
  if (!json.ok()) return false;
  const auto canonical = base::CanonicalJson(*json);
  return canonical.ok() && *canonical == text;
}

// A number that is not a short integer: written by the canonical writer it must look the same.
bool IsCanonicalDouble(std::string_view token) {
  const auto number = base::ParseDouble(token);
  if (!number) return false;
  const auto canonical = base::CanonicalJson(base::Json(*number));
  return canonical.ok() && *canonical == token;
}

}  // namespace

bool IsCanonicalJson(std::string_view text, size_t max_depth) {
  CanonicalScanner scanner(text, max_depth);
  return scanner.Value() && scanner.AtEnd();
}

bool CanonicalScanner::Literal(std::string_view expected) {
  if (text_.compare(position_, expected.size(), expected) != 0) return false;
  position_ += expected.size();
  return true;
}

bool CanonicalScanner::Value() {
  if (AtEnd()) return false;
  switch (text_[position_]) {
    case '{': return Object();
    case '[': return Array();
    case '"': return String();
    case 't': return Literal("true");
    case 'f': return Literal("false");
    case 'n': return Literal("null");
    default: return Number();
  }
}

bool CanonicalScanner::Object() {
  if (++depth_ > max_depth_ || !Literal("{")) return false;
  std::string_view before;
  for (bool first = true; !Peek('}'); first = false) {
    if (!first && !Literal(",")) return false;
    const size_t start = position_ + 1;
    if (!String()) return false;
    const std::string_view name = text_.substr(start, position_ - start - 1);
    if (!first && !NamesAscend(before, name)) return false;
    before = name;
    if (!Literal(":") || !Value()) return false;
  }
  --depth_;
  return Literal("}");
}

bool CanonicalScanner::Array() {
  if (++depth_ > max_depth_ || !Literal("[")) return false;
  for (bool first = true; !Peek(']'); first = false) {
    if (!first && !Literal(",")) return false;
    if (!Value()) return false;
  }
  --depth_;
  return Literal("]");
}

// The escapes of RFC 8785 section 3.2.2.2: short forms where there is one, else \u00xx in lower case.
bool CanonicalScanner::Escape() {
  if (++position_ >= text_.size()) return false;
  const char c = text_[position_];
  if (c == '"' || c == '\\' || c == 'b' || c == 'f' || c == 'n' || c == 'r' || c == 't') {
    ++position_;
    return true;
  }
  if (!Literal("u00") || position_ + 2 > text_.size()) return false;
  const char high = text_[position_];
  const char low = text_[position_ + 1];
  position_ += 2;
  if (high == '1') return IsDigit(low) || (low >= 'a' && low <= 'f');
  // Below 0x10 only those without a short form: not 8, 9, a, c, d.
  return high == '0' && ((low >= '0' && low <= '7') || low == 'b' || low == 'e' || low == 'f');
}

bool CanonicalScanner::String() {
  if (!Literal("\"")) return false;
  const size_t start = position_;
  bool ascii = true;
  while (position_ < text_.size()) {
    const auto c = static_cast<unsigned char>(text_[position_]);
    if (c == '"') {
      const bool well_formed = ascii || base::IsUtf8(text_.substr(start, position_ - start));
      ++position_;
      return well_formed;
    }
    if (c < 0x20) return false;
    if (c == '\\') {
      if (!Escape()) return false;
    } else {
      ascii = ascii && c < 0x80;
      ++position_;
    }
  }
  return false;
}

bool CanonicalScanner::Number() {
  const size_t start = position_;
  const size_t digits = start + (Peek('-') ? 1 : 0);
  position_ = digits;
  while (position_ < text_.size() && IsDigit(text_[position_])) ++position_;
  const bool integer = position_ == text_.size() || (text_[position_] != '.' && text_[position_] != 'e');
  const size_t count = position_ - digits;
  if (count == 0) return false;
  if (integer && count <= kPlainDigits) {
    return text_[digits] != '0' || (count == 1 && digits == start);  // no leading zero, no -0
  }
  while (position_ < text_.size() &&
         std::string_view("0123456789.e+-").find(text_[position_]) != std::string_view::npos) {
    ++position_;
  }
  return IsCanonicalDouble(text_.substr(start, position_ - start));
}

}  // namespace ashlar::ledger
