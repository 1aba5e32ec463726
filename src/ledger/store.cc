#include "ledger/store.h"

namespace ashlar::ledger {

base::StatusOr<StoreAddress> ParseStoreUrl(const std::string& url) {
  if (url.starts_with("postgresql://") || url.starts_with("postgres://")) {
    return StoreAddress{.is_postgres = true, .place = url};
  }
  std::string path = url;
  if (path.starts_with("sqlite:")) path.erase(0, std::string_view("sqlite:").size());
  if (path.starts_with("//")) path.erase(0, 2);
  if (path.find("://") != std::string::npos) {
    return base::Error(base::StatusCode::kInvalidArgument,
                       "ledger \"{}://...\": want a path, sqlite:PATH or postgresql://USER@HOST/DATABASE",
                       path.substr(0, path.find("://")));  // what follows may hold a password
  }
  if (path.empty() || path.starts_with(":memory:")) {
    return base::Error(base::StatusCode::kInvalidArgument, "ledger \"{}\": want the path of a file", url);
  }
  return StoreAddress{.is_postgres = false, .place = path};
}

base::StatusOr<std::unique_ptr<Store>> OpenStore(const std::string& url, const StoreOptions& options) {
  ASHLAR_ASSIGN_OR_RETURN(const StoreAddress address, ParseStoreUrl(url));
  return address.is_postgres ? OpenPostgresStore(address.place, options) : OpenSqliteStore(address.place, options);
}

}  // namespace ashlar::ledger
