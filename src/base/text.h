// Text as every room needs it: splitting, trimming, whole-string number parsing, columns for people.
//
// Parsing is strict: the whole text must be the number, no blanks, no locale. Any thread may call these.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ashlar::base {

// Pieces between separators, empty ones kept: "a,,b" is {"a", "", "b"}; "" is {""}.
std::vector<std::string_view> Split(std::string_view text, char separator);

// Lines without their end ("\n" or "\r\n"); a last line without an end counts; "" has none.
std::vector<std::string_view> SplitLines(std::string_view text);

// Pieces between runs of blanks and tabs, none of them empty.
std::vector<std::string_view> SplitWords(std::string_view text);

std::string Join(const std::vector<std::string>& pieces, std::string_view separator);

// Without white space (blank, tab, newline, carriage return) at both ends.
std::string_view Trim(std::string_view text);

std::string Lowercase(std::string_view text);

// Decimal integers and finite decimal or exponent numbers; nullopt when the text is anything else or out of range.
std::optional<int64_t> ParseInt64(std::string_view text);
std::optional<uint64_t> ParseUint64(std::string_view text);
std::optional<double> ParseDouble(std::string_view text);
// Hexadecimal digits with or without "0x".
std::optional<uint64_t> ParseHex(std::string_view text);

// True when `text` matches `pattern` with * (any run) and ? (one character).
bool GlobMatch(std::string_view pattern, std::string_view text);

// Well-formed UTF-8, as RFC 3629 has it (no surrogates, no overlong forms).
bool IsUtf8(std::string_view text);

// `text` itself when it is UTF-8, else with a question mark for each byte that is not ASCII.
std::string Utf8Text(std::string_view text);

// Rows of cells as aligned columns, two blanks apart, cells padded on the right (or left for a column marked
// `right`); widths count UTF-8 characters. The first row is the header.
struct TextTable {
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> right;  // per column, false when absent
};
std::string FormatTable(const TextTable& table);

}  // namespace ashlar::base
