#include "base/json.h"

#include <boost/json/basic_parser_impl.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "base/limits.h"
#include "base/text.h"

namespace ashlar::base {
namespace {

constexpr double kMaxSafeInteger = 9007199254740992.0;  // 2^53

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

Status AppendCanonicalNumber(const Json& json, std::string& out) {
  if (const double* number = json.if_double()) {
    if (!std::isfinite(*number)) return Error(StatusCode::kInvalidArgument, "a number is not finite");
    AppendNumber(*number, out);
    return OkStatus();
  }
  const bool is_signed = json.is_int64();
  const double magnitude = is_signed ? std::abs(static_cast<double>(json.get_int64()))
                                     : static_cast<double>(json.get_uint64());
  if (magnitude > kMaxSafeInteger) {
    return Error(StatusCode::kInvalidArgument, "an integer is beyond 2^53 and would not survive: write it as text");
  }
  out += is_signed ? fmt::format("{}", json.get_int64()) : fmt::format("{}", json.get_uint64());
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

void AppendIndented(const Json& json, int depth, std::string& out) {
  const std::string indent(static_cast<size_t>(depth) * 2 + 2, ' ');
  const std::string outer(static_cast<size_t>(depth) * 2, ' ');
  if (json.is_object() && !json.get_object().empty()) {
    out += "{\n";
    size_t left = json.get_object().size();
    for (const auto& member : json.get_object()) {
      out += indent + boost::json::serialize(member.key()) + ": ";
      AppendIndented(member.value(), depth + 1, out);
      out += --left > 0 ? ",\n" : "\n";
    }
    out += outer + "}";
  } else if (json.is_array() && !json.get_array().empty()) {
    out += "[\n";
    size_t left = json.get_array().size();
    for (const Json& element : json.get_array()) {
      out += indent;
      AppendIndented(element, depth + 1, out);
      out += --left > 0 ? ",\n" : "\n";
    }
    out += outer + "]";
  } else {
    out += WriteJson(json);
  }
}

// Builds the value through Boost's parser and refuses a member name that appears twice, which Boost would let win.
struct StrictHandler {
  static constexpr size_t max_object_size = kMaxJsonBytes;
  static constexpr size_t max_array_size = kMaxJsonBytes;
  static constexpr size_t max_key_size = kMaxJsonBytes;
  static constexpr size_t max_string_size = kMaxJsonBytes;

  std::vector<std::vector<std::string>> open;  // the member names of each object that is not closed yet
  std::string name;

  bool on_document_begin(boost::json::error_code&) { return true; }
  bool on_document_end(boost::json::error_code&) { return true; }
  bool on_array_begin(boost::json::error_code&) { return true; }
  bool on_array_end(size_t, boost::json::error_code&) { return true; }
  bool on_object_begin(boost::json::error_code&) {
    open.emplace_back();
    return true;
  }
  bool on_object_end(size_t, boost::json::error_code& error) {
    auto& names = open.back();
    std::sort(names.begin(), names.end());
    const bool twice = std::adjacent_find(names.begin(), names.end()) != names.end();
    open.pop_back();
    if (twice) error = boost::json::error::syntax;
    return !twice;
  }
  bool on_key_part(boost::json::string_view part, size_t, boost::json::error_code&) {
    name.append(part.data(), part.size());
    return true;
  }
  bool on_key(boost::json::string_view part, size_t, boost::json::error_code&) {
    name.append(part.data(), part.size());
    open.back().push_back(std::move(name));
    name.clear();
    return true;
  }
  bool on_string_part(boost::json::string_view, size_t, boost::json::error_code&) { return true; }
  bool on_string(boost::json::string_view, size_t, boost::json::error_code&) { return true; }
  bool on_number_part(boost::json::string_view, boost::json::error_code&) { return true; }
  bool on_int64(int64_t, boost::json::string_view, boost::json::error_code&) { return true; }
  bool on_uint64(uint64_t, boost::json::string_view, boost::json::error_code&) { return true; }
  bool on_double(double, boost::json::string_view, boost::json::error_code&) { return true; }
  bool on_bool(bool, boost::json::error_code&) { return true; }
  bool on_null(boost::json::error_code&) { return true; }
  bool on_comment_part(boost::json::string_view, boost::json::error_code&) { return true; }
  bool on_comment(boost::json::string_view, boost::json::error_code&) { return true; }
};

template <typename Value>
StatusOr<const Value*> Typed(const Json& json, std::string_view key, const Value* (Json::*get)() const noexcept,
                             std::string_view type) {
  const Json* member = Find(json, key);
  if (member == nullptr) return Error(StatusCode::kInvalidArgument, "\"{}\" is missing", key);
  const Value* value = (member->*get)();
  if (value == nullptr) return Error(StatusCode::kInvalidArgument, "\"{}\" is not {}", key, type);
  return value;
}

}  // namespace

StatusOr<Json> ParseJson(std::string_view text) {
  if (text.size() > kMaxJsonBytes) {
    return Error(StatusCode::kResourceExhausted, "JSON text of {} bytes is over the limit of {}", text.size(),
                 kMaxJsonBytes);
  }
  boost::json::parse_options options;
  options.max_depth = kMaxJsonDepth;
  boost::json::error_code error;
  boost::json::basic_parser<StrictHandler> check(options);
  const size_t used = check.write_some(false, text.data(), text.size(), error);
  if (!error && used < text.size()) error = boost::json::error::extra_data;
  if (error) return Error(StatusCode::kInvalidArgument, "JSON at byte {}: {}", used, error.message());
  Json json = boost::json::parse(boost::json::string_view(text.data(), text.size()), error, {}, options);
  if (error) return Error(StatusCode::kInvalidArgument, "JSON: {}", error.message());
  return json;
}

StatusOr<std::string> CanonicalJson(const Json& json) {
  std::string out;
  ASHLAR_RETURN_IF_ERROR(AppendCanonical(json, out));
  return out;
}

std::string WriteJson(const Json& json) { return boost::json::serialize(json); }

std::string WriteJsonIndented(const Json& json) {
  std::string out;
  AppendIndented(json, 0, out);
  return out + "\n";
}

const Json* Find(const Json& json, std::string_view key) {
  const JsonObject* object = json.if_object();
  return object == nullptr ? nullptr : object->if_contains(key);
}

const Json* FindPath(const Json& json, std::string_view path) {
  const Json* at = &json;
  for (const std::string_view key : Split(path, '.')) {
    at = Find(*at, key);
    if (at == nullptr) return nullptr;
  }
  return at;
}

StatusOr<std::string> GetString(const Json& json, std::string_view key) {
  ASHLAR_ASSIGN_OR_RETURN(const auto* text, Typed(json, key, &Json::if_string, "a text"));
  return std::string(*text);
}

StatusOr<double> GetNumber(const Json& json, std::string_view key) {
  const Json* member = Find(json, key);
  if (member == nullptr) return Error(StatusCode::kInvalidArgument, "\"{}\" is missing", key);
  if (!member->is_number()) return Error(StatusCode::kInvalidArgument, "\"{}\" is not a number", key);
  return member->to_number<double>();
}

StatusOr<int64_t> GetInt(const Json& json, std::string_view key) {
  const Json* member = Find(json, key);
  if (member == nullptr) return Error(StatusCode::kInvalidArgument, "\"{}\" is missing", key);
  boost::json::error_code error;
  const auto number = member->to_number<int64_t>(error);
  if (error) return Error(StatusCode::kInvalidArgument, "\"{}\" is not a whole number", key);
  return number;
}

StatusOr<bool> GetBool(const Json& json, std::string_view key) {
  ASHLAR_ASSIGN_OR_RETURN(const auto* flag, Typed(json, key, &Json::if_bool, "true or false"));
  return *flag;
}

Json NumberOrNull(double number) { return std::isfinite(number) ? Json(number) : Json(nullptr); }

}  // namespace ashlar::base
