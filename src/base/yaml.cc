#include "base/yaml.h"

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/text.h"

namespace ashlar::base {
namespace {

constexpr std::string_view kQuotedTag = "!";  // yaml-cpp's name for a scalar in quotes or a block
constexpr std::string_view kPlainTag = "?";
constexpr std::string_view kCoreTags = "tag:yaml.org,2002:";

template <size_t size>
bool IsOneOf(std::string_view text, const std::string_view (&choices)[size]) {
  return std::find(std::begin(choices), std::end(choices), text) != std::end(choices);
}

// YAML 1.2.2, section 10.3.2: [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
bool LooksLikeNumber(std::string_view text) {
  static constexpr std::string_view kDigits = "0123456789";
  const auto skip_digits = [&] {
    const size_t count = std::min(text.find_first_not_of(kDigits), text.size());
    text.remove_prefix(count);
    return count;
  };
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const size_t whole = skip_digits();
  size_t fraction = 0;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = skip_digits();
  }
  if (whole + fraction == 0) return false;
  if (!text.starts_with('e') && !text.starts_with('E')) return text.empty();
  text.remove_prefix(1);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return skip_digits() > 0 && text.empty();
}

std::optional<uint64_t> ParseRadix(std::string_view text, std::string_view prefix, int radix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data() + prefix.size(), end, number, radix);
  if (text.size() == prefix.size() || error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

// The core schema (YAML 1.2.2, section 10.3.2). JSON has neither infinity nor "not a number": nullopt.
std::optional<Json> PlainToJson(const std::string& text) {
  if (IsOneOf(text, {"", "~", "null", "Null", "NULL"})) return Json(nullptr);
  if (IsOneOf(text, {"true", "True", "TRUE"})) return Json(true);
  if (IsOneOf(text, {"false", "False", "FALSE"})) return Json(false);
  if (const auto octal = ParseRadix(text, "0o", 8)) return Json(*octal);
  if (const auto hexadecimal = ParseRadix(text, "0x", 16)) return Json(*hexadecimal);
  std::string_view unsigned_text = text;
  if (unsigned_text.starts_with('-') || unsigned_text.starts_with('+')) unsigned_text.remove_prefix(1);
  if (IsOneOf(unsigned_text, {".inf", ".Inf", ".INF"}) || IsOneOf(text, {".nan", ".NaN", ".NAN"})) return std::nullopt;
  if (!LooksLikeNumber(text)) return Json(text);
  const std::string_view number = text.front() == '+' ? unsigned_text : text;  // the parsers below know no plus
  if (const auto integer = ParseInt64(number)) return Json(*integer);
  if (const auto integer = ParseUint64(number)) return Json(*integer);
  if (const auto real = ParseDouble(number)) return Json(*real);
  return std::nullopt;
}

// YAML 1.2.2, section 5.1: control characters stand in no YAML text but as escapes. yaml-cpp takes a zero byte for a
// backslash.
bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F;
}

// Builds the JSON tree from the parser's events and counts while it grows, so that neither a long text nor aliases
// make a large tree first. After the first problem it ignores the rest.
class TreeBuilder : public YAML::EventHandler {
 public:
  const Status& problem() const { return problem_; }
  Json Release() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (AtKey()) return Refuse(mark, "a key is missing");
    Place(mark, anchor, {.value = nullptr, .nodes = 1, .height = 0});
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (!problem_.ok()) return;
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) return Refuse(mark, "an alias inside of what it stands for");
    if (AtKey()) return Refuse(mark, "a key must be plain text");
    Place(mark, 0, found->second);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    if (!problem_.ok()) return;
    // yaml-cpp turns the escapes \N and \_ into single bytes.
    if (!IsUtf8(text)) return Refuse(mark, "the escapes \\N and \\_ are not read: write the character itself");
    if (AtKey()) return PlaceKey(mark, tag, text);
    const bool is_text = tag == kQuotedTag || tag == "tag:yaml.org,2002:str";
    if (!is_text && !IsKnown(tag)) return Refuse(mark, fmt::format("the tag {} is not known here", tag));
    std::optional<Json> value = is_text ? Json(text) : PlainToJson(text);
    if (!value) return Refuse(mark, fmt::format("the number {} is not finite or too large", text));
    Place(mark, anchor, {.value = *std::move(value), .nodes = 1, .height = 0});
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    Enter(mark, tag, anchor, JsonArray());
  }
  void OnSequenceEnd() override { Leave(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    Enter(mark, tag, anchor, JsonObject());
  }
  void OnMapEnd() override { Leave(); }

 private:
  struct Subtree {
    Json value;
    size_t nodes = 0;   // itself and everything below
    size_t height = 0;  // levels of lists and maps, 0 for a scalar
  };
  struct Open {
    Subtree tree;
    YAML::Mark mark;
    YAML::anchor_t anchor = 0;
    std::optional<std::string> key;  // read, its value still to come
  };

  bool AtKey() const { return !open_.empty() && open_.back().tree.value.is_object() && !open_.back().key; }

  static bool IsKnown(const std::string& tag) {
    return tag.empty() || tag == kPlainTag || tag == kQuotedTag || tag.starts_with(kCoreTags);
  }

  void Fail(StatusCode code, const YAML::Mark& mark, const std::string& text) {
    if (problem_.ok()) problem_ = Error(code, "YAML at line {}, column {}: {}", mark.line + 1, mark.column + 1, text);
  }
  void Refuse(const YAML::Mark& mark, const std::string& text) { Fail(StatusCode::kInvalidArgument, mark, text); }

  void PlaceKey(const YAML::Mark& mark, const std::string& tag, const std::string& text) {
    if (tag == kPlainTag && text == "<<") return Refuse(mark, "merge keys (<<) are not read: write the members out");
    if (open_.back().tree.value.get_object().contains(text)) {
      return Refuse(mark, fmt::format("key \"{}\" appears twice", text));
    }
    open_.back().key = text;
  }

  void Enter(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Json empty) {
    if (!problem_.ok()) return;
    if (AtKey()) return Refuse(mark, "a key must be plain text");
    if (!IsKnown(tag)) return Refuse(mark, fmt::format("the tag {} is not known here", tag));
    if (!CheckLimits(mark, 1, 1)) return;
    ++nodes_;
    open_.push_back({.tree = {.value = std::move(empty), .nodes = 1, .height = 1}, .mark = mark, .anchor = anchor});
  }

  void Leave() {
    if (!problem_.ok()) return;
    Open closed = std::move(open_.back());
    open_.pop_back();
    nodes_ -= closed.tree.nodes;  // Place counts them again
    Place(closed.mark, closed.anchor, std::move(closed.tree));
  }

  bool CheckLimits(const YAML::Mark& mark, size_t nodes, size_t height) {
    if (open_.size() + height <= kMaxYamlDepth && nodes_ + nodes <= kMaxYamlNodes) return true;
    Fail(StatusCode::kResourceExhausted, mark,
         fmt::format("more than {} levels or {} nodes", kMaxYamlDepth, kMaxYamlNodes));
    return false;
  }

  void Place(const YAML::Mark& mark, YAML::anchor_t anchor, Subtree tree) {
    if (!problem_.ok() || !CheckLimits(mark, tree.nodes, tree.height)) return;
    nodes_ += tree.nodes;
    if (anchor != 0) anchors_[anchor] = tree;
    if (open_.empty()) {
      root_ = std::move(tree.value);
      return;
    }
    Open& parent = open_.back();
    parent.tree.nodes += tree.nodes;
    parent.tree.height = std::max(parent.tree.height, tree.height + 1);
    if (JsonArray* array = parent.tree.value.if_array()) {
      array->push_back(std::move(tree.value));
    } else {
      parent.tree.value.get_object().emplace(*std::exchange(parent.key, std::nullopt), std::move(tree.value));
    }
  }

  Json root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Subtree> anchors_;
  size_t nodes_ = 0;
  Status problem_;
};

}  // namespace

