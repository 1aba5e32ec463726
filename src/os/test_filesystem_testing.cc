#include "os/test_filesystem_testing.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace ashlar::os {

using base::Status;
using base::StatusCode;
using base::StatusOr;

struct TestFileSystem::Node {
  bool directory = false;
  mode_t mode = 0;
  std::string seen;
  std::string disk;
  std::set<size_t> dirty;  // sectors of `seen` that are not on disk
  bool resized = false;    // the length of `seen` is not on disk
  std::map<std::string, NodePointer> names;
  std::map<std::string, NodePointer> disk_names;
};

class TestFileSystem::Handle : public File {
 public:
  Handle(TestFileSystem& files, NodePointer node, bool writable, uint64_t boot)
      : files_(files), node_(std::move(node)), writable_(writable), boot_(boot) {}

  Status Append(std::string_view bytes) override {
    const base::MutexLock lock(files_.mutex_);
    ASHLAR_RETURN_IF_ERROR(CheckAlive());
    if (!writable_) return base::ErrnoStatus(EBADF, "writing a file opened for reading");
    const Status fault = files_.Begin(Call::kAppend, "writing");
    if (files_.crashed_) return fault;
    if (!fault.ok()) {
      files_.AppendTo(*node_, bytes.substr(0, files_.Random(bytes.size() + 1))).IgnoreError();
      return fault;
    }
    bool effect = true;
    const bool power_fails = files_.PowerFails(effect);
    const Status status = effect ? files_.AppendTo(*node_, bytes) : base::OkStatus();
    return power_fails ? files_.NoPower() : status;
  }

  StatusOr<std::string> ReadAt(uint64_t offset, size_t length) override {
    const base::MutexLock lock(files_.mutex_);
    ASHLAR_RETURN_IF_ERROR(CheckAlive());
    ASHLAR_RETURN_IF_ERROR(files_.Begin(Call::kReadAt, "reading"));
    if (offset >= node_->seen.size()) return std::string();
    return node_->seen.substr(offset, length);
  }

  Status Sync() override {
    const base::MutexLock lock(files_.mutex_);
    ASHLAR_RETURN_IF_ERROR(CheckAlive());
    if (!lost_.ok()) return lost_;
    const Status fault = files_.Begin(Call::kSync, "fsync");
    if (files_.crashed_) return fault;
    if (!fault.ok()) {
      files_.Tear(*node_);
      lost_ = fault;
    } else {
      bool effect = true;
      const bool power_fails = files_.PowerFails(effect);
      if (effect) files_.WriteSectors(*node_, node_->dirty);
      if (power_fails) return files_.NoPower();
    }
    node_->dirty.clear();
    node_->resized = false;
    return lost_;
  }

 private:
  Status CheckAlive() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(files_.mutex_) {
    if (files_.crashed_ || files_.boot_ != boot_) return files_.NoPower();
    return lost_;
  }

  TestFileSystem& files_;
  const NodePointer node_;
  const bool writable_;
  const uint64_t boot_;
  Status lost_;
};

TestFileSystem::TestFileSystem(uint64_t seed) : random_(seed), root_(std::make_shared<Node>()) {
  root_->directory = true;
  root_->mode = 0755;
}

TestFileSystem::~TestFileSystem() = default;

// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
uint64_t TestFileSystem::Random(uint64_t below) {
  random_ += 0x9E3779B97F4A7C15U;
  uint64_t mixed = random_;
  mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
  return (mixed ^ (mixed >> 31U)) % below;
}

Status TestFileSystem::NoPower() const { return base::Error(StatusCode::kAborted, "the machine has lost power"); }

Status TestFileSystem::Begin(Call call, const std::string& path) {
  if (crashed_) return NoPower();
  const auto fault = faults_.find(call);
  if (fault == faults_.end()) return base::OkStatus();
  if (fault->second.skip > 0) {
    --fault->second.skip;
    return base::OkStatus();
  }
  const int error_number = fault->second.error_number;
  faults_.erase(fault);
  return base::ErrnoStatus(error_number, path);
}

bool TestFileSystem::PowerFails(bool& effect) {
  ++operations_;
  if (!crash_at_ || operations_ < *crash_at_) return false;
  crash_at_.reset();
  crashed_ = true;
  effect = Coin();
  return true;
}

