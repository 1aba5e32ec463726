#include "bench/coll/arguments.h"

#include <algorithm>
#include <limits>

#include "bench/coll/limits.h"

namespace ashlar::bench {
namespace {

using base::StatusCode;

constexpr CollectiveArgument kArguments[] = {
    {"minbytes", 'b', "8", false, true, "smallest message, with K, M or G"},
    {"maxbytes", 'e', "64M", false, true, "largest message"},
    {"stepbytes", 'i', "", false, true, "add this much from size to size"},
    {"stepfactor", 'f', "", false, true, "multiply by this from size to size (default 2)"},
    {"iters", 'n', "", false, true, "fixed number of timed iterations; without it the run is adaptive"},
    {"warmup_iters", 'w', "1", false, true, "iterations before the timed ones"},
    {"op", 'o', "sum", false, true, "sum prod max min avg land lor lxor band bor bxor minloc maxloc, or all"},
    {"datatype", 'd', "float", false, true, "element type as in nccl-tests or MPI, or all"},
    {"root", 'r', "0", false, true, "root rank, or all"},
    {"check", 'c', "1", false, true, "iterations whose results are checked; 0 checks nothing"},
    {"average", 'a', "1", false, true, "time of a row over the ranks: 0 rank 0, 1 average, 2 minimum, 3 maximum"},
    {"agg_iters", 'm', "1", false, true, "operations counted as one iteration"},
    {"run_cycles", 'N', "1", false, true, "repeat the sweep; 0 repeats until the deadline"},
    {"timeout", 'T', "", false, true, "seconds (or 5m, 1h) after which the run ends and names the rank that hangs"},
    {"output_file", 'J', "", false, true, "write the JSON document to this file, whose name ends in .json"},
    {"ngpus", 'g', "1", false, true, "GPUs per thread; 1 here"},
    {"nthreads", 't', "1", false, true, "threads per process; 1 here"},
    {"blocking", 'z', "0", false, true, "accepted: MPI collectives always block"},
    {"cudagraph", 'G', "0", false, true, "accepted: there are no CUDA graphs without a GPU backend"},
    {"report_cputime", 'C', "0", false, true, "accepted: with MPI, CPU time and wall time are the same"},
    {"local_register", 'R', "0", false, true, "accepted: MPI registers its buffers itself"},
    {"ranks", 0, "", false, false, "local ranks to start (default: one a core, at least 2)"},
    {"hostfile", 0, "", false, false, "hosts to start ranks on: \"host slots=8\", \"host:8\" or plain names"},
    {"adaptive", 0, "", true, true, "stop a size when its median is known well enough (the default without -n)"},
    {"interval", 0, "2%", false, true, "adaptive: how well the median must be known, at 95 % confidence"},
    {"budget", 0, "", false, true, "adaptive: about how long the whole run may take (15s, 1m)"},
    {"deadline", 0, "", false, true, "the same as --timeout"},
    {"stall", 0, "60s", false, true, "a step that no rank finishes for this long is a hang"},
    {"inject", 0, "", false, true,
     "faults on purpose: RANK:slow:SHARE, RANK:hang, RANK:crash, RANK:corrupt, with commas"},
    {"drill", 0, "", true, true, "this is a drill: allow --inject; the result says so and is no evidence"},
};

base::Status Wrong(std::string_view name, std::string_view text, std::string_view expectation) {
  return base::Error(StatusCode::kInvalidArgument, "--{} {}: {}", name, text, expectation);
}

// The value as typed, or the default.
std::string Value(const ArgumentValues& values, std::string_view name) {
  const auto found = values.find(std::string(name));
  if (found != values.end() && !found->second.empty()) return found->second;
  for (const CollectiveArgument& argument : kArguments) {
    if (argument.name == name) return std::string(argument.default_value);
  }
  return "";
}

bool Given(const ArgumentValues& values, std::string_view name) {
  const auto found = values.find(std::string(name));
  return found != values.end() && !found->second.empty();
}

struct Range {
  int64_t least;
  int64_t most;
};

base::StatusOr<int64_t> WholeNumber(const ArgumentValues& values, std::string_view name, const Range& range) {
  const std::string text = Value(values, name);
  const auto number = base::ParseInt64(text);
  if (!number.has_value() || *number < range.least || *number > range.most) {
    return Wrong(name, text, fmt::format("must be a whole number from {} to {}", range.least, range.most));
  }
  return *number;
}

base::StatusOr<uint64_t> Size(const ArgumentValues& values, std::string_view name) {
  const std::string text = Value(values, name);
  const auto size = base::ParseSize(text);
  if (!size.ok()) return Wrong(name, text, "must be a size as 8, 64K, 1.5M or 8G");
  if (size->count > kMaxMessageBytes) return Wrong(name, text, "must be at most 1T");
  return size->count;
}

// Seconds as nccl-tests has them, or a duration with its unit.
base::StatusOr<absl::Duration> Period(const ArgumentValues& values, std::string_view name) {
  const std::string text = Value(values, name);
  const auto seconds = base::ParseDouble(text);
  base::StatusOr<absl::Duration> duration = seconds.has_value() ? absl::Seconds(*seconds) : base::ParseDuration(text);
  if (!duration.ok() || *duration <= absl::ZeroDuration() || *duration > kDefaultDeadline) {
    return Wrong(name, text, "must be a time as 90, 90s, 5m or 1h, at most 24h");
  }
  return *duration;
}

base::Status ReadSizes(const ArgumentValues& values, CollectiveOptions& options) {
  ASHLAR_ASSIGN_OR_RETURN(uint64_t least, Size(values, "minbytes"));
  ASHLAR_ASSIGN_OR_RETURN(uint64_t most, Size(values, "maxbytes"));
  // Only one end was said: the other default must not contradict it.
  if (!Given(values, "maxbytes")) most = std::max(most, least);
  if (!Given(values, "minbytes")) least = std::min(least, most);
  if (least > most) return Wrong("minbytes", Value(values, "minbytes"), "must not be more than --maxbytes");
  int64_t factor = Given(values, "stepbytes") ? 1 : 2;
  if (Given(values, "stepfactor")) {
    ASHLAR_ASSIGN_OR_RETURN(factor, WholeNumber(values, "stepfactor", {1, 1 << 30}));
  }
  uint64_t step = 0;
  if (Given(values, "stepbytes")) {
    ASHLAR_ASSIGN_OR_RETURN(step, Size(values, "stepbytes"));
  }
  if (factor > 1 && step > 0) options.notes.emplace_back("-f wins over -i, as in nccl-tests");
  if (factor == 1 && step == 0) return Wrong("stepfactor", "1", "needs a step in bytes: -i 1M, or -f 2");
  if (factor > 1 && least == 0 && most > 0) return Wrong("minbytes", "0", "never grows with -f: use -i, or -b 8");
  options.step = factor > 1 ? fmt::format("{}(factor)", factor) : fmt::format("{}(bytes)", step);
  for (uint64_t size = least; size <= most;) {
    options.sizes_bytes.push_back(size);
    if (options.sizes_bytes.size() > kMaxSizes) {
      return Wrong(factor > 1 ? "stepfactor" : "stepbytes", options.step,
                   fmt::format("gives more than {} sizes: take a larger step", kMaxSizes));
    }
    if (factor > 1 && size > most / static_cast<uint64_t>(factor)) break;
    size = factor > 1 ? size * static_cast<uint64_t>(factor) : size + step;
  }
  return base::OkStatus();
}

base::Status ReadKinds(const ArgumentValues& values, CollectiveOptions& options) {
  const std::string collective = Value(values, "collective");
  if (collective.empty()) return base::Error(StatusCode::kInvalidArgument, "which collective? all_reduce, or all");
  if (collective == "all") {
    for (const CollectiveInfo& row : Collectives()) options.collectives.push_back(row.collective);
  } else {
    ASHLAR_ASSIGN_OR_RETURN(const Collective one, ParseCollective(collective));
    options.collectives = {one};
  }
  const std::string type = Value(values, "datatype");
  if (type == "all") {
    for (const DataTypeInfo& row : DataTypes()) options.types.push_back(row.type);
  } else {
    ASHLAR_ASSIGN_OR_RETURN(const DataType one, ParseDataType(type));
    options.types = {one};
  }
  const std::string op = Value(values, "op");
  if (op == "all") {
    for (const ReduceOpInfo& row : ReduceOps()) options.ops.push_back(row.op);
  } else {
    ASHLAR_ASSIGN_OR_RETURN(const ReduceOp one, ParseReduceOp(op));
    options.ops = {one};
  }
  options.skip_undefined = type == "all" || op == "all";
  if (Value(values, "root") == "all") return base::OkStatus();
  ASHLAR_ASSIGN_OR_RETURN(const int64_t root, WholeNumber(values, "root", {0, kMaxRanks - 1}));
  options.roots = {static_cast<int>(root)};
  return base::OkStatus();
}

base::Status ReadCounts(const ArgumentValues& values, CollectiveOptions& options) {
  if (Given(values, "iters")) {
    if (Given(values, "adaptive")) return Wrong("iters", Value(values, "iters"), "cannot go with --adaptive");
    ASHLAR_ASSIGN_OR_RETURN(options.iterations, WholeNumber(values, "iters", {1, kMaxIterations}));
  }
  ASHLAR_ASSIGN_OR_RETURN(options.warmup_iterations, WholeNumber(values, "warmup_iters", {0, kMaxIterations}));
  ASHLAR_ASSIGN_OR_RETURN(options.aggregate, WholeNumber(values, "agg_iters", {1, 1'000'000}));
  ASHLAR_ASSIGN_OR_RETURN(options.cycles, WholeNumber(values, "run_cycles", {0, 1'000'000}));
  ASHLAR_ASSIGN_OR_RETURN(options.check_iterations, WholeNumber(values, "check", {0, 1'000'000}));
  ASHLAR_ASSIGN_OR_RETURN(const int64_t average, WholeNumber(values, "average", {0, 3}));
  options.average = static_cast<RankAverage>(average);
  std::string percent = Value(values, "interval");
  const bool has_sign = percent.ends_with('%');
  if (has_sign) percent.pop_back();
  const auto interval = base::ParseDouble(percent);
  if (!interval.has_value() || !(*interval > 0) || *interval / (has_sign ? 100 : 1) > 1) {
    return Wrong("interval", Value(values, "interval"), "must be above 0 and at most 1, or a percentage as 2%");
  }
  options.interval = *interval / (has_sign ? 100 : 1);
  return base::OkStatus();
}

base::Status ReadTimes(const ArgumentValues& values, CollectiveOptions& options) {
  options.deadline = kDefaultDeadline;
  for (const std::string_view name : {"timeout", "deadline"}) {
    if (!Given(values, name)) continue;
    ASHLAR_ASSIGN_OR_RETURN(const absl::Duration deadline, Period(values, name));
    options.deadline = std::min(options.deadline, deadline);
  }
  if (options.cycles == 0 && options.deadline == kDefaultDeadline) {
    options.notes.emplace_back("-N 0 repeats for 24 h: end it with Ctrl-C, or give -T");
  }
  ASHLAR_ASSIGN_OR_RETURN(options.stall_limit, Period(values, "stall"));
  if (!Given(values, "budget")) return base::OkStatus();
  if (options.iterations.has_value()) return Wrong("budget", Value(values, "budget"), "cannot go with -n");
  ASHLAR_ASSIGN_OR_RETURN(options.budget, Period(values, "budget"));
  return base::OkStatus();
}

// Arguments that only mean something with a GPU.
base::Status ReadForeign(const ArgumentValues& values, CollectiveOptions& options) {
  for (const std::string_view name : {"ngpus", "nthreads"}) {
    ASHLAR_ASSIGN_OR_RETURN(const int64_t number, WholeNumber(values, name, {1, kMaxRanks}));
    if (number != 1) {
      return Wrong(name, Value(values, name),
                   fmt::format("the MPI backend has one rank a process: --ranks {}", number));
    }
  }
  struct Row {
    std::string_view name;
    int64_t most;
    std::string_view note;
  };
  const Row rows[] = {
      {"blocking", 3, "-z: MPI collectives block anyway; nothing changes"},
      {"cudagraph", 1'000'000, "-G: CUDA graphs need a GPU backend; ignored"},
      {"report_cputime", 1, "-C: an MPI call returns when it is done, so its CPU time is its time; ignored"},
      {"local_register", 2, "-R: MPI registers its own buffers; ignored"},
  };
  for (const Row& row : rows) {
    ASHLAR_ASSIGN_OR_RETURN(const int64_t number, WholeNumber(values, row.name, {0, row.most}));
    if (number != 0) options.notes.emplace_back(row.note);
  }
  return base::OkStatus();
}

base::Status ReadDrill(const ArgumentValues& values, CollectiveOptions& options) {
  const std::string text = Value(values, "inject");
  ASHLAR_ASSIGN_OR_RETURN(options.faults, ParseRankFaults(text));
  if (options.faults.empty()) return base::OkStatus();
  if (!Given(values, "drill")) {
    return Wrong("inject", text, "makes faults on purpose and needs --drill; its result is no evidence");
  }
  options.notes.push_back(fmt::format("DRILL: faults were made on purpose ({}); this is no measurement", text));
  return base::OkStatus();
}

base::Status ReadLaunch(const ArgumentValues& values, CollectiveOptions& options) {
  options.hostfile = Value(values, "hostfile");
  options.output_file = Value(values, "output_file");
  if (!options.output_file.empty() && !options.output_file.ends_with(".json")) {
    return Wrong("output_file", options.output_file, "must end in .json");
  }
  if (!Given(values, "ranks")) return base::OkStatus();
  ASHLAR_ASSIGN_OR_RETURN(options.ranks, WholeNumber(values, "ranks", {1, kMaxRanks}));
  return base::OkStatus();
}

bool Known(std::string_view name) {
  return name == "collective" || std::any_of(std::begin(kArguments), std::end(kArguments),
                                             [name](const CollectiveArgument& row) { return row.name == name; });
}

}  // namespace

std::span<const CollectiveArgument> CollectiveArguments() { return kArguments; }

base::StatusOr<CollectiveOptions> ReadArguments(const ArgumentValues& values) {
  for (const auto& [name, value] : values) {
    if (!Known(name)) return base::Error(StatusCode::kInvalidArgument, "there is no argument --{}", name);
  }
  CollectiveOptions options;
  ASHLAR_RETURN_IF_ERROR(ReadKinds(values, options));
  ASHLAR_RETURN_IF_ERROR(ReadSizes(values, options));
  ASHLAR_RETURN_IF_ERROR(ReadCounts(values, options));
  ASHLAR_RETURN_IF_ERROR(ReadTimes(values, options));
  ASHLAR_RETURN_IF_ERROR(ReadForeign(values, options));
  ASHLAR_RETURN_IF_ERROR(ReadDrill(values, options));
  ASHLAR_RETURN_IF_ERROR(ReadLaunch(values, options));
  // Without a process to ask, only what no number of ranks could change: a wrong pair shows before anything starts.
  for (const Collective collective : options.collectives) {
    ASHLAR_RETURN_IF_ERROR(Combinations(options, collective, 1).status());
  }
  return options;
}

base::StatusOr<std::vector<Combination>> Combinations(const CollectiveOptions& options, Collective collective,
                                                      int ranks) {
  const CollectiveInfo& info = Info(collective);
  std::vector<int> roots = options.roots;
  if (roots.empty()) {
    for (int rank = 0; rank < ranks; ++rank) roots.push_back(rank);
  }
  if (!info.rooted) roots = {0};
  const std::vector<ReduceOp> ops = info.reduces ? options.ops : std::vector<ReduceOp>{ReduceOp::kSum};
  std::vector<Combination> combinations;
  base::Status undefined = base::OkStatus();
  for (const DataType type : options.types) {
    for (const ReduceOp op : ops) {
      const base::Status defined = info.reduces ? CheckReduction(op, type) : base::OkStatus();
      if (!defined.ok()) {
        undefined = defined;
        continue;
      }
      for (const int root : roots) combinations.push_back({type, op, root});
    }
  }
  if (!undefined.ok() && (!options.skip_undefined || combinations.empty())) return undefined;
  return combinations;
}

std::string ArgumentsToText(const ArgumentValues& values) {
  base::JsonObject object;
  for (const auto& [name, value] : values) {
    const auto row = std::find_if(std::begin(kArguments), std::end(kArguments),
                                  [&name = name](const CollectiveArgument& argument) { return argument.name == name; });
    const bool travels = name == "collective" || (row != std::end(kArguments) && row->travels);
    if (travels && !value.empty()) object[name] = value;
  }
  return base::WriteJson(object);
}

base::StatusOr<ArgumentValues> ArgumentsFromText(std::string_view text) {
  ASHLAR_ASSIGN_OR_RETURN(const base::Json json, base::ParseJson(text));
  if (!json.is_object()) return base::Error(StatusCode::kInvalidArgument, "the arguments of a rank are no object");
  ArgumentValues values;
  for (const auto& member : json.get_object()) {
    const std::string name(member.key());
    if (!member.value().is_string()) {
      return base::Error(StatusCode::kInvalidArgument, "the argument {} of a rank is no text", name);
    }
    values[name] = std::string(member.value().get_string());
  }
  return values;
}

}  // namespace ashlar::bench
