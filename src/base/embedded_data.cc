#include "base/embedded_data.h"

#include "base/yaml.h"

namespace ashlar::base {

StatusOr<std::string_view> EmbeddedData(std::string_view name) {
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    if (file.name == name) return file.bytes;
  }
  return Error(StatusCode::kNotFound, "data/{} is not in this program", name);
}

StatusOr<Json> EmbeddedYaml(std::string_view name) {
  ASHLAR_ASSIGN_OR_RETURN(const std::string_view bytes, EmbeddedData(name));
  auto json = ParseYaml(bytes);
  if (!json.ok()) return Annotate(json.status(), fmt::format("data/{}", name));
  return json;
}

}  // namespace ashlar::base
