#include "node/checks/filesystem_writable.h"

#include <unistd.h>

#include <cstdlib>

#include "node/checks/finding.h"

namespace ashlar::node {
namespace {

constexpr size_t kProbeBytes = 4096;

std::string Folder(const CheckContext& context) {
  if (!context.writable_directory.empty()) return context.writable_directory;
  const char* named = std::getenv("TMPDIR");
  return named == nullptr || *named == '\0' ? "/tmp" : named;
}

// The file loses its name before anything is written: whatever happens then, nothing is left behind.
base::Status Probe(os::FileSystem& files, const std::string& path) {
  const std::string bytes(kProbeBytes, 'a');
  ASHLAR_ASSIGN_OR_RETURN(const auto file, files.Open(path, os::OpenMode::kCreateNew, true));
  ASHLAR_RETURN_IF_ERROR(files.Remove(path));
  ASHLAR_RETURN_IF_ERROR(file->Append(bytes));
  ASHLAR_RETURN_IF_ERROR(file->Sync());
  ASHLAR_ASSIGN_OR_RETURN(const std::string back, file->ReadAt(0, kProbeBytes));
  if (back != bytes)
    return base::Error(base::StatusCode::kDataLoss, "{}: other bytes came back than were written", path);
  return base::OkStatus();
}

}  // namespace

// A file system can be mounted writable and still refuse: quota, a full disk, a server that denies.
std::vector<base::Finding> CheckFilesystemWritable(const CheckContext& context) {
  const std::string folder = Folder(context);
  base::Finding finding = StartFinding({"filesystem-writable", "a file created, synced, read back and removed"});
  finding.value = folder;
  finding.grade = base::EvidenceGrade::kExercised;
  Expect(finding, "4 KiB written, synced and read back", "docs/checks.md: filesystem-writable");
  const auto stat = context.files.Stat(folder);
  if (!stat.ok()) {
    return {CannotTell(std::move(finding),
                       fmt::format("{}; create it, or name another folder with TMPDIR", base::Message(stat.status())))};
  }
  const base::Status status = Probe(context.files, fmt::format("{}/.ashlar-check-{}", folder, getpid()));
  if (status.ok()) return {Pass(std::move(finding))};
  return {Fail(std::move(finding), fmt::format("{}; look at free space, permissions and the kernel log for errors of "
                                               "its disk",
                                               base::Message(status)))};
}

}  // namespace ashlar::node