StatusOr<Json> ParseYaml(std::string_view text) {
  if (text.size() > kMaxYamlBytes) {
    return Error(StatusCode::kResourceExhausted, "YAML text of {} bytes is over the limit of {}", text.size(),
                 kMaxYamlBytes);
  }
  if (!IsUtf8(text)) return Error(StatusCode::kInvalidArgument, "YAML text is not UTF-8");
  const auto control = std::find_if(text.begin(), text.end(), IsControl);
  if (control != text.end()) {
    return Error(StatusCode::kInvalidArgument, "YAML at byte {}: a control character must be written as an escape",
                 control - text.begin());
  }
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    TreeBuilder builder;
    if (!parser.HandleNextDocument(builder)) return Json(nullptr);
    ASHLAR_RETURN_IF_ERROR(builder.problem());
    TreeBuilder second;
    if (parser.HandleNextDocument(second)) {
      return Error(StatusCode::kInvalidArgument, "YAML: more than one document in one text");
    }
    return builder.Release();
  } catch (const YAML::DeepRecursion& exception) {
    return Error(StatusCode::kResourceExhausted, "YAML at line {}, column {}: more than {} levels",
                 exception.mark.line + 1, exception.mark.column + 1, kMaxYamlDepth);
  } catch (const YAML::Exception& exception) {
    return Error(StatusCode::kInvalidArgument, "YAML at line {}, column {}: {}", exception.mark.line + 1,
                 exception.mark.column + 1, exception.msg);
  }
}

}  // namespace ashlar::base
