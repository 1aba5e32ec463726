// A file system in memory that does to data what disks and kernels do on a bad day. For tests only.
//
// It keeps two states: what programs see, and what is on the disk. Bytes reach the disk by Sync, names by
// SyncDirectory. At a crash each sector and each change of a name that was not synced is kept or lost by the seed:
// nothing, everything, a prefix, any subset; a rename inside one directory is kept or lost as one. Lost bytes inside a
// file read as zeros or as what stood there before. After a failed Sync the data counts as clean: a later Sync by
// another handle succeeds and saves nothing (the behaviour of Linux that became known as fsyncgate).
//
// The same seed and the same calls give the same outcome. Any thread may call; a handle belongs to one at a time, and
// handles from before a crash fail for ever. Paths are taken from "/"; ".." and links do not exist here.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/base.h"
#include "os/filesystem.h"

namespace ashlar::os {

class TestFileSystem : public FileSystem {
 public:
  enum class Call {
    kOpen,
    kAppend,
    kReadAt,
    kSync,
    kRename,
    kRemove,
    kCreateDirectories,
    kSyncDirectory,
    kStat,
    kList,
  };
  static constexpr size_t kSectorBytes = 512;

  explicit TestFileSystem(uint64_t seed);
  ~TestFileSystem() override;

  // Power fails during the call that is the `operation`-th from now (1: the next) among those that change something;
  // that call may have had its effect or not. From then on every call is kAborted until Restart().
  void CrashAtOperation(uint64_t operation);
  // Power fails now.
  void Crash();
  bool crashed() const;
  // Power comes back: what is seen from now on is what had reached the disk.
  void Restart();

  // The (`skip` + 1)-th call of this kind from now fails as errno `error_number`. A failing Append leaves any part of
  // its bytes, a failing Sync loses any part of what was not synced, a failing name change has no effect.
  void FailCall(Call call, int error_number, uint64_t skip = 0);
  // After `room` more bytes Append writes what still fits and fails with ENOSPC. nullopt makes the disk endless again.
  void LimitSpace(std::optional<base::Bytes> room);

  // Changing calls so far: the number of crash points of a run.
  uint64_t operations() const;

  base::StatusOr<std::unique_ptr<File>> Open(const std::string& path, OpenMode mode, bool secret) override;
  base::Status Rename(const std::string& from, const std::string& to) override;
  base::Status Remove(const std::string& path) override;
  base::Status CreateDirectories(const std::string& path) override;
  base::Status SyncDirectory(const std::string& path) override;
  base::StatusOr<FileStat> Stat(const std::string& path) override;
  base::StatusOr<std::vector<std::string>> List(const std::string& path) override;

 private:
  struct Node;
  class Handle;
  // Shared: a node stands under its old and its new name, seen and on disk, and in open handles, all at once.
  using NodePointer = std::shared_ptr<Node>;
  struct Place {  // where a path leads
    NodePointer folder;
    std::string name;
    NodePointer node;  // null when there is none
  };
  struct NameChange {
    NodePointer folder;
    std::string name;
    NodePointer node;  // null: the name goes away
    uint64_t group;    // changes of one call are kept or lost together
  };
  struct Fault {
    uint64_t skip = 0;
    int error_number = 0;
  };

  uint64_t Random(uint64_t below) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool Coin() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return Random(2) == 0; }
  base::Status Begin(Call call, const std::string& path) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // True when power fails in this changing call; `effect` says whether it still had its effect.
  bool PowerFails(bool& effect) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  base::Status NoPower() const;
  base::StatusOr<Place> Find(const std::string& path) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Change(const NodePointer& folder, const std::string& name, NodePointer node)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void FlushNames(const Node& folder) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void WriteSectors(Node& node, const std::set<size_t>& sectors) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Tear(Node& node) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void LoseWhatWasNotSynced() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SeeTheDisk(Node& node) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  base::Status AppendTo(Node& node, std::string_view bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  base::StatusOr<std::unique_ptr<File>> OpenPlace(Place place, const std::string& path, OpenMode mode, bool secret)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable base::Mutex mutex_;
  uint64_t random_ ABSL_GUARDED_BY(mutex_);
  NodePointer root_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::weak_ptr<Node>> files_ ABSL_GUARDED_BY(mutex_);  // every file ever made, in order
  std::vector<NameChange> changes_ ABSL_GUARDED_BY(mutex_);         // not on disk yet, in order
  std::map<Call, Fault> faults_ ABSL_GUARDED_BY(mutex_);
  std::optional<uint64_t> room_bytes_ ABSL_GUARDED_BY(mutex_);
  std::optional<uint64_t> crash_at_ ABSL_GUARDED_BY(mutex_);
  uint64_t operations_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t group_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t boot_ ABSL_GUARDED_BY(mutex_) = 0;  // restarts so far: handles of an earlier one are dead
  bool crashed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace ashlar::os
