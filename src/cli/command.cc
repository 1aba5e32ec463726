#include "cli/command.h"

#include <unistd.h>

#include <cstdlib>

#include "os/os.h"

namespace ashlar::cli {
namespace {

constexpr base::Bytes kMaxConfig{base::kMiB};

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

void AddCommonOptions(CLI::App& app, CommonOptions& options) {
  app.add_flag("--json", options.json, "One JSON document on standard output instead of a table");
  app.add_option("--data", options.data, "Folder of the ledger and the report (default: $XDG_STATE_HOME/ashlar)")
      ->type_name("DIR");
  app.add_option("--config", options.config, "YAML file with expectations and demands")->type_name("FILE");
}

std::string DataDirectory(const CommonOptions& options) {
  if (!options.data.empty()) return options.data;
  const std::string state = Environment("XDG_STATE_HOME");
  if (!state.empty()) return state + "/ashlar";
  const std::string home = Environment("HOME");
  return (home.empty() ? "/var/lib" : home + "/.local/state") + "/ashlar";
}

base::StatusOr<std::string> LedgerUrl(const CommonOptions& options) {
  const std::string environment = Environment("ASHLAR_LEDGER");
  if (!environment.empty()) return environment;
  ASHLAR_ASSIGN_OR_RETURN(const base::Json config, LoadConfig(options));
  if (const base::Json* url = base::Find(config, "ledger")) {
    if (!url->is_string()) {
      return base::Error(base::StatusCode::kInvalidArgument, "{}: `ledger` must be a path or a postgresql:// URL",
                         options.config);
    }
    return std::string(url->get_string());
  }
  return DataDirectory(options) + "/ledger.db";
}

base::StatusOr<base::Json> LoadConfig(const CommonOptions& options) {
  if (options.config.empty()) return base::JsonObject{};
  auto text = os::ReadWholeFile(os::RealFileSystem(), options.config, kMaxConfig);
  if (!text.ok()) return base::Annotate(text.status(), "reading --config");
  auto json = base::ParseYaml(*text);
  if (!json.ok()) return base::Annotate(json.status(), options.config);
  if (json->is_null()) return base::JsonObject{};
  if (!json->is_object()) {
    return base::Error(base::StatusCode::kInvalidArgument, "{}: want keys and values at the top", options.config);
  }
  return json;
}

bool UseColour(int descriptor) { return isatty(descriptor) == 1 && Environment("NO_COLOR").empty(); }

}  // namespace ashlar::cli
