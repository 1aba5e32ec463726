// JSON of the house: Boost.JSON values, strict reading, typed access that fails with a message, canonical writing.
//
// Any thread may call these; a value itself is not for sharing between threads while one writes.
#pragma once

#include <boost/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace ashlar::base {

using Json = boost::json::value;
using JsonObject = boost::json::object;
using JsonArray = boost::json::array;

// Reads one JSON text (RFC 8259), at most kMaxJsonBytes long and kMaxJsonDepth deep; a member name that appears twice,
// text after the value, ill-formed UTF-8 or a number beyond the range of a double is refused. Numbers become the
// nearest double, those too small for one 0. kInvalidArgument with the offset, kResourceExhausted over a limit.
StatusOr<Json> ParseJson(std::string_view text);

// RFC 8785 (JSON Canonicalization Scheme): members sorted by UTF-16 code units, ECMAScript numbers, no white space.
// kInvalidArgument for a number that is not finite, text that is not UTF-8, or an integer beyond 2^53 that a double
// would change. What was written here and read again is written the same.
StatusOr<std::string> CanonicalJson(const Json& json);

// Compact text, members in the order that they were put in, numbers as ECMAScript has them; not finite ones as null.
std::string WriteJson(const Json& json);

// The same with two blanks of indentation and a newline at the end, for people and for files under version control.
std::string WriteJsonIndented(const Json& json);

// The member `key` of an object; nullptr when `json` is no object or has no such member.
const Json* Find(const Json& json, std::string_view key);

// The member at a dotted path ("latency_seconds.p99"); nullptr when any step is missing.
const Json* FindPath(const Json& json, std::string_view path);

// The member `key` as the type asked for; kInvalidArgument naming the key when it is missing or of another type.
StatusOr<std::string> GetString(const Json& json, std::string_view key);
StatusOr<double> GetNumber(const Json& json, std::string_view key);
StatusOr<int64_t> GetInt(const Json& json, std::string_view key);
StatusOr<bool> GetBool(const Json& json, std::string_view key);

// The same value, such that CanonicalJson takes it: text and names made UTF-8, integers beyond 2^53 the nearest double,
// numbers that are not finite null. For what was read from the outside; of two names that become equal the last stays.
Json StorableJson(const Json& json);

// A finite number becomes itself, anything else null: JSON has no NaN.
Json NumberOrNull(double number);

}  // namespace ashlar::base
