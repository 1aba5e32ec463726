#include "ledger/key_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "ledger/limits.h"
#include "ledger/store.h"
#include "os/os.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;

constexpr mode_t kOthers = 077;

// A complete file under another name, linked into place: nobody ever reads half a key, and the first link wins.
base::Status PlaceKey(const SigningKey& key, const std::string& path) {
  os::FileSystem& files = os::RealFileSystem();
  ASHLAR_ASSIGN_OR_RETURN(const std::string pem, key.ToPem());
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (!folder.empty()) ASHLAR_RETURN_IF_ERROR(files.CreateDirectories(folder));
  const std::string fresh = fmt::format("{}.{}", path, base::NewId(base::SystemClock().Now()));
  ASHLAR_RETURN_IF_ERROR(os::WriteFileDurably(files, fresh, pem, {.secret = true}));
  const int failure = ::link(fresh.c_str(), path.c_str()) == 0 ? 0 : errno;
  ASHLAR_RETURN_IF_ERROR(files.Remove(fresh));
  if (failure != 0 && failure != EEXIST) return base::ErrnoStatus(failure, "placing it");
  return files.SyncDirectory(folder.empty() ? "." : folder);
}

}  // namespace

base::StatusOr<SigningKey> LoadSigningKey(const std::string& path) {
  const std::string context = fmt::format("private key of the ledger, {}", path);
  const auto stat = os::RealFileSystem().Stat(path);
  if (!stat.ok()) return base::Annotate(stat.status(), context);
  if ((stat->mode & kOthers) != 0) {
    return base::Error(StatusCode::kPermissionDenied, "{}: others may read it: make it yours alone with chmod 600",
                       context);
  }
  const auto pem = os::ReadWholeFile(os::RealFileSystem(), path, base::Bytes{kMaxKeyFileBytes});
  if (!pem.ok()) return base::Annotate(pem.status(), context);
  auto key = SigningKey::FromPem(*pem);
  if (!key.ok()) return base::Annotate(key.status(), context);
  return key;
}

base::StatusOr<SigningKey> LoadOrMakeSigningKey(const std::string& path) {
  auto key = LoadSigningKey(path);
  if (key.status().code() != StatusCode::kNotFound) return key;
  ASHLAR_ASSIGN_OR_RETURN(const SigningKey made, SigningKey::Generate());
  ASHLAR_RETURN_IF_ERROR(base::Annotate(PlaceKey(made, path), fmt::format("making the ledger's key {}", path)));
  return LoadSigningKey(path);
}

base::StatusOr<std::string> DefaultKeyPath(const std::string& url) {
  ASHLAR_ASSIGN_OR_RETURN(const StoreAddress address, ParseStoreUrl(url));
  if (!address.is_postgres) return std::filesystem::path(address.place).replace_filename("ledger.key").string();
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state != '\0') {
    return fmt::format("{}/ashlar/ledger.key", state);
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    return fmt::format("{}/.local/state/ashlar/ledger.key", home);
  }
  return base::Error(StatusCode::kInvalidArgument, "no place for the ledger's key: set XDG_STATE_HOME or HOME");
}

}  // namespace ashlar::ledger
