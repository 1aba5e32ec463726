#include "bench/coll/output_file.h"

namespace ashlar::bench {

base::Json JoinDocuments(std::span<const base::Json> documents) {
  if (documents.size() == 1) return documents.front();
  base::JsonArray array;
  for (const base::Json& document : documents) array.push_back(document);
  return array;
}

base::StatusOr<std::string> SaveDocuments(const std::string& path, std::span<const base::Json> documents,
                                          os::FileSystem& files) {
  std::string free = path;
  for (int suffix = 0; files.Stat(free).ok(); ++suffix) {
    if (suffix == kMaxOutputSuffixes) {
      return base::Error(base::StatusCode::kAlreadyExists, "{} and {} files like it exist: choose another -J", path,
                         kMaxOutputSuffixes);
    }
    free = fmt::format("{}.{}", path, suffix);
  }
  const std::string text = base::WriteJsonIndented(JoinDocuments(documents)) + "\n";
  ASHLAR_RETURN_IF_ERROR(os::WriteFileDurably(files, free, text));
  return free;
}

}  // namespace ashlar::bench
