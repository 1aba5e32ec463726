// SQLite files on a disk that fails, and files and folders that are not as they should be.
//
// Writes fail through SQLite's own table of system calls; fdatasync, which is not in it, is this program's own.
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "ledger/ledger.h"
#include "ledger/ledger_place_testing.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;

enum class FaultType { kNone, kNoSpace, kInputOutput, kShortThenNoSpace, kSyncFails };

struct DiskFaults {
  std::atomic<FaultType> type{FaultType::kNone};
  std::atomic<int> calls_before{0};  // good calls that are left
};

DiskFaults& Faults() {
  static DiskFaults faults;
  return faults;
}

bool IsDue() { return Faults().calls_before.fetch_sub(1) <= 0; }

ssize_t FaultyPwrite(int descriptor, const void* bytes, size_t length, off_t offset) {
  const FaultType type = Faults().type;
  if (type == FaultType::kNone || type == FaultType::kSyncFails || !IsDue()) {
    return ::pwrite(descriptor, bytes, length, offset);
  }
  if (type == FaultType::kShortThenNoSpace && length > 1) {
    Faults().type = FaultType::kNoSpace;
    return ::pwrite(descriptor, bytes, length / 2, offset);
  }
  errno = type == FaultType::kInputOutput ? EIO : ENOSPC;
  return -1;
}

}  // namespace
}  // namespace ashlar::ledger

// The dynamic linker gives this to libsqlite3 too.
extern "C" int fdatasync(int descriptor) {
  using ashlar::ledger::Faults;
  if (Faults().type == ashlar::ledger::FaultType::kSyncFails && ashlar::ledger::IsDue()) {
    errno = EIO;
    return -1;
  }
  return static_cast<int>(syscall(SYS_fdatasync, descriptor));
}

namespace ashlar::ledger {
namespace {

class SqliteStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    auto place = LedgerPlace::Make(PlaceKind::kSqlite);
    ASSERT_TRUE(place.ok()) << place.status();
    place_ = std::make_unique<LedgerPlace>(*std::move(place));
    sqlite3_vfs* const vfs = sqlite3_vfs_find(nullptr);
    for (const char* name : {"pwrite", "pwrite64"}) {
      if (vfs->xGetSystemCall(vfs, name) == nullptr) continue;
      vfs->xSetSystemCall(vfs, name, reinterpret_cast<sqlite3_syscall_ptr>(&FaultyPwrite));
    }
  }
  void TearDown() override {
    Faults().type = FaultType::kNone;
    sqlite3_vfs* const vfs = sqlite3_vfs_find(nullptr);
    vfs->xSetSystemCall(vfs, nullptr, nullptr);
  }
  std::string Path() const { return place_->options().url; }

  std::unique_ptr<LedgerPlace> place_;
};

struct FaultRow {
  const char* name;
  FaultType type;
  StatusCode code;
};

TEST_F(SqliteStoreTest, FailingDiskLosesNothingAcknowledged) {
  const FaultRow rows[] = {{"no space", FaultType::kNoSpace, StatusCode::kResourceExhausted},
                           {"I/O error", FaultType::kInputOutput, StatusCode::kInternal},
                           {"short write", FaultType::kShortThenNoSpace, StatusCode::kResourceExhausted},
                           {"sync fails", FaultType::kSyncFails, StatusCode::kInternal}};
  const auto ledger = place_->Open();
  ASSERT_TRUE(ledger.ok()) << ledger.status();
  std::map<uint64_t, int64_t> acknowledged;
  int64_t number = 0;
  const auto append = [&] {
    const auto entry = (*ledger)->Append(TestDraft(++number));
    if (entry.ok()) acknowledged[entry->sequence] = number;
    return entry.status();
  };
  for (const FaultRow& row : rows) {
    int failures = 0;
    for (int good_calls = 0; good_calls < 12; ++good_calls) {
      ASSERT_TRUE(append().ok());
      Faults().calls_before = good_calls;
      Faults().type = row.type;
      const base::Status status = append();
      Faults().type = FaultType::kNone;
      if (!status.ok()) {
        ++failures;
        EXPECT_EQ(status.code(), row.code) << row.name << ", " << status;
      }
    }
    EXPECT_GT(failures, 0) << row.name;
  }
  ASSERT_TRUE(append().ok()) << "it goes on by itself";
  for (const auto& [sequence, said] : acknowledged) {
    const auto entries = (*ledger)->Read({.from_sequence = sequence, .limit = 1});
    ASSERT_TRUE(entries.ok() && entries->size() == 1) << entries.status();
    EXPECT_EQ(entries->front().body, TestDraft(said).body) << sequence;
  }
  EXPECT_TRUE((*place_->Open())->Verify({})->ok());
}

