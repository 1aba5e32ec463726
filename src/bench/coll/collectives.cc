#include "bench/coll/collectives.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "bench/coll/events.h"
#include "bench/coll/launch.h"
#include "bench/coll/limits.h"
#include "os/os.h"

namespace ashlar::bench {
namespace {

using base::StatusCode;

// Why a run was stopped or ended badly; an empty text when it did not.
struct Fault {
  std::string text;
  bool died = false;
  std::vector<int> blamed;
};

// Watches the board from the outside and stops the launcher when the ranks hang or take too long.
class Overseer {
 public:
  Overseer(const ProgressBoard& board, const CollectiveOptions& options)
      : board_(board), options_(options), watch_(options.stall_limit, kSilence), thread_([this] { Watch(); }) {}
  ~Overseer() { Finish(); }
  Overseer(const Overseer&) = delete;
  Overseer& operator=(const Overseer&) = delete;

  std::stop_token token() const { return source_.get_token(); }
  void RequestStop() { source_.request_stop(); }

  // Ends the watching; what it found.
  const Fault& Finish() {
    {
      base::MutexLock lock(mutex_);
      finished_ = true;
    }
    wake_.SignalAll();
    if (thread_.joinable()) thread_.join();
    return fault_;
  }

 private:
  bool Waited() {
    base::MutexLock lock(mutex_);
    if (!finished_) wake_.WaitFor(mutex_, kHeartbeatPeriod);
    return finished_;
  }

  void Watch() {
    const absl::Duration begin = base::SystemClock().Monotonic();
    while (!Waited()) {
      const absl::Duration now = base::SystemClock().Monotonic();
      const std::vector<RankReport> reports = board_.Read();
      const bool stalled = watch_.Stalled(reports, now);
      const bool late = now - begin > options_.deadline;
      if (!stalled && !late) continue;
      const std::string why =
          stalled ? fmt::format("no rank has finished a step for {}", base::HumanDuration(options_.stall_limit))
                  : fmt::format("the deadline of {} has passed", base::HumanDuration(options_.deadline));
      fault_ = {why + ": " + watch_.Blame(reports, now), false, watch_.BlamedRanks(reports, now)};
      source_.request_stop();
      return;
    }
  }

  const ProgressBoard& board_;
  const CollectiveOptions& options_;
  StallWatch watch_;
  std::stop_source source_;
  Fault fault_;  // written by the thread before it ends, read after the join
  base::Mutex mutex_;
  base::CondVar wake_;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  std::jthread thread_;
};

// Ranks that the launcher left behind (a stopped process does not heed SIGTERM). The board's path on its command line
// proves that a process is one of ours and not a later one with the same number.
void EndStragglers(const ProgressBoard& board) {
  const os::SysReader reader;
  for (const RankReport& report : board.Read()) {
    if (report.pid <= 1 || report.state == RankState::kDone) continue;
    const auto command = reader.Read(fmt::format("/proc/{}/cmdline", report.pid));
    if (command.ok() && command->find(board.path()) != std::string::npos) kill(report.pid, SIGKILL);
  }
}

// The host file in the launcher's form, in a file of its own.
struct Hosts {
  std::vector<HostSlots> list;
  std::optional<os::TemporaryDirectory> folder;
  std::string path;
};

base::StatusOr<Hosts> PrepareHosts(const std::string& hostfile, Launcher kind) {
  Hosts hosts;
  if (hostfile.empty()) return hosts;
  ASHLAR_ASSIGN_OR_RETURN(const std::string text,
                          os::ReadWholeFile(os::RealFileSystem(), hostfile, base::Bytes{kMaxHostfileBytes}));
  auto list = ParseHostfile(text);
  if (!list.ok()) return base::Annotate(list.status(), hostfile);
  hosts.list = std::move(*list);
  ASHLAR_ASSIGN_OR_RETURN(os::TemporaryDirectory folder, os::TemporaryDirectory::Create());
  hosts.path = folder.path() + "/hosts";
  hosts.folder = std::move(folder);
  const std::string ours = kind == Launcher::kOpenMpi ? OpenMpiHostfile(hosts.list) : MpichHostfile(hosts.list);
  ASHLAR_RETURN_IF_ERROR(os::WriteFileDurably(os::RealFileSystem(), hosts.path, ours));
  return hosts;
}

// What rank 0 told so far.
class Collector {
 public:
  explicit Collector(const CollectiveRequest& request)
      : request_(request), reader_([this](SessionEvent event, base::Json body) { Take(event, std::move(body)); }) {}

  void Read(std::string_view chunk) { reader_.Take(chunk); }
  const base::Status& error() const { return reader_.error(); }
  std::vector<base::Json>& documents() { return documents_; }
  bool open() const { return header_.has_value(); }
  bool saw_row() const { return saw_row_; }

  // After a fault: the rows of the document that was being made are kept, marked with the fault.
  void CloseWithFault(const std::string& fault) {
    if (!header_.has_value() || !header_->is_object()) return;
    base::JsonObject document = std::move(header_->get_object());
    header_.reset();
    FinishDocument(
        document,
        absl::Now() - base::ParseRfc3339(base::GetString(document, "started").value_or("")).value_or(absl::Now()),
        fault);
    document["fault"] = fault;
    documents_.emplace_back(std::move(document));
    if (request_.listener) request_.listener(SessionEvent::kDocument, documents_.back());
  }