void TestFileSystem::CrashAtOperation(uint64_t operation) {
  const base::MutexLock lock(mutex_);
  crash_at_ = operations_ + operation;
}

void TestFileSystem::Crash() {
  const base::MutexLock lock(mutex_);
  crashed_ = true;
}

bool TestFileSystem::crashed() const {
  const base::MutexLock lock(mutex_);
  return crashed_;
}

void TestFileSystem::Restart() {
  const base::MutexLock lock(mutex_);
  LoseWhatWasNotSynced();
  crashed_ = false;
  crash_at_.reset();
  faults_.clear();
  ++boot_;
}

void TestFileSystem::FailCall(Call call, int error_number, uint64_t skip) {
  const base::MutexLock lock(mutex_);
  faults_[call] = {.skip = skip, .error_number = error_number};
}

void TestFileSystem::LimitSpace(std::optional<base::Bytes> room) {
  const base::MutexLock lock(mutex_);
  room_bytes_ = room ? std::optional<uint64_t>(room->count) : std::nullopt;
}

uint64_t TestFileSystem::operations() const {
  const base::MutexLock lock(mutex_);
  return operations_;
}

StatusOr<TestFileSystem::Place> TestFileSystem::Find(const std::string& path) {
  Place place{.folder = root_, .name = "", .node = root_};
  for (const std::string_view step : base::Split(path, '/')) {
    if (step.empty() || step == ".") continue;
    if (step == "..") return base::ErrnoStatus(EINVAL, path);
    if (place.node == nullptr) return base::ErrnoStatus(ENOENT, path);
    if (!place.node->directory) return base::ErrnoStatus(ENOTDIR, path);
    place.folder = place.node;
    place.name = std::string(step);
    const auto found = place.folder->names.find(place.name);
    place.node = found == place.folder->names.end() ? nullptr : found->second;
  }
  return place;
}

void TestFileSystem::Change(const NodePointer& folder, const std::string& name, NodePointer node) {
  if (node == nullptr) {
    folder->names.erase(name);
  } else {
    folder->names[name] = node;
  }
  changes_.push_back({.folder = folder, .name = name, .node = std::move(node), .group = group_});
}

void TestFileSystem::FlushNames(const Node& folder) {
  std::erase_if(changes_, [&folder](const NameChange& change) {
    if (change.folder.get() != &folder) return false;
    if (change.node == nullptr) {
      change.folder->disk_names.erase(change.name);
    } else {
      change.folder->disk_names[change.name] = change.node;
    }
    return true;
  });
}

// Puts these sectors on disk; all of the dirty ones bring the length too.
void TestFileSystem::WriteSectors(Node& node, const std::set<size_t>& sectors) {
  if (node.resized && sectors.size() == node.dirty.size()) node.disk.resize(node.seen.size());
  for (const size_t sector : sectors) {
    const size_t begin = sector * kSectorBytes;
    const size_t end = std::min(begin + kSectorBytes, node.seen.size());
    if (begin >= end) continue;
    if (node.disk.size() < end) node.disk.resize(end);
    std::copy(node.seen.begin() + static_cast<ptrdiff_t>(begin), node.seen.begin() + static_cast<ptrdiff_t>(end),
              node.disk.begin() + static_cast<ptrdiff_t>(begin));
  }
}

// Any part of what was not synced reaches the disk.
void TestFileSystem::Tear(Node& node) {
  if (node.dirty.empty() && !node.resized) return;
  const size_t length_before = node.disk.size();
  std::set<size_t> kept;
  switch (Random(4)) {
    case 0: break;
    case 1: kept = node.dirty; break;
    case 2: {
      const auto count = static_cast<ptrdiff_t>(Random(node.dirty.size() + 1));
      kept.insert(node.dirty.begin(), std::next(node.dirty.begin(), count));
      break;
    }
    default:
      std::copy_if(node.dirty.begin(), node.dirty.end(), std::inserter(kept, kept.end()),
                   [this](size_t) ABSL_NO_THREAD_SAFETY_ANALYSIS { return Coin(); });
  }
  if (kept.empty() && node.dirty.empty() && Coin()) return;  // only the length changed, and that was lost
  if (!kept.empty() || node.dirty.empty()) WriteSectors(node, kept);
  // A new length may be written before the bytes that it covers, or cut anywhere.
  if (node.disk.size() > length_before && Coin()) {
    node.disk.resize(length_before + Random(node.disk.size() - length_before + 1));
  } else if (node.seen.size() > node.disk.size() && Coin()) {
    node.disk.resize(node.seen.size());
  }
}

