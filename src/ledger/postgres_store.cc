#include "ledger/store.h"
namespace ashlar::ledger {
base::StatusOr<std::unique_ptr<Store>> OpenPostgresStore(const std::string&, const StoreOptions&) {
  return base::Error(base::StatusCode::kUnimplemented, "not built");
}
}