TEST_F(SqliteStoreTest, DamagedFilesAreDataLossAndKept) {
  ASSERT_TRUE(Fill(**place_->Open(), 2000).ok());
  const std::string good = *os::ReadWholeFile(os::RealFileSystem(), Path(), base::Bytes{64 * base::kMiB});
  struct Row {
    const char* name;
    size_t offset;
    size_t length;
  };
  for (const Row& row :
       {Row{"header", 0, 16}, Row{"first page", 100, 3996}, Row{"all after it", 4096, good.size() - 4096}}) {
    std::string bad = good;
    std::fill_n(bad.begin() + static_cast<long>(row.offset), row.length, '\xA5');
    ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), Path(), bad).ok());
    const auto ledger = place_->Open();
    EXPECT_EQ(ledger.status().code(), StatusCode::kDataLoss) << row.name << ": " << ledger.status();
    EXPECT_EQ(*os::ReadWholeFile(os::RealFileSystem(), Path(), base::Bytes{64 * base::kMiB}), bad) << row.name;
  }
}

TEST_F(SqliteStoreTest, DamageInTheMiddleIsAFaultInTheReport) {
  ASSERT_TRUE(Fill(**place_->Open(), 2000).ok());
  std::string bad = *os::ReadWholeFile(os::RealFileSystem(), Path(), base::Bytes{64 * base::kMiB});
  const size_t page = bad.find("\"number\":1500,") / 4096;
  ASSERT_GT(page, 0U);
  std::fill_n(bad.begin() + static_cast<long>(page * 4096), 4096, '\xA5');
  ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), Path(), bad).ok());
  const auto ledger = place_->Open();
  ASSERT_TRUE(ledger.ok()) << ledger.status();
  const auto report = (*ledger)->Verify({});
  ASSERT_TRUE(report.ok()) << report.status();
  ASSERT_FALSE(report->ok());
  EXPECT_EQ(report->faults.back().kind, FaultKind::kDamaged) << report->faults.back().message;
}

TEST_F(SqliteStoreTest, OtherDatabasesAreRefused) {
  struct Row {
    const char* name;
    const char* sql;
    StatusCode code;
  };
  ASSERT_TRUE(place_->RunSql("CREATE TABLE other (x)").ok());
  EXPECT_EQ(place_->Open().status().code(), StatusCode::kFailedPrecondition) << "no ledger";
  ASSERT_TRUE(place_->RunSql("DROP TABLE other").ok());
  ASSERT_TRUE(Fill(**place_->Open(), 1).ok());
  for (const Row& row : {Row{"newer", "PRAGMA user_version = 2", StatusCode::kFailedPrecondition},
                         Row{"no version", "PRAGMA user_version = 0", StatusCode::kFailedPrecondition},
                         Row{"no name", "PRAGMA user_version = 1; DELETE FROM identity", StatusCode::kDataLoss}}) {
    ASSERT_TRUE(place_->RunSql(row.sql).ok());
    EXPECT_EQ(place_->Open().status().code(), row.code) << row.name;
    Options reading = place_->options();
    reading.read_only = true;
    EXPECT_EQ(Ledger::Open(reading, base::SystemClock()).status().code(), row.code) << row.name;
  }
}

// As root nothing is read-only: the child becomes nobody.
int OpenAsNobody(const std::string& url, const std::string& key) {
  const pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(99);
    _exit(static_cast<int>(Ledger::Open({.url = url, .key_path = key}, base::SystemClock()).status().code()));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(SqliteStoreTest, ReadOnlyFolderIsPermissionDenied) {
  ASSERT_EQ(::chmod(place_->folder().c_str(), 0555), 0);
  EXPECT_EQ(OpenAsNobody(Path(), "/tmp/none.key"), static_cast<int>(StatusCode::kPermissionDenied));
  EXPECT_EQ(OpenAsNobody(place_->folder() + "/deeper/ledger.db", ""), static_cast<int>(StatusCode::kPermissionDenied));
  ASSERT_EQ(::chmod(place_->folder().c_str(), 0755), 0);
}

TEST_F(SqliteStoreTest, WriterWaitsForAnotherProcessesTransaction) {
  const auto ledger = place_->Open();
  ASSERT_TRUE(ledger.ok()) << ledger.status();
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(Path().c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  std::atomic<bool> is_done{false};
  std::jthread writer([&] {
    EXPECT_TRUE((*ledger)->Append(TestDraft(1)).ok());
    is_done = true;
  });
  EXPECT_EQ(*(*ledger)->Size(), 0U) << "readers go on";
  EXPECT_FALSE(is_done);
  ASSERT_EQ(sqlite3_exec(other, "COMMIT", nullptr, nullptr, nullptr), SQLITE_OK);
  writer.join();
  EXPECT_TRUE(is_done);
  sqlite3_close(other);
}

TEST_F(SqliteStoreTest, LedgerUnderAFileIsAnError) {
  ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), place_->folder() + "/file", "x").ok());
  EXPECT_FALSE(Ledger::Open({.url = place_->folder() + "/file/ledger.db"}, base::SystemClock()).ok());
  EXPECT_FALSE(Ledger::Open({.url = place_->folder()}, base::SystemClock()).ok());
}

}  // namespace
}  // namespace ashlar::ledger
