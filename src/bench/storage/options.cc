#include "bench/storage/options.h"

#include <algorithm>
#include <map>
#include <set>

#include "bench/storage/limits.h"

namespace ashlar::bench {
namespace {

using base::Bytes;
using base::Error;
using base::Status;
using base::StatusCode;
using base::StatusOr;

constexpr std::string_view kDefaultsFile = "bench/storage.yaml";

StatusOr<AccessPattern> ParsePattern(std::string_view word) {
  if (word == "seq" || word == "sequential") return AccessPattern::kSequential;
  if (word == "rand" || word == "random") return AccessPattern::kRandom;
  return Error(StatusCode::kInvalidArgument, "pattern '{}' is unknown: say seq or rand", word);
}

StatusOr<IoOperation> ParseOperation(std::string_view word) {
  if (word == "read") return IoOperation::kRead;
  if (word == "write") return IoOperation::kWrite;
  return Error(StatusCode::kInvalidArgument, "operation '{}' is unknown: say read or write", word);
}

StatusOr<Bytes> ParseBlock(std::string_view word) {
  StatusOr<Bytes> block = base::ParseSize(word);
  if (!block.ok()) return base::Annotate(block.status(), "block size");
  return block;
}

StatusOr<int> ParseDepth(std::string_view word) {
  const std::optional<int64_t> depth = base::ParseInt64(word);
  if (!depth || *depth < 1 || *depth > kMaxStorageDepth) {
    return Error(StatusCode::kInvalidArgument, "depth '{}' must be a number from 1 to {}", word, kMaxStorageDepth);
  }
  return static_cast<int>(*depth);
}

// The words of a list, each read by `parse`; an empty list or a word twice is an error of the caller's typing.
template <typename Value>
StatusOr<std::vector<Value>> ParseList(std::string_view text, StatusOr<Value> (*parse)(std::string_view)) {
  std::vector<Value> values;
  for (std::string_view word : base::Split(text, ',')) {
    ASHLAR_ASSIGN_OR_RETURN(Value value, parse(base::Trim(word)));
    if (std::find(values.begin(), values.end(), value) != values.end()) {
      return Error(StatusCode::kInvalidArgument, "'{}' stands twice in '{}'", word, text);
    }
    values.push_back(value);
  }
  return values;
}

Status ValidateCell(const StorageCell& cell, Bytes size) {
  const uint64_t block = cell.block.count;
  const auto refuse = [&cell](std::string_view reason) {
    return Error(StatusCode::kInvalidArgument, "cell '{}': {}", CellName(cell), reason);
  };
  if (block < kMinStorageBlockBytes || block > kMaxStorageBlockBytes || block % kMinStorageBlockBytes != 0) {
    return refuse("the block must be a multiple of 512 bytes, from 512 B to 64 MiB");
  }
  if (cell.depth < 1 || cell.depth > kMaxStorageDepth) {
    return refuse(fmt::format("the depth must be 1 to {}", kMaxStorageDepth));
  }
  if (block * static_cast<uint64_t>(cell.depth) > kMaxStorageBufferBytes) {
    return refuse("block times depth is over 2 GiB of buffers: ask for less of one of them");
  }
  if (block > size.count / 4) return refuse("the file must hold at least four blocks: ask for a larger --size");
  return base::OkStatus();
}

using DemandWords = std::vector<std::pair<std::string, std::string>>;

Status ReadStallShare(std::string_view text, StorageDemand& demand) {
  const std::optional<double> share = base::ParseDouble(text);
  if (!share || *share <= 0 || *share > 1) {
    return Error(StatusCode::kInvalidArgument, "stall_share '{}' must be a share above 0, at most 1", text);
  }
  demand.stall_share = *share;
  demand.stall_share_source = "the stated demand";
  return base::OkStatus();
}

StatusOr<absl::Duration> PositiveDuration(std::string_view text) {
  ASHLAR_ASSIGN_OR_RETURN(absl::Duration duration, base::ParseDuration(text));
  if (duration <= absl::ZeroDuration() || duration == absl::InfiniteDuration()) {
    return Error(StatusCode::kInvalidArgument, "'{}' must be a time above zero, as 30m", text);
  }
  return duration;
}

StatusOr<Bytes> PositiveSize(std::string_view text) {
  ASHLAR_ASSIGN_OR_RETURN(Bytes size, base::ParseSize(text));
  if (size.count == 0) return Error(StatusCode::kInvalidArgument, "'{}' must be a size above zero, as 80G", text);
  return size;
}

Status ReadDemandWord(std::string_view key, std::string_view value, StorageDemand& demand) {
  if (key == "checkpoint_bytes") {
    ASHLAR_ASSIGN_OR_RETURN(demand.checkpoint, PositiveSize(value));
  } else if (key == "interval") {
    ASHLAR_ASSIGN_OR_RETURN(demand.interval, PositiveDuration(value));
  } else if (key == "loading_rate") {
    ASHLAR_ASSIGN_OR_RETURN(Bytes rate, PositiveSize(value));
    demand.loading = base::BytesPerSecond{static_cast<double>(rate.count)};
  } else if (key == "fsync_p99") {
    ASHLAR_ASSIGN_OR_RETURN(demand.sync_p99, PositiveDuration(value));
  } else if (key == "stall_share") {
    return ReadStallShare(value, demand);
  } else {
    return Error(StatusCode::kInvalidArgument,
                 "not a demand: say checkpoint_bytes, interval, stall_share, loading_rate or fsync_p99");
  }
  return base::OkStatus();
}

// The share of data/ when the demand states none.
Status FillStallShare(StorageDemand& demand) {
  if (demand.stall_share > 0) return base::OkStatus();
  ASHLAR_ASSIGN_OR_RETURN(const base::Json defaults, base::EmbeddedYaml(kDefaultsFile));
  const base::Json* row = base::Find(defaults, "checkpoint_stall_share");
  if (row == nullptr) {
    return Error(StatusCode::kInternal, "data/{} has no checkpoint_stall_share", kDefaultsFile);
  }
  ASHLAR_ASSIGN_OR_RETURN(demand.stall_share, base::GetNumber(*row, "maximum"));
  ASHLAR_ASSIGN_OR_RETURN(const std::string source, base::GetString(*row, "source"));
  ASHLAR_ASSIGN_OR_RETURN(const std::string date, base::GetString(*row, "date"));
  demand.stall_share_source = fmt::format("data/{} checkpoint_stall_share: {} ({})", kDefaultsFile, source, date);
  return base::OkStatus();
}

StatusOr<StorageDemand> DemandFromWords(const DemandWords& words) {
  StorageDemand demand;
  std::set<std::string_view> seen;
  for (const auto& [key, value] : words) {
    const std::string where = fmt::format("demand '{}={}'", key, value);
    if (!seen.insert(key).second) return Error(StatusCode::kInvalidArgument, "{}: the key stands twice", where);
    const Status read = ReadDemandWord(key, value, demand);
    if (!read.ok()) return base::Annotate(read, where);
  }
  if (demand.checkpoint.has_value() != (demand.interval > absl::ZeroDuration())) {
    return Error(StatusCode::kInvalidArgument,
                 "demand: checkpoint_bytes and interval belong together, as checkpoint_bytes=80G,interval=30m");
  }
  if (demand.checkpoint) {
    ASHLAR_RETURN_IF_ERROR(FillStallShare(demand));
  } else if (demand.stall_share > 0) {
    return Error(StatusCode::kInvalidArgument, "demand: stall_share needs checkpoint_bytes and interval");
  }
  if (!demand.checkpoint && !demand.loading && !demand.sync_p99) {
    return Error(StatusCode::kInvalidArgument, "demand: it is empty; state one, as loading_rate=2G");
  }
  return demand;
}

// A configuration's number is in the key's base unit: bytes, seconds, a share.
StatusOr<std::string> DemandText(std::string_view key, const base::Json& value) {
  if (value.is_string()) return std::string(value.as_string());
  if (!value.is_number()) {
    return Error(StatusCode::kInvalidArgument, "demand {}: must be a text or a number", key);
  }
  const auto number = value.to_number<double>();
  const bool is_time = key == "interval" || key == "fsync_p99";
  return is_time ? fmt::format("{}s", number) : fmt::format("{}", number);
}

}  // namespace

std::string_view PatternName(AccessPattern pattern) {
  return pattern == AccessPattern::kSequential ? "sequential" : "random";
}

std::string_view OperationName(IoOperation operation) { return operation == IoOperation::kRead ? "read" : "write"; }

std::string CellName(const StorageCell& cell) {
  return fmt::format("{} {} {} depth {}", PatternName(cell.pattern), OperationName(cell.operation),
                     base::HumanBytes(cell.block), cell.depth);
}

std::vector<StorageCell> StandardStorageCells() {
  const Bytes small{4 * base::kKiB};
  const Bytes large{base::kMiB};
  std::vector<StorageCell> cells;
  for (IoOperation operation : {IoOperation::kWrite, IoOperation::kRead}) {
    cells.push_back({AccessPattern::kSequential, operation, large, 8});
    cells.push_back({AccessPattern::kRandom, operation, small, 1});
    cells.push_back({AccessPattern::kRandom, operation, small, 32});
  }
  return cells;
}

StatusOr<std::vector<StorageCell>> CrossStorageCells(const StorageAxes& axes) {
  ASHLAR_ASSIGN_OR_RETURN(const auto patterns, ParseList<AccessPattern>(axes.patterns, ParsePattern));
  ASHLAR_ASSIGN_OR_RETURN(const auto operations, ParseList<IoOperation>(axes.operations, ParseOperation));
  ASHLAR_ASSIGN_OR_RETURN(const auto blocks, ParseList<Bytes>(axes.blocks, ParseBlock));
  ASHLAR_ASSIGN_OR_RETURN(const auto depths, ParseList<int>(axes.depths, ParseDepth));
  if (patterns.size() * operations.size() * blocks.size() * depths.size() > kMaxStorageCells) {
    return Error(StatusCode::kInvalidArgument, "more than {} cells: give fewer blocks or depths", kMaxStorageCells);
  }
  std::vector<StorageCell> cells;
  for (AccessPattern pattern : patterns) {
    for (IoOperation operation : operations) {
      for (Bytes block : blocks) {
        for (int depth : depths) cells.push_back({pattern, operation, block, depth});
      }
    }
  }
  return cells;
}

StatusOr<StorageDemand> ParseStorageDemand(std::string_view text) {
  DemandWords words;
  for (std::string_view piece : base::Split(text, ',')) {
    const size_t equals = piece.find('=');
    if (equals == std::string_view::npos) {
      return Error(StatusCode::kInvalidArgument, "demand '{}': must be key=value, as loading_rate=2G", piece);
    }
    words.emplace_back(base::Trim(piece.substr(0, equals)), base::Trim(piece.substr(equals + 1)));
  }
  return DemandFromWords(words);
}

StatusOr<StorageDemand> StorageDemandFromJson(const base::Json& json) {
  if (!json.is_object()) return Error(StatusCode::kInvalidArgument, "demand: must be a map of keys and values");
  DemandWords words;
  for (const auto& member : json.as_object()) {
    ASHLAR_ASSIGN_OR_RETURN(std::string value, DemandText(member.key(), member.value()));
    words.emplace_back(member.key(), std::move(value));
  }
  return DemandFromWords(words);
}

Status ValidateStorageOptions(const StorageOptions& options) {
  const auto refuse = [](const std::string& reason) { return Status(StatusCode::kInvalidArgument, reason); };
  if (options.path.empty()) return refuse("the path is empty: name a folder");
  if (options.size.count < kMinStorageFileBytes || options.size.count > kMaxStorageFileBytes) {
    return refuse(fmt::format("size {} must be 16 MiB to 1 TiB", base::HumanBytes(options.size)));
  }
  if (options.cells.empty()) return refuse("nothing to measure: name a pattern, an operation, a block and a depth");
  if (options.cells.size() > kMaxStorageCells) {
    return refuse(fmt::format("{} cells are more than {}", options.cells.size(), kMaxStorageCells));
  }
  for (const StorageCell& cell : options.cells) ASHLAR_RETURN_IF_ERROR(ValidateCell(cell, options.size));
  if (options.cell_time < kMinStorageCellTime || options.cell_time > kMaxStorageCellTime) {
    return refuse("the time of a cell must be 100 ms to 1 h");
  }
  if (options.ramp < absl::ZeroDuration() || options.ramp > kMaxStorageCellTime) {
    return refuse("the ramp must be 0 to 1 h");
  }
  const bool budgeted = options.budget != absl::ZeroDuration();
  if (budgeted && (options.budget < kMinStorageBudget || options.budget > kMaxStorageBudget)) {
    return refuse("the budget must be 2 s to 24 h");
  }
  return base::OkStatus();
}

}  // namespace ashlar::bench
