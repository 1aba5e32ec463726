#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "base/base.h"
#include "bench/coll/backends.h"
#include "bench/coll/collectives.h"
#include "bench/coll/events.h"
#include "bench/coll/limits.h"
#include "os/os.h"

extern char** environ;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): unistd.h's own

namespace ashlar::bench {
namespace {

// A signal handler can reach nothing but a global: the state of this process's own rank, set once before the handler.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<std::atomic<uint32_t>*> own_state{nullptr};

extern "C" void NoteTermination(int signal_number) {
  std::atomic<uint32_t>* state = own_state.load();
  uint32_t running = static_cast<uint32_t>(RankState::kRunning);
  if (state != nullptr) state->compare_exchange_strong(running, static_cast<uint32_t>(RankState::kTerminated));
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

void NoteTerminations(ProgressBoard& board, int rank) {
  own_state.store(board.StateOf(rank));
  struct sigaction action {};
  action.sa_handler = &NoteTermination;
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
}

// Shows signs of life, and ends the process when the run stands still and nobody else will.
class Watcher {
 public:
  struct Limits {
    absl::Duration deadline;
    absl::Duration stall_limit;
    bool in_charge = false;  // nobody outside watches
  };
  Watcher(ProgressBoard& board, int rank, const Limits& limits)
      : board_(board), rank_(rank), limits_(limits), watch_(limits.stall_limit, kSilence), thread_([this] {
          Watch();
        }) {}
  ~Watcher() {
    {
      base::MutexLock lock(mutex_);
      stopping_ = true;
    }
    stop_.SignalAll();
    thread_.join();
    own_state.store(nullptr);
  }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

 private:
  void Watch() {
    const absl::Duration begin = base::SystemClock().Monotonic();
    while (!Stopping()) {
      board_.Beat(rank_);
      const absl::Duration now = base::SystemClock().Monotonic();
      const std::vector<RankReport> reports = board_.Read();
      const bool stalled = watch_.Stalled(reports, now);
      const bool late = now - begin > limits_.deadline;
      if (stalled || late) EndProcess(reports, now, stalled);
    }
  }

  bool Stopping() {
    base::MutexLock lock(mutex_);
    if (!stopping_) stop_.WaitFor(mutex_, kHeartbeatPeriod);
    return stopping_;
  }

  // The lowest rank that shows life speaks; the others wait to be ended by the launcher, and end by themselves later.
  void EndProcess(const std::vector<RankReport>& reports, absl::Duration now, bool stalled) {
    if (ending_since_ == absl::ZeroDuration()) ending_since_ = now;
    const bool speaks = limits_.in_charge && watch_.FirstAlive(reports, now) == rank_;
    if (!speaks && now - ending_since_ < kOthersEndAfter) return;
    if (speaks) {
      const std::string why = stalled ? "no rank gets on" : "the deadline has passed";
      const std::string line = fmt::format("# error: {}: {}\n", why, watch_.Blame(reports, now));
      std::fputs(line.c_str(), stderr);
      std::fflush(stderr);
    }
    // The main thread may be inside MPI, which must not be called from here: the launcher ends the others.
    std::_Exit(static_cast<int>(base::ExitStatus::kFallsShort));
  }

  static constexpr absl::Duration kOthersEndAfter = absl::Seconds(20);

  ProgressBoard& board_;
  const int rank_;
  const Limits limits_;
  StallWatch watch_;
  absl::Duration ending_since_ = absl::ZeroDuration();
  base::Mutex mutex_;
  base::CondVar stop_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::jthread thread_;
};

std::string HostName() {
  char name[256] = "";
  gethostname(name, sizeof(name) - 1);
  return name[0] == '\0' ? "unknown" : name;
}

base::Bytes MemoryAvailable() {
  const auto text = os::SysReader().Read("/proc/meminfo");
  if (!text.ok()) return {};
  for (const std::string_view line : base::SplitLines(*text)) {
    const std::vector<std::string_view> words = base::SplitWords(line);
    if (words.size() < 2 || words[0] != "MemAvailable:") continue;
    return {base::ParseUint64(words[1]).value_or(0) * base::kKiB};
  }
  return {};
}

std::vector<std::string> EnvironmentEntries() {
  std::vector<std::string> entries;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) entries.emplace_back(*entry);
  return entries;
}

// The board of a run that a foreign launcher started: rank 0 of each machine cannot know the others' files, so the
// first rank makes one and every rank that sees the file uses it.
base::StatusOr<std::unique_ptr<ProgressBoard>> ShareBoard(CollectiveBackend& backend) {
  std::unique_ptr<ProgressBoard> board;
  std::string path;
  if (backend.rank() == 0) {
    auto created = ProgressBoard::Create(backend.ranks());
    if (created.ok()) {
      board = std::move(*created);
      path = board->path();
    }
  }
  ASHLAR_ASSIGN_OR_RETURN(const std::vector<std::string> paths, backend.ShareText(path));
  if (board == nullptr && !paths.front().empty()) {
    auto opened = ProgressBoard::Open(paths.front());
    if (opened.ok()) board = std::move(*opened);
  }
  // On another machine there is no such file: a board of its own still shows this rank to its own watcher.
  if (board == nullptr) return ProgressBoard::Create(backend.ranks());
  return board;
}

base::StatusOr<std::vector<base::Json>> TakePart(const JoinRequest& request, const CollectiveOptions& options,
                                                 CollectiveBackend& backend, ProgressBoard* board) {
  SessionParts parts{.backend = &backend,
                     .board = board,
                     .clock = &base::SystemClock(),
                     .listener = request.listener,
                     .environment = ReportedEnvironment(EnvironmentEntries()),
                     .machine = request.machine,
                     .memory_available = MemoryAvailable(),
                     .host = HostName()};
  Session session(std::move(parts), options, request.arguments);
  return session.Run();
}

}  // namespace

bool InsideLauncher() { return DetectLauncher(ProcessEnvironment()).launcher != Launcher::kNone; }

base::StatusOr<std::vector<base::Json>> JoinCollectives(const JoinRequest& request) {
  ASHLAR_ASSIGN_OR_RETURN(const CollectiveOptions options, ReadArguments(request.arguments));
  const EnvironmentLookup environment = ProcessEnvironment();
  const LauncherInfo launcher = DetectLauncher(environment);
  ASHLAR_ASSIGN_OR_RETURN(const std::string module, FindModule(launcher.launcher, environment));
  std::unique_ptr<ProgressBoard> board;
  std::optional<Watcher> watcher;
  // A starter's deadline is its own affair; this one is for when the starter itself is gone.
  constexpr absl::Duration kStarterGone = absl::Seconds(30);
  Watcher::Limits limits{options.deadline, options.stall_limit, request.board.empty()};
  if (!request.board.empty()) {
    limits.deadline += kStarterGone;
    limits.stall_limit += kStarterGone;
    auto opened = ProgressBoard::Open(request.board);
    if (opened.ok()) board = std::move(*opened);
  }
  // Before MPI starts, so that a rank that hangs in there is seen too.
  const auto appear = [&](int rank) {
    board->Arrive(rank, getpid());
    NoteTerminations(*board, rank);
    watcher.emplace(*board, rank, limits);
  };
  if (board != nullptr && launcher.rank >= 0) appear(launcher.rank);
  ASHLAR_ASSIGN_OR_RETURN(std::unique_ptr<CollectiveBackend> opened, OpenModule(module));
  const std::unique_ptr<CollectiveBackend> backend = WithFaults(std::move(opened), options.faults);
  if (board == nullptr) {
    ASHLAR_ASSIGN_OR_RETURN(board, ShareBoard(*backend));
  }
  if (!watcher.has_value()) appear(backend->rank());
  auto documents = TakePart(request, options, *backend, board.get());
  if (!documents.ok()) {
    board->Leave(backend->rank(), RankState::kFailed, base::Message(documents.status()));
    // Ranks agree on errors of arguments and memory; after an error of the library the others may wait for ever.
    if (documents.status().code() == base::StatusCode::kInternal) {
      const std::string line =
          fmt::format("# error: rank {}: {}\n", backend->rank(), base::Message(documents.status()));
      std::fputs(line.c_str(), stderr);
      backend->Abort(static_cast<int>(base::ExitStatus::kFallsShort));
    }
    return documents.status();
  }
  // The last sign before MPI ends: a rank that hangs in there is still one that hangs.
  board->BeginStep(backend->rank(), "ending");
  ASHLAR_RETURN_IF_ERROR(backend->Barrier());
  board->Leave(backend->rank(), RankState::kDone, "");
  return documents;
}

base::StatusOr<CollectiveRun> JoinAsRun(const JoinRequest& request) {
  auto joined = JoinCollectives(request);
  if (!joined.ok() && DetectLauncher(ProcessEnvironment()).rank > 0) {
    // All ranks fail alike; the first one says it.
    return CollectiveRun{.exit_status = base::MapStatus(joined.status().code()).exit_status};
  }
  if (!joined.ok()) return joined.status();
  std::vector<base::Json> documents = std::move(*joined);
  CollectiveRun run;
  run.exit_status = base::ExitStatus::kPass;
  for (const base::Json& document : documents)
    run.exit_status = std::max(run.exit_status, ExitStatusOfDocument(document));
  run.documents = std::move(documents);
  return run;
}

int RunAsRank(const std::string& arguments_text, const std::string& board) {
  const auto say = [](const std::string& line) {
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fflush(stdout);
  };
  JoinRequest request;
  request.board = board;
  request.listener = [&say](SessionEvent event, const base::Json& body) { say(EventLine(event, body)); };
  const auto arguments = ArgumentsFromText(arguments_text);
  base::Status status = arguments.status();
  if (status.ok()) {
    request.arguments = *arguments;
    status = JoinCollectives(request).status();
  }
  // The starter reads the error and decides on the exit status; every rank may say it, the first one counts.
  if (!status.ok()) say(ErrorLine(status));
  return 0;
}

}  // namespace ashlar::bench
