// The files of data/, inside the program: expectations, rules, styles. Read-only, any thread.
#pragma once

#include <span>
#include <string_view>

#include "base/json.h"
#include "base/status.h"

namespace ashlar::base {

struct EmbeddedFile {
  std::string_view name;  // path below data/, as "node/expectations.yaml"
  std::string_view bytes;
};

std::span<const EmbeddedFile> EmbeddedFiles();

// The bytes of data/`name`. kNotFound when there is no such file.
StatusOr<std::string_view> EmbeddedData(std::string_view name);

// data/`name` read as YAML. Errors as EmbeddedData and ParseYaml, with the name.
StatusOr<Json> EmbeddedYaml(std::string_view name);

}  // namespace ashlar::base
