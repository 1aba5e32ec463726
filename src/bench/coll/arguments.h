// What a person may ask of a collective benchmark: the arguments of nccl-tests and ours, as text and as values.
//
// The table is the one source for the command line, for handing a run over to its ranks, and for the report. No state;
// any thread.
#pragma once

#include <absl/time/time.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "bench/coll/injection.h"
#include "bench/coll/kinds.h"

namespace ashlar::bench {

struct CollectiveArgument {
  std::string_view name;           // long name, without dashes: "minbytes"
  char letter;                     // short name, 0 when it has none
  std::string_view default_value;  // "" when absent means something of its own
  bool flag;                       // takes no value; given is "true"
  bool travels;                    // part of what a rank must know
  std::string_view help;
};

// Every argument, in the order that help shows; "collective" itself is positional and comes first.
std::span<const CollectiveArgument> CollectiveArguments();

// Values by long name, as typed. Missing means default.
using ArgumentValues = std::map<std::string, std::string>;

// How the times of the ranks become one: -a 0, 1, 2, 3 of nccl-tests.
enum class RankAverage { kRankZero, kMean, kMinimum, kMaximum };

struct CollectiveOptions {
  std::vector<Collective> collectives;
  std::vector<DataType> types;
  std::vector<ReduceOp> ops;
  std::vector<int> roots;       // empty: every rank in turn
  bool skip_undefined = false;  // "all" was said: combinations that MPI does not define are left out, not refused
  std::vector<uint64_t> sizes_bytes;
  std::string step;                   // "2(factor)" or "1048576(bytes)", as the field's header has it
  std::optional<int64_t> iterations;  // fixed mode; none: adaptive
  int64_t warmup_iterations = 1;
  int64_t aggregate = 1;
  int64_t cycles = 1;  // 0: until the deadline or a signal
  int64_t check_iterations = 1;
  RankAverage average = RankAverage::kMean;
  double interval = 0.02;                // adaptive: half width of the median's 95 % interval over the median
  std::optional<absl::Duration> budget;  // adaptive: about how long all sizes together may take
  absl::Duration deadline;
  absl::Duration stall_limit;
  int64_t ranks = 0;  // 0: not said
  std::string hostfile;
  std::string output_file;
  std::vector<RankFault> faults;   // made on purpose, in a drill
  std::vector<std::string> notes;  // what was accepted and cannot hold here, for people
};

// Reads and checks all of them. kInvalidArgument names the argument, what was wrong and what would do.
base::StatusOr<CollectiveOptions> ReadArguments(const ArgumentValues& values);

// The combinations of one collective that MPI defines. kInvalidArgument when one is asked for that it does not define
// (unless "all" was said), or when nothing is left.
struct Combination {
  DataType type = DataType::kFloat;
  ReduceOp op = ReduceOp::kSum;
  int root = 0;
};
base::StatusOr<std::vector<Combination>> Combinations(const CollectiveOptions& options, Collective collective,
                                                      int ranks);

// The arguments that a rank must know, as one JSON object, and back. kInvalidArgument for anything else.
std::string ArgumentsToText(const ArgumentValues& values);
base::StatusOr<ArgumentValues> ArgumentsFromText(std::string_view text);

}  // namespace ashlar::bench
