#include <boost/json/basic_parser_impl.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/limits.h"

namespace ashlar::base {
namespace {

using boost::json::error_code;
using Piece = boost::json::string_view;

// Builds the value from the parser's events, for two things that Boost's own handler does not do: it lets the last of
// two members with the same name win, and (in 1.81) it reads doubles an ulp or more off.
class StrictHandler {
 public:
  static constexpr size_t max_object_size = kMaxJsonBytes;
  static constexpr size_t max_array_size = kMaxJsonBytes;
  static constexpr size_t max_key_size = kMaxJsonBytes;
  static constexpr size_t max_string_size = kMaxJsonBytes;

  const std::string& problem() const { return problem_; }
  Json Release() { return values_.release(); }

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_array_begin(error_code&) { return true; }
  bool on_array_end(size_t size, error_code&) {
    values_.push_array(size);
    return true;
  }
  bool on_object_begin(error_code&) {
    names_.emplace_back();
    return true;
  }
  bool on_object_end(size_t size, error_code& error) {
    std::vector<std::string>& names = names_.back();
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) return Refuse(fmt::format("the member \"{}\" appears twice", *twice), error);
    names_.pop_back();
    values_.push_object(size);
    return true;
  }
  bool on_key_part(Piece part, size_t, error_code&) {
    name_.append(part.data(), part.size());
    return true;
  }
  bool on_key(Piece part, size_t, error_code&) {
    name_.append(part.data(), part.size());
    values_.push_key(name_);
    names_.back().push_back(std::exchange(name_, {}));
    return true;
  }
  bool on_string_part(Piece part, size_t, error_code&) {
    values_.push_chars(part);
    return true;
  }
  bool on_string(Piece part, size_t, error_code&) {
    values_.push_string(part);
    return true;
  }
  bool on_number_part(Piece part, error_code&) {
    number_.append(part.data(), part.size());
    return true;
  }
  bool on_int64(int64_t number, Piece, error_code&) {
    number_.clear();
    values_.push_int64(number);
    return true;
  }
  bool on_uint64(uint64_t number, Piece, error_code&) {
    number_.clear();
    values_.push_uint64(number);
    return true;
  }
  bool on_double(double estimate, Piece part, error_code& error) {
    number_.append(part.data(), part.size());
    const std::string text = std::exchange(number_, {});
    double number = 0;
    const std::errc result = std::from_chars(text.data(), text.data() + text.size(), number).ec;
    // Out of range is too large or too small: the estimate tells which.
    if (result == std::errc::result_out_of_range && std::abs(estimate) < 1) number = 0;
    if (result == std::errc::result_out_of_range && !(std::abs(estimate) < 1)) {
      return Refuse(fmt::format("the number {} is beyond the range of a double", text), error);
    }
    values_.push_double(number);
    return true;
  }
  bool on_bool(bool value, error_code&) {
    values_.push_bool(value);
    return true;
  }
  bool on_null(error_code&) {
    values_.push_null();
    return true;
  }
  bool on_comment_part(Piece, error_code&) { return true; }
  bool on_comment(Piece, error_code&) { return true; }

 private:
  bool Refuse(std::string problem, error_code& error) {
    problem_ = std::move(problem);
    error = boost::json::error::syntax;
    return false;
  }

  boost::json::value_stack values_;
  std::vector<std::vector<std::string>> names_;  // the member names of each object that is not closed yet
  std::string name_;
  std::string number_;
  std::string problem_;
};

}  // namespace

StatusOr<Json> ParseJson(std::string_view text) {
  if (text.size() > kMaxJsonBytes) {
    return Error(StatusCode::kResourceExhausted, "JSON text of {} bytes is over the limit of {}", text.size(),
                 kMaxJsonBytes);
  }
  boost::json::parse_options options;
  options.max_depth = kMaxJsonDepth;
  error_code error;
  boost::json::basic_parser<StrictHandler> parser(options);
  const size_t used = parser.write_some(false, text.data(), text.size(), error);
  if (!error && used < text.size()) error = boost::json::error::extra_data;
  if (error == boost::json::error::too_deep) {
    return Error(StatusCode::kResourceExhausted, "JSON at byte {}: more than {} levels", used, kMaxJsonDepth);
  }
  if (error) {
    const std::string& found = parser.handler().problem();
    return Error(StatusCode::kInvalidArgument, "JSON at byte {}: {}", used, found.empty() ? error.message() : found);
  }
  return parser.handler().Release();
}

}  // namespace ashlar::base
