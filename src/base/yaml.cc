#include "base/yaml.h"

#include <yaml-cpp/yaml.h>

#include <string>

#include "base/limits.h"
#include "base/text.h"

namespace ashlar::base {
namespace {

Json ScalarToJson(const YAML::Node& node) {
  const std::string& text = node.Scalar();
  if (node.Tag() == "!") return Json(text);  // quoted
  if (text.empty() || text == "~" || text == "null") return nullptr;
  if (text == "true") return true;
  if (text == "false") return false;
  if (const auto integer = ParseInt64(text)) return *integer;
  const bool numeric = text.find_first_not_of("0123456789.eE+-") == std::string::npos;
  if (const auto number = ParseDouble(text); number && numeric) return *number;
  return Json(text);
}

std::string Where(const YAML::Node& node) {
  return fmt::format("line {}, column {}", node.Mark().line + 1, node.Mark().column + 1);
}

// Copies the tree; `nodes` counts what was copied, aliases included.
StatusOr<Json> ToJson(const YAML::Node& node, size_t depth, size_t& nodes) {
  if (depth > kMaxYamlDepth || ++nodes > kMaxYamlNodes) {
    return Error(StatusCode::kResourceExhausted, "YAML at {}: more than {} levels or {} nodes", Where(node),
                 kMaxYamlDepth, kMaxYamlNodes);
  }
  if (node.IsScalar()) return ScalarToJson(node);
  if (node.IsSequence()) {
    JsonArray array;
    for (const YAML::Node& element : node) {
      ASHLAR_ASSIGN_OR_RETURN(Json json, ToJson(element, depth + 1, nodes));
      array.push_back(std::move(json));
    }
    return array;
  }
  if (!node.IsMap()) return nullptr;
  JsonObject object;
  for (const auto& member : node) {
    if (!member.first.IsScalar()) {
      return Error(StatusCode::kInvalidArgument, "YAML at {}: a key must be plain text", Where(member.first));
    }
    ASHLAR_ASSIGN_OR_RETURN(Json json, ToJson(member.second, depth + 1, nodes));
    if (!object.emplace(member.first.Scalar(), std::move(json)).second) {
      return Error(StatusCode::kInvalidArgument, "YAML at {}: key \"{}\" appears twice", Where(member.first),
                   member.first.Scalar());
    }
  }
  return object;
}

// yaml-cpp's parser recurses once a level: refuse deep nesting before it sees the text. Each indented line or
// bracket can open one level, so this bounds the depth from above.
Status CheckDepth(std::string_view text) {
  size_t brackets = 0;
  for (const std::string_view line : SplitLines(text)) {
    size_t opened = 0;
    for (const char c : line) {
      if (c == '[' || c == '{') ++brackets;
      if ((c == ']' || c == '}') && brackets > 0) --brackets;
      if (c == '-' || c == ':' || c == '?') ++opened;
    }
    if (brackets > 4 * kMaxYamlDepth || opened > 64 * kMaxYamlDepth) {
      return Error(StatusCode::kResourceExhausted, "YAML is nested deeper than {} levels", kMaxYamlDepth);
    }
  }
  return OkStatus();
}

}  // namespace

StatusOr<Json> ParseYaml(std::string_view text) {
  if (text.size() > kMaxYamlBytes) {
    return Error(StatusCode::kResourceExhausted, "YAML text of {} bytes is over the limit of {}", text.size(),
                 kMaxYamlBytes);
  }
  ASHLAR_RETURN_IF_ERROR(CheckDepth(text));
  if (!IsUtf8(text)) return Error(StatusCode::kInvalidArgument, "YAML text is not UTF-8");
  try {
    size_t nodes = 0;
    return ToJson(YAML::Load(std::string(text)), 0, nodes);
  } catch (const YAML::Exception& exception) {
    return Error(StatusCode::kInvalidArgument, "YAML at line {}, column {}: {}", exception.mark.line + 1,
                 exception.mark.column + 1, exception.msg);
  }
}

}  // namespace ashlar::base
