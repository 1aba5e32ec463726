#include "bench/coll/progress_board.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <new>

#include "bench/coll/limits.h"

namespace ashlar::bench {
namespace {

constexpr uint64_t kMagic = 0x4153484C41523031;  // "ASHLAR01"

// Text as words, each of them atomic.
template <size_t kWords>
class SharedText {
 public:
  void Store(std::string_view text) {
    std::array<char, kWords * sizeof(uint64_t)> bytes{};
    std::memcpy(bytes.data(), text.data(), std::min(text.size(), bytes.size() - 1));
    for (size_t i = 0; i < kWords; ++i) {
      uint64_t word = 0;
      std::memcpy(&word, &bytes[i * sizeof(word)], sizeof(word));
      words_[i].store(word, std::memory_order_relaxed);
    }
  }
  std::string Load() const {
    std::array<char, kWords * sizeof(uint64_t) + 1> bytes{};
    for (size_t i = 0; i < kWords; ++i) {
      const uint64_t word = words_[i].load(std::memory_order_relaxed);
      std::memcpy(&bytes[i * sizeof(word)], &word, sizeof(word));
    }
    return std::string(bytes.data());
  }

 private:
  std::array<std::atomic<uint64_t>, kWords> words_{};
};

std::string DescribeAll(const std::vector<RankReport>& reports) {
  std::vector<std::string> texts;
  texts.reserve(reports.size());
  for (const RankReport& report : reports) texts.push_back(Describe(report));
  return base::Join(texts, "; ");
}

std::vector<int> RanksOf(const std::vector<RankReport>& reports) {
  std::vector<int> ranks;
  ranks.reserve(reports.size());
  for (const RankReport& report : reports) ranks.push_back(report.rank);
  return ranks;
}

// A rank that fails because another one vanished is a witness, not the cause: the killed ones come first.
struct Dead {
  std::vector<RankReport> killed;
  std::vector<RankReport> failed;
};

Dead WhoDied(const std::vector<RankReport>& reports) {
  Dead dead;
  for (const RankReport& report : reports) {
    if (report.state == RankState::kRunning) dead.killed.push_back(report);
    if (report.state == RankState::kFailed) dead.failed.push_back(report);
  }
  return dead;
}

}  // namespace

struct ProgressBoard::Line {
  std::atomic<uint32_t> state{0};
  std::atomic<uint32_t> pid{0};
  std::atomic<uint64_t> heartbeats{0};
  std::atomic<uint64_t> steps{0};
  SharedText<16> step;
  SharedText<16> last_step;
  SharedText<32> error;
};

struct ProgressBoard::Page {
  std::atomic<uint64_t> magic{0};
  std::atomic<uint64_t> ranks{0};
  // `ranks` lines follow.
  Line* lines() { return reinterpret_cast<Line*>(this + 1); }
};

ProgressBoard::ProgressBoard(std::string path, Page* page, size_t bytes, bool owner)
    : path_(std::move(path)), page_(page), bytes_(bytes), owner_(owner), ranks_(static_cast<int>(page->ranks.load())) {}

ProgressBoard::~ProgressBoard() {
  munmap(page_, bytes_);
  if (owner_) unlink(path_.c_str());
}

base::StatusOr<std::unique_ptr<ProgressBoard>> ProgressBoard::Create(int ranks) {
  if (ranks < 1 || ranks > kMaxRanks) {
    return base::Error(base::StatusCode::kInvalidArgument, "{} ranks: at least 1, at most {}", ranks, kMaxRanks);
  }
  const char* temporary = std::getenv("TMPDIR");
  const std::string folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : (temporary != nullptr ? temporary : "/tmp");
  std::string path = folder + "/ashlar-board-XXXXXX";
  const int descriptor = mkostemp(path.data(), O_CLOEXEC);
  if (descriptor < 0) return base::ErrnoStatus(errno, "creating " + path);
  const size_t bytes = sizeof(Page) + static_cast<size_t>(ranks) * sizeof(Line);
  // Space is taken now: a full /dev/shm must be an error here, not a bus error later.
  const int allocated = posix_fallocate(descriptor, 0, static_cast<off_t>(bytes));
  void* memory = allocated != 0 ? MAP_FAILED : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  const int error = allocated != 0 ? allocated : errno;
  close(descriptor);
  if (memory == MAP_FAILED) {
    unlink(path.c_str());
    return base::ErrnoStatus(error, "making room for " + path);
  }
  Page* page = new (memory) Page;
  for (int rank = 0; rank < ranks; ++rank) new (page->lines() + rank) Line;
  page->ranks.store(static_cast<uint64_t>(ranks));
  page->magic.store(kMagic);
  return std::unique_ptr<ProgressBoard>(new ProgressBoard(path, page, bytes, true));
}

base::StatusOr<std::unique_ptr<ProgressBoard>> ProgressBoard::Open(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return base::ErrnoStatus(errno, "opening " + path);
  struct stat status {};
  if (fstat(descriptor, &status) != 0) status.st_size = 0;
  const auto bytes = static_cast<size_t>(status.st_size);
  void* memory = bytes < sizeof(Page) ? MAP_FAILED
                                      : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (memory == MAP_FAILED) {
    return base::Error(base::StatusCode::kFailedPrecondition, "{} is no progress board", path);
  }
  Page* page = static_cast<Page*>(memory);
  const uint64_t ranks = page->ranks.load();
  if (page->magic.load() != kMagic || ranks > kMaxRanks || bytes != sizeof(Page) + ranks * sizeof(Line)) {
    munmap(memory, bytes);
    return base::Error(base::StatusCode::kFailedPrecondition, "{} is no progress board of this version", path);
  }
  return std::unique_ptr<ProgressBoard>(new ProgressBoard(path, page, bytes, false));
}

void ProgressBoard::Arrive(int rank, pid_t pid) {
  if (rank < 0 || rank >= ranks_) return;
  Line& line = page_->lines()[rank];
  line.pid.store(static_cast<uint32_t>(pid));
  line.step.Store("starting");
  line.state.store(static_cast<uint32_t>(RankState::kRunning));
}

void ProgressBoard::BeginStep(int rank, std::string_view step) {
  if (rank < 0 || rank >= ranks_) return;
  Line& line = page_->lines()[rank];
  line.last_step.Store(line.step.Load());
  line.step.Store(step);
  line.steps.fetch_add(1);
}

void ProgressBoard::Beat(int rank) {
  if (rank >= 0 && rank < ranks_) page_->lines()[rank].heartbeats.fetch_add(1);
}

void ProgressBoard::Leave(int rank, RankState state, std::string_view error) {
  if (rank < 0 || rank >= ranks_) return;
  Line& line = page_->lines()[rank];
  line.error.Store(error);
  line.state.store(static_cast<uint32_t>(state));
}

std::atomic<uint32_t>* ProgressBoard::StateOf(int rank) {
  return rank >= 0 && rank < ranks_ ? &page_->lines()[rank].state : nullptr;
}

std::vector<RankReport> ProgressBoard::Read() const {
  std::vector<RankReport> reports;
  for (int rank = 0; rank < ranks_; ++rank) {
    const Line& line = page_->lines()[rank];
    RankReport report;
    report.rank = rank;
    const uint32_t state = line.state.load();
    report.state = state > static_cast<uint32_t>(RankState::kTerminated) ? RankState::kAbsent
                                                                         : static_cast<RankState>(state);
    report.pid = static_cast<pid_t>(line.pid.load());
    report.heartbeats = line.heartbeats.load();
    report.steps = line.steps.load();
    report.step = line.step.Load();
    report.last_step = line.last_step.Load();
    report.error = line.error.Load();
    reports.push_back(std::move(report));
  }
  return reports;
}

bool StallWatch::Stalled(const std::vector<RankReport>& reports, absl::Duration now) {
  if (seen_.size() != reports.size()) seen_.assign(reports.size(), Seen{.beat_at = now, .step_at = now});
  bool moved = false;
  bool silent = false;
  absl::Duration last_step = absl::ZeroDuration();
  for (size_t i = 0; i < reports.size(); ++i) {
    Seen& seen = seen_[i];
    if (reports[i].heartbeats != seen.heartbeats) seen.beat_at = now;
    if (reports[i].steps != seen.steps) seen.step_at = now;
    seen.heartbeats = reports[i].heartbeats;
    seen.steps = reports[i].steps;
    moved = moved || seen.step_at == now;
    last_step = std::max(last_step, seen.step_at);
    silent = silent || (reports[i].state == RankState::kRunning && now - seen.beat_at >= stall_limit_);
  }
  return !moved && (silent || now - last_step >= stall_limit_);
}

StallWatch::Held StallWatch::WhoHolds(const std::vector<RankReport>& reports, absl::Duration now) const {
  Held held;
  uint64_t most = 0;
  for (const RankReport& report : reports) most = std::max(most, report.steps);
  for (size_t i = 0; i < reports.size(); ++i) {
    const RankReport& report = reports[i];
    if (report.state == RankState::kAbsent) held.absent.push_back(report);
    if (report.state != RankState::kRunning) continue;
    if (i < seen_.size() && now - seen_[i].beat_at >= silence_) held.silent.push_back(report);
    if (report.steps < most) held.behind.push_back(report);
  }
  return held;
}

std::string StallWatch::Blame(const std::vector<RankReport>& reports, absl::Duration now) const {
  const Held held = WhoHolds(reports, now);
  if (!held.silent.empty()) return "no sign of life from " + DescribeAll(held.silent);
  if (!held.behind.empty()) return "behind the others: " + DescribeAll(held.behind);
  if (held.absent.size() == reports.size()) return "no rank has started";
  if (!held.absent.empty()) {
    std::vector<std::string> names;
    for (const RankReport& report : held.absent) names.push_back(fmt::format("rank {}", report.rank));
    return "never started: " + base::Join(names, ", ");
  }
  return "every rank waits for the others in the same step: " + Describe(reports.front());
}

std::vector<int> StallWatch::BlamedRanks(const std::vector<RankReport>& reports, absl::Duration now) const {
  const Held held = WhoHolds(reports, now);
  if (held.absent.size() == reports.size()) return {};
  if (!held.silent.empty()) return RanksOf(held.silent);
  return RanksOf(held.behind.empty() ? held.absent : held.behind);
}

int StallWatch::FirstAlive(const std::vector<RankReport>& reports, absl::Duration now) const {
  for (size_t i = 0; i < reports.size() && i < seen_.size(); ++i) {
    if (reports[i].state == RankState::kRunning && now - seen_[i].beat_at < silence_) return reports[i].rank;
  }
  return -1;
}

std::string Describe(const RankReport& report) {
  const std::string last = report.last_step.empty() ? "nothing yet" : report.last_step;
  return fmt::format("rank {} (process {}) in step \"{}\", last completed: {}", report.rank, report.pid, report.step,
                     last);
}

std::string BlameTheDead(const std::vector<RankReport>& reports) {
  const Dead dead = WhoDied(reports);
  if (!dead.killed.empty()) return DescribeAll(dead.killed);
  std::vector<std::string> failed;
  for (const RankReport& report : dead.failed) failed.push_back(Describe(report) + ": " + report.error);
  return base::Join(failed, "; ");
}

std::vector<int> DeadRanks(const std::vector<RankReport>& reports) {
  const Dead dead = WhoDied(reports);
  return RanksOf(dead.killed.empty() ? dead.failed : dead.killed);
}

}  // namespace ashlar::bench
