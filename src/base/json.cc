#include "base/json.h"

#include <cmath>

#include "base/text.h"

namespace ashlar::base {
namespace {

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

Json StorableJson(const Json& json) {
  if (const auto* text = json.if_string()) return Json(Utf8Text(*text));
  if (json.is_double()) return NumberOrNull(json.get_double());
  if (json.is_number()) {
    const bool fits = CanonicalJson(json).ok();
    return fits ? json : Json(json.to_number<double>());
  }
  if (const JsonArray* array = json.if_array()) {
    JsonArray storable;
    storable.reserve(array->size());
    for (const Json& element : *array) storable.push_back(StorableJson(element));
    return storable;
  }
  if (const JsonObject* object = json.if_object()) {
    JsonObject storable;
    for (const auto& member : *object) storable[Utf8Text(member.key())] = StorableJson(member.value());
    return storable;
  }
  return json;
}

Json NumberOrNull(double number) { return std::isfinite(number) ? Json(number) : Json(nullptr); }

}  // namespace ashlar::base