void TestFileSystem::SeeTheDisk(Node& node) {
  node.seen = node.disk;
  node.dirty.clear();
  node.resized = false;
  node.names = node.disk_names;
  for (const auto& [name, child] : node.names) SeeTheDisk(*child);
}

void TestFileSystem::LoseWhatWasNotSynced() {
  std::map<uint64_t, bool> kept;
  for (const NameChange& change : changes_) {
    const auto [verdict, first] = kept.try_emplace(change.group, false);
    if (first) verdict->second = Coin();
    if (!verdict->second) continue;
    if (change.node == nullptr) {
      change.folder->disk_names.erase(change.name);
    } else {
      change.folder->disk_names[change.name] = change.node;
    }
  }
  changes_.clear();
  for (const std::weak_ptr<Node>& file : files_) {
    if (const NodePointer node = file.lock()) Tear(*node);
  }
  SeeTheDisk(*root_);
}

Status TestFileSystem::AppendTo(Node& node, std::string_view bytes) {
  std::string_view fitting = bytes;
  if (room_bytes_) {
    fitting = bytes.substr(0, std::min<uint64_t>(bytes.size(), *room_bytes_));
    *room_bytes_ -= fitting.size();
  }
  const size_t begin = node.seen.size();
  node.seen += fitting;
  for (size_t sector = begin / kSectorBytes; sector * kSectorBytes < node.seen.size(); ++sector) {
    node.dirty.insert(sector);
  }
  node.resized = node.resized || !fitting.empty();
  return fitting.size() < bytes.size() ? base::ErrnoStatus(ENOSPC, "writing") : base::OkStatus();
}

StatusOr<std::unique_ptr<File>> TestFileSystem::Open(const std::string& path, OpenMode mode, bool secret) {
  const base::MutexLock lock(mutex_);
  ASHLAR_RETURN_IF_ERROR(Begin(Call::kOpen, path));
  ASHLAR_ASSIGN_OR_RETURN(Place place, Find(path));
  if (place.node != nullptr && place.node->directory) return base::ErrnoStatus(EISDIR, path);
  if (place.node != nullptr && mode == OpenMode::kCreateNew) return base::ErrnoStatus(EEXIST, path);
  if (place.node == nullptr && mode == OpenMode::kRead) return base::ErrnoStatus(ENOENT, path);
  return OpenPlace(std::move(place), path, mode, secret);
}

StatusOr<std::unique_ptr<File>> TestFileSystem::OpenPlace(Place place, const std::string& path, OpenMode mode,
                                                          bool secret) {
  const bool creates = place.node == nullptr;
  const bool empties = !creates && mode == OpenMode::kTruncate;
  if (creates || empties) {
    bool effect = true;
    const bool power_fails = PowerFails(effect);
    if (effect && creates) {
      ++group_;
      place.node = std::make_shared<Node>();
      place.node->mode = secret ? 0600 : 0644;
      files_.push_back(place.node);
      Change(place.folder, place.name, place.node);
    }
    if (effect && empties) {
      place.node->seen.clear();
      place.node->dirty.clear();
      place.node->resized = true;
    }
    if (power_fails) return base::Annotate(NoPower(), path);
  }
  return std::make_unique<Handle>(*this, std::move(place.node), mode != OpenMode::kRead, boot_);
}