 private:
  void Take(SessionEvent event, base::Json body) {
    if (event == SessionEvent::kHeader || event == SessionEvent::kDocument) {
      if (body.is_object()) body.get_object()["machine"] = request_.machine;
    }
    if (request_.listener) request_.listener(event, body);
    if (event == SessionEvent::kHeader) {
      header_ = std::move(body);
    } else if (event == SessionEvent::kRow) {
      saw_row_ = true;
      base::Json* rows = header_.has_value() && header_->is_object() ? header_->get_object().if_contains("rows")
                                                                     : nullptr;
      if (rows != nullptr && rows->is_array()) rows->get_array().push_back(std::move(body));
    } else {
      header_.reset();
      documents_.push_back(std::move(body));
    }
  }

  const CollectiveRequest& request_;
  EventReader reader_;
  std::vector<base::Json> documents_;
  std::optional<base::Json> header_;
  bool saw_row_ = false;
};

std::string LastLines(std::string_view text) {
  constexpr size_t kMostBytes = 2000;
  text = base::Trim(text);
  if (text.size() > kMostBytes) text.remove_prefix(text.size() - kMostBytes);
  return std::string(text);
}

// Which rank is to blame when the launcher ended badly by itself.
Fault FaultOfEnd(const os::SubprocessResult& result, const ProgressBoard& board) {
  if (result.exit_code == 0) return {};
  const std::vector<RankReport> reports = board.Read();
  const std::string dead = BlameTheDead(reports);
  if (dead.empty()) return {};
  return {"died: " + dead, true, DeadRanks(reports)};
}

base::ExitStatus WorstStatus(const CollectiveRun& run) {
  if (!run.fault.empty()) return base::ExitStatus::kFallsShort;
  base::ExitStatus worst = run.documents.empty() ? base::ExitStatus::kCouldNotRun : base::ExitStatus::kPass;
  for (const base::Json& document : run.documents) {
    worst = std::max(worst, ExitStatusOfDocument(document));
  }
  return worst;
}

base::StatusOr<CollectiveRun> Conclude(const base::StatusOr<os::SubprocessResult>& result, Fault fault,
                                       const ProgressBoard& board, Collector& collector) {
  if (fault.text.empty() && result.ok()) fault = FaultOfEnd(*result, board);
  if (!fault.text.empty()) {
    CollectiveRun run;
    collector.CloseWithFault(fault.text);
    run.fault = std::move(fault.text);
    run.died = fault.died;
    run.blamed = std::move(fault.blamed);
    run.documents = std::move(collector.documents());
    run.exit_status = WorstStatus(run);
    return run;
  }
  if (!result.ok()) return result.status();
  if (!collector.error().ok()) return collector.error();
  if (collector.documents().empty() || collector.open()) {
    return base::Error(StatusCode::kAborted, "the ranks ended without a result (exit code {}): {}", result->exit_code,
                       LastLines(result->error));
  }
  CollectiveRun run;
  run.documents = std::move(collector.documents());
  run.exit_status = WorstStatus(run);
  return run;
}

}  // namespace

base::StatusOr<CollectiveRun> RunCollectives(const CollectiveRequest& request) {
  ASHLAR_ASSIGN_OR_RETURN(const CollectiveOptions options, ReadArguments(request.arguments));
  ASHLAR_ASSIGN_OR_RETURN(const LaunchProgram program, FindLaunchProgram(ProcessEnvironment()));
  ASHLAR_ASSIGN_OR_RETURN(const Hosts hosts, PrepareHosts(options.hostfile, program.kind));
  const auto cores = static_cast<int64_t>(std::thread::hardware_concurrency());
  LaunchRequest launch{.program = program,
                       .ranks = options.ranks > 0 ? options.ranks : DefaultRanks(hosts.list, cores),
                       .hostfile = hosts.path,
                       .rank_command = request.rank_command,
                       .as_root = geteuid() == 0};
  ASHLAR_ASSIGN_OR_RETURN(const std::unique_ptr<ProgressBoard> board,
                          ProgressBoard::Create(static_cast<int>(launch.ranks)));
  for (const std::string& word :
       {std::string(kRankOption), ArgumentsToText(request.arguments), std::string(kBoardOption), board->path()}) {
    launch.rank_command.push_back(word);
  }
  LaunchCommand command = MakeLaunchCommand(launch);
  Collector collector(request);
  Overseer overseer(*board, options);
  const std::stop_callback forward(request.stop, [&overseer] { overseer.RequestStop(); });
  bool told = false;
  os::SubprocessOptions subprocess{.command = std::move(command.command),
                                   .environment = std::move(command.environment),
                                   .deadline = options.deadline + absl::Minutes(1),
                                   .grace = kLaunchGrace,
                                   .output_limit = base::Bytes{base::kGiB}};
  subprocess.stop = overseer.token();
  subprocess.on_output = [&](std::string_view chunk) {
    collector.Read(chunk);
    if (request.on_ranks && collector.saw_row() && !told) {
      told = true;
      request.on_ranks(board->Read());
    }
  };
  const auto result = os::RunSubprocess(subprocess);
  Fault fault = overseer.Finish();
  if (!result.ok() || result->exit_code != 0) EndStragglers(*board);
  if (fault.text.empty() && request.stop.stop_requested()) {
    return base::Error(StatusCode::kCancelled, "stopped before the end");
  }
  return Conclude(result, std::move(fault), *board, collector);
}

}  // namespace ashlar::bench
