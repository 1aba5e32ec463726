#include "node/checks/filesystem_writable.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::StatusCode;
using base::Verdict;

struct Faults {
  base::Status open = base::OkStatus();
  base::Status append = base::OkStatus();
  base::Status sync = base::OkStatus();
  bool other_bytes = false;
};

class FaultyFile : public os::File {
 public:
  explicit FaultyFile(const Faults& faults) : faults_(faults) {}
  base::Status Append(std::string_view bytes) override {
    bytes_ += bytes;
    return faults_.append;
  }
  base::StatusOr<std::string> ReadAt(uint64_t offset, size_t length) override {
    return faults_.other_bytes ? std::string(length, 'z') : bytes_.substr(offset, length);
  }
  base::Status Sync() override { return faults_.sync; }

 private:
  const Faults& faults_;
  std::string bytes_;
};

// One folder, /data; remembers which names are left.
class FaultyFileSystem : public os::FileSystem {
 public:
  base::StatusOr<std::unique_ptr<os::File>> Open(const std::string& path, os::OpenMode, bool) override {
    if (!faults.open.ok()) return faults.open;
    names.push_back(path);
    return std::make_unique<FaultyFile>(faults);
  }
  base::Status Rename(const std::string&, const std::string&) override { return base::OkStatus(); }
  base::Status Remove(const std::string& path) override {
    std::erase(names, path);
    return base::OkStatus();
  }
  base::Status CreateDirectories(const std::string&) override { return base::OkStatus(); }
  base::Status SyncDirectory(const std::string&) override { return base::OkStatus(); }
  base::StatusOr<os::FileStat> Stat(const std::string& path) override {
    if (path == "/data") return os::FileStat{.is_directory = true};
    return base::Error(StatusCode::kNotFound, "{}: no such file", path);
  }
  base::StatusOr<std::vector<std::string>> List(const std::string&) override { return names; }

  Faults faults;
  std::vector<std::string> names;
};

struct WriteCase {
  std::string name;
  Faults faults;
  Verdict verdict;
  std::string reason;
};

TEST(FilesystemWritable, EveryStepThatCanFail) {
  const std::vector<WriteCase> cases = {
      {"healthy", {}, Verdict::kPass, ""},
      {"read-only",
       {.open = base::Error(StatusCode::kPermissionDenied, "read-only file system")},
       Verdict::kFail,
       "read-only file system"},
      {"full", {.append = base::Error(StatusCode::kResourceExhausted, "no space left")}, Verdict::kFail, "no space"},
      {"sync fails",
       {.sync = base::Error(StatusCode::kInternal, "input/output error")},
       Verdict::kFail,
       "input/output"},
      {"other bytes come back", {.other_bytes = true}, Verdict::kFail, "other bytes"},
  };
  for (const auto& row : cases) {
    SCOPED_TRACE(row.name);
    FaultyFileSystem files;
    files.faults = row.faults;
    FakeMachine machine;
    machine.files = &files;
    machine.writable_directory = "/data";
    const auto finding = OnlyFinding(machine.Run(&CheckFilesystemWritable));
    EXPECT_EQ(finding.verdict, row.verdict) << DescribeFinding(finding);
    EXPECT_NE(finding.reason.find(row.reason), std::string::npos) << finding.reason;
    EXPECT_TRUE(files.names.empty()) << "a file was left behind";
  }
}

TEST(FilesystemWritable, AFolderThatIsNotThereIsUnknown) {
  FaultyFileSystem files;
  FakeMachine machine;
  machine.files = &files;
  machine.writable_directory = "/gone";
  const auto finding = OnlyFinding(machine.Run(&CheckFilesystemWritable));
  EXPECT_EQ(finding.verdict, Verdict::kUnknown);
  EXPECT_NE(finding.reason.find("TMPDIR"), std::string::npos);
}

TEST(FilesystemWritable, LeavesTheRealFolderAsItWas) {
  auto folder = os::TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  FakeMachine machine;
  machine.writable_directory = folder->path();
  const auto finding = OnlyFinding(machine.Run(&CheckFilesystemWritable));
  EXPECT_EQ(finding.verdict, Verdict::kPass) << DescribeFinding(finding);
  EXPECT_EQ(finding.grade, base::EvidenceGrade::kExercised);
  const auto left = os::RealFileSystem().List(folder->path());
  ASSERT_TRUE(left.ok());
  EXPECT_TRUE(left->empty());
}

}  // namespace
}  // namespace ashlar::node
