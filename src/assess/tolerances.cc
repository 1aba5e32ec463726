#include "assess/tolerances.h"

namespace ashlar::assess {

base::StatusOr<double> ToleranceOf(std::string_view name) {
  ASHLAR_ASSIGN_OR_RETURN(const base::Json data, base::EmbeddedYaml("assess/tolerances.yaml"));
  const base::Json* tolerance = base::Find(data, name);
  if (tolerance == nullptr) {
    return base::Error(base::StatusCode::kNotFound, "data/assess/tolerances.yaml has no \"{}\"", name);
  }
  ASHLAR_ASSIGN_OR_RETURN(const double share, base::GetNumber(*tolerance, "share"));
  if (!(share > 0 && share < 1)) {
    return base::Error(base::StatusCode::kInvalidArgument,
                       "data/assess/tolerances.yaml, {}: share must be within 0 and 1", name);
  }
  return share;
}

}  // namespace ashlar::assess
