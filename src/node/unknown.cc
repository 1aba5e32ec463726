#include "node/unknown.h"

#include "node/json_value.h"

namespace ashlar::node {

void AddUnknown(Unknowns& unknowns, std::string_view field, const base::Status& status) {
  unknowns.push_back({std::string(field), std::string(base::Message(status))});
}

void AddUnknowns(Unknowns& unknowns, std::string_view prefix, const Unknowns& inner) {
  for (const Unknown& unknown : inner) {
    unknowns.push_back({fmt::format("{}.{}", prefix, unknown.field), unknown.reason});
  }
}

base::Json UnknownsToJson(const Unknowns& unknowns) {
  base::JsonArray array;
  for (const Unknown& unknown : unknowns) {
    array.push_back(base::JsonObject{{"field", ToJson(unknown.field)}, {"reason", ToJson(unknown.reason)}});
  }
  return array;
}

}  // namespace ashlar::node