Status TestFileSystem::Rename(const std::string& from, const std::string& to) {
  const base::MutexLock lock(mutex_);
  ASHLAR_RETURN_IF_ERROR(Begin(Call::kRename, from));
  ASHLAR_ASSIGN_OR_RETURN(const Place source, Find(from));
  ASHLAR_ASSIGN_OR_RETURN(const Place target, Find(to));
  if (source.node == nullptr) return base::ErrnoStatus(ENOENT, from);
  if (source.node == root_ || target.node == root_) return base::ErrnoStatus(EBUSY, "/");
  if (target.node != nullptr) {
    if (target.node == source.node) return base::OkStatus();
    if (target.node->directory && !source.node->directory) return base::ErrnoStatus(EISDIR, to);
    if (!target.node->directory && source.node->directory) return base::ErrnoStatus(ENOTDIR, to);
    if (!target.node->names.empty()) return base::ErrnoStatus(ENOTEMPTY, to);
  }
  bool effect = true;
  const bool power_fails = PowerFails(effect);
  if (effect) {
    ++group_;
    Change(source.folder, source.name, nullptr);
    Change(target.folder, target.name, source.node);
  }
  return power_fails ? NoPower() : base::OkStatus();
}

Status TestFileSystem::Remove(const std::string& path) {
  const base::MutexLock lock(mutex_);
  ASHLAR_RETURN_IF_ERROR(Begin(Call::kRemove, path));
  ASHLAR_ASSIGN_OR_RETURN(const Place place, Find(path));
  if (place.node == nullptr) return base::ErrnoStatus(ENOENT, path);
  if (place.node == root_) return base::ErrnoStatus(EBUSY, path);
  if (!place.node->names.empty()) return base::ErrnoStatus(ENOTEMPTY, path);
  bool effect = true;
  const bool power_fails = PowerFails(effect);
  if (effect) {
    ++group_;
    Change(place.folder, place.name, nullptr);
  }
  return power_fails ? NoPower() : base::OkStatus();
}

Status TestFileSystem::CreateDirectories(const std::string& path) {
  const base::MutexLock lock(mutex_);
  ASHLAR_RETURN_IF_ERROR(Begin(Call::kCreateDirectories, path));
  std::string sofar;
  for (const std::string_view step : base::Split(path, '/')) {
    sofar += fmt::format("/{}", step);
    ASHLAR_ASSIGN_OR_RETURN(Place place, Find(sofar));
    if (place.node != nullptr && !place.node->directory) return base::ErrnoStatus(EEXIST, sofar);
    if (place.node != nullptr) continue;
    bool effect = true;
    const bool power_fails = PowerFails(effect);
    if (effect) {
      ++group_;
      place.node = std::make_shared<Node>();
      place.node->directory = true;
      place.node->mode = 0755;
      Change(place.folder, place.name, place.node);
    }
    if (power_fails) return NoPower();
    FlushNames(*place.folder);
  }
  return base::OkStatus();
}

Status TestFileSystem::SyncDirectory(const std::string& path) {
  const base::MutexLock lock(mutex_);
  ASHLAR_RETURN_IF_ERROR(Begin(Call::kSyncDirectory, path));
  ASHLAR_ASSIGN_OR_RETURN(const Place place, Find(path));
  if (place.node == nullptr) return base::ErrnoStatus(ENOENT, path);
  if (!place.node->directory) return base::ErrnoStatus(ENOTDIR, path);
  bool effect = true;
  const bool power_fails = PowerFails(effect);
  if (effect) FlushNames(*place.node);
  return power_fails ? NoPower() : base::OkStatus();
}

StatusOr<FileStat> TestFileSystem::Stat(const std::string& path) {
  const base::MutexLock lock(mutex_);
  ASHLAR_RETURN_IF_ERROR(Begin(Call::kStat, path));
  ASHLAR_ASSIGN_OR_RETURN(const Place place, Find(path));
  if (place.node == nullptr) return base::ErrnoStatus(ENOENT, path);
  return FileStat{.is_directory = place.node->directory,
                  .is_regular = !place.node->directory,
                  .size_bytes = place.node->seen.size(),
                  .mode = place.node->mode};
}

StatusOr<std::vector<std::string>> TestFileSystem::List(const std::string& path) {
  const base::MutexLock lock(mutex_);
  ASHLAR_RETURN_IF_ERROR(Begin(Call::kList, path));
  ASHLAR_ASSIGN_OR_RETURN(const Place place, Find(path));
  if (place.node == nullptr) return base::ErrnoStatus(ENOENT, path);
  if (!place.node->directory) return base::ErrnoStatus(ENOTDIR, path);
  std::vector<std::string> names;
  for (const auto& [name, node] : place.node->names) names.push_back(name);
  return names;
}

}  // namespace ashlar::os
