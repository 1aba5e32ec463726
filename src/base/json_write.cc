#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "base/json.h"
#include "base/text.h"

namespace ashlar::base {
namespace {

// ECMAScript's Number::toString (ECMA-262, 6.1.6.1.20): the shortest digits that read back, laid out its way.
void AppendNumber(double number, std::string& out) {
  if (number == 0) {
    out += '0';  // -0 too
    return;
  }
  std::array<char, 32> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(number), std::chars_format::scientific).ptr;
  const std::string_view text(buffer.data(), static_cast<size_t>(end - buffer.data()));
  const size_t e = text.find('e');
  std::string digits(1, text[0]);
  if (e > 2) digits += text.substr(2, e - 2);
  int exponent = 0;
  std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), end, exponent);
  const int count = static_cast<int>(digits.size());
  const int point = exponent + 1;  // digits before the decimal point
  if (number < 0) out += '-';
  if (point > 0 && point <= 21) {
    if (point >= count) {
      out += digits + std::string(static_cast<size_t>(point - count), '0');
    } else {
      out += digits.substr(0, static_cast<size_t>(point)) + "." + digits.substr(static_cast<size_t>(point));
    }
  } else if (point > -6 && point <= 0) {
    out += "0." + std::string(static_cast<size_t>(-point), '0') + digits;
  } else {
    out += digits.substr(0, 1);
    if (count > 1) out += "." + digits.substr(1);
    out += fmt::format("e{}{}", exponent < 0 ? '-' : '+', std::abs(exponent));
  }
}

void AppendString(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

// UTF-16 code units of well-formed UTF-8, for the sorting that RFC 8785 section 3.2.3 asks for.
std::u16string ToUtf16(std::string_view text) {
  std::u16string units;
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    uint32_t point = length == 1 ? lead : lead & (0xFFU >> (length + 1));
    for (size_t k = 1; k < length; ++k) point = (point << 6U) | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    if (point >= 0x10000) {
      units += static_cast<char16_t>(0xD800 + ((point - 0x10000) >> 10U));
      units += static_cast<char16_t>(0xDC00 + ((point - 0x10000) & 0x3FFU));
    } else {
      units += static_cast<char16_t>(point);
    }
    i += length;
  }
  return units;
}

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool CanonicallyBefore(std::string_view a, std::string_view b) {
  return IsAscii(a) && IsAscii(b) ? a < b : ToUtf16(a) < ToUtf16(b);
}

Status AppendCanonical(const Json& json, std::string& out);

Status AppendCanonicalObject(const JsonObject& object, std::string& out) {
  std::vector<const JsonObject::value_type*> members;
  members.reserve(object.size());
  for (const auto& member : object) {
    if (!IsUtf8(member.key())) return Error(StatusCode::kInvalidArgument, "a member name is not UTF-8");
    members.push_back(&member);
  }
  std::sort(members.begin(), members.end(),
            [](const auto* a, const auto* b) { return CanonicallyBefore(a->key(), b->key()); });
  out += '{';
  for (const auto* member : members) {
    if (member != members.front()) out += ',';
    AppendString(member->key(), out);
    out += ':';
    ASHLAR_RETURN_IF_ERROR(AppendCanonical(member->value(), out));
  }
  out += '}';
  return OkStatus();
}

// An integer is written only when a reader that knows nothing but doubles gets it back: any up to 2^53, and beyond it
// those that a double's shortest text spells the same way, so that what was written canonically can be written again.
Status AppendCanonicalNumber(const Json& json, std::string& out) {
  if (const double* number = json.if_double()) {
    if (!std::isfinite(*number)) return Error(StatusCode::kInvalidArgument, "a number is not finite");
    AppendNumber(*number, out);
    return OkStatus();
  }
  const std::string exact = json.is_int64() ? fmt::format("{}", json.get_int64())
                                            : fmt::format("{}", json.get_uint64());
  std::string as_double;
  AppendNumber(json.to_number<double>(), as_double);
  if (exact != as_double) {
    return Error(StatusCode::kInvalidArgument, "the integer {} is beyond 2^53 and would not survive: write it as text",
                 exact);
  }
  out += exact;
  return OkStatus();
}

Status AppendCanonical(const Json& json, std::string& out) {
  switch (json.kind()) {
    case boost::json::kind::null: out += "null"; return OkStatus();
    case boost::json::kind::bool_: out += json.get_bool() ? "true" : "false"; return OkStatus();
    case boost::json::kind::string:
      if (!IsUtf8(json.get_string())) return Error(StatusCode::kInvalidArgument, "a text is not UTF-8");
      AppendString(json.get_string(), out);
      return OkStatus();
    case boost::json::kind::array: {
      out += '[';
      const JsonArray& array = json.get_array();
      for (size_t i = 0; i < array.size(); ++i) {
        if (i > 0) out += ',';
        ASHLAR_RETURN_IF_ERROR(AppendCanonical(array[i], out));
      }
      out += ']';
      return OkStatus();
    }
    case boost::json::kind::object: return AppendCanonicalObject(json.get_object(), out);
    default: return AppendCanonicalNumber(json, out);
  }
}

struct Layout {
  bool indented = false;
  int depth = 0;
};

void AppendPlain(const Json& json, const Layout& layout, std::string& out);

// Both brackets and what is between them; `append` writes the element of that number.
template <typename AppendElement>
void AppendContainer(std::string_view brackets, size_t size, const Layout& layout, std::string& out,
                     const AppendElement& append) {
  constexpr size_t kIndent = 2;
  const auto depth = static_cast<size_t>(layout.depth);
  out += brackets.front();
  for (size_t i = 0; i < size; ++i) {
    if (i > 0) out += ',';
    if (layout.indented) out += '\n' + std::string((depth + 1) * kIndent, ' ');
    append(i);
  }
  if (layout.indented && size > 0) out += '\n' + std::string(depth * kIndent, ' ');
  out += brackets.back();
}

void AppendPlain(const Json& json, const Layout& layout, std::string& out) {
  const Layout inner{.indented = layout.indented, .depth = layout.depth + 1};
  if (const JsonObject* object = json.if_object()) {
    AppendContainer("{}", object->size(), layout, out, [&](size_t index) {
      const auto& member = *(object->begin() + index);
      AppendString(member.key(), out);
      out += layout.indented ? ": " : ":";
      AppendPlain(member.value(), inner, out);
    });
  } else if (const JsonArray* array = json.if_array()) {
    AppendContainer("[]", array->size(), layout, out, [&](size_t index) { AppendPlain((*array)[index], inner, out); });
  } else if (const auto* text = json.if_string()) {
    AppendString(*text, out);
  } else if (const double* number = json.if_double()) {
    if (std::isfinite(*number)) {
      AppendNumber(*number, out);
    } else {
      out += "null";
    }
  } else if (json.is_number()) {
    out += json.is_int64() ? fmt::format("{}", json.get_int64()) : fmt::format("{}", json.get_uint64());
  } else {
    out += json.is_null() ? "null" : json.get_bool() ? "true" : "false";
  }
}

}  // namespace

StatusOr<std::string> CanonicalJson(const Json& json) {
  std::string out;
  ASHLAR_RETURN_IF_ERROR(AppendCanonical(json, out));
  return out;
}

std::string WriteJson(const Json& json) {
  std::string out;
  AppendPlain(json, {}, out);
  return out;
}

std::string WriteJsonIndented(const Json& json) {
  std::string out;
  AppendPlain(json, {.indented = true}, out);
  out += '\n';
  return out;
}

}  // namespace ashlar::base
