// Measuring collectives: starting ranks here, or being one.
//
// RunCollectives may be called by any thread, one run at a time a process is meant; JoinCollectives by the main thread
// of a rank, once. Nobody prints but the listener and, when a rank is lost, the rank's watcher on standard error.
#pragma once

#include <absl/time/time.h>

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/base.h"
#include "bench/coll/arguments.h"
#include "bench/coll/backends.h"
#include "bench/coll/session.h"

namespace ashlar::bench {

struct CollectiveRequest {
  ArgumentValues arguments;               // "collective" at least
  std::vector<std::string> rank_command;  // starts one rank: {"/usr/bin/ashlar", "bench", "coll"}; the run adds
                                          // kRankOption and kBoardOption with their values
  base::Json machine;                     // fingerprint for the documents; may be null
  SessionListener listener;               // headers, rows and documents as they come, on a thread of the run
  std::stop_token stop;                   // ends the run early
  // Tells the process ids of local ranks when the first row has come; for tests that kill one. May be empty.
  std::function<void(const std::vector<RankReport>&)> on_ranks;
};

inline constexpr char kRankOption[] = "--as-rank";  // value: ArgumentsToText
inline constexpr char kBoardOption[] = "--board";   // value: path of the progress board

struct CollectiveRun {
  std::vector<base::Json> documents;  // finished ones; after a fault the unfinished one too, with a member "fault"
  std::string fault;                  // which rank hung or died and where; "" when none did
  bool died = false;                  // with a fault: a rank ended by itself; otherwise the run hung
  std::vector<int> blamed;            // the ranks that the fault names; none when all wait for each other
  base::ExitStatus exit_status = base::ExitStatus::kCouldNotRun;
};

// Starts the ranks on this machine (or the hosts of --hostfile), waits for them, and says what came of it. A rank that
// hangs or dies is no error but a fault: exit status 1. kInvalidArgument for bad arguments, kNotFound when there is no
// MPI launcher or backend, kCancelled when `stop` was requested, kAborted when the ranks ended without a result.
base::StatusOr<CollectiveRun> RunCollectives(const CollectiveRequest& request);

struct JoinRequest {
  ArgumentValues arguments;
  std::string board;  // path of the starter's board; "" when a foreign mpirun or srun started this rank
  base::Json machine;
  SessionListener listener;  // called on rank 0 only
};

// Is this process a rank that a launcher started?
bool InsideLauncher();

// Takes part as one rank. Ends the process with status 1 when the run hangs or its deadline passes. The documents on
// rank 0, none on others.
base::StatusOr<std::vector<base::Json>> JoinCollectives(const JoinRequest& request);

// The same as a run: its exit status is that of the documents; on ranks other than 0 a pass without documents. An error
// is a Status on rank 0 and the bare exit status on the others, so that it is printed once.
base::StatusOr<CollectiveRun> JoinAsRun(const JoinRequest& request);

// The wire between rank 0 and the starter: one line a time on standard output.
std::string EventLine(SessionEvent event, const base::Json& body);
std::string ErrorLine(const base::Status& error);

// What a rank that was started with kRankOption does: takes part, tells the starter on standard output, and ends.
// Returns the exit status of the process.
int RunAsRank(const std::string& arguments_text, const std::string& board);

}  // namespace ashlar::bench
