// What to measure on a folder's storage, and what is demanded of it. Values without behaviour; copies are free.
#pragma once

#include <absl/time/time.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::bench {

enum class AccessPattern { kSequential, kRandom };
enum class IoOperation { kRead, kWrite };

// One kind of access, measured on its own: `depth` operations of `block` bytes are in flight at any time.
struct StorageCell {
  AccessPattern pattern = AccessPattern::kSequential;
  IoOperation operation = IoOperation::kRead;
  base::Bytes block{base::kMiB};
  int depth = 1;
};

std::string_view PatternName(AccessPattern pattern);    // "sequential", "random"
std::string_view OperationName(IoOperation operation);  // "read", "write"

// "sequential read 1 MiB depth 8".
std::string CellName(const StorageCell& cell);

// What a checkpoint and a data loader meet: 1 MiB sequential at depth 8, 4 KiB random at depth 1 and 32, each read and
// write.
std::vector<StorageCell> StandardStorageCells();

// Axes as typed: "seq,rand", "read,write", "4K,1M", "1,8,32". The cells are their product.
struct StorageAxes {
  std::string patterns = "seq,rand";
  std::string operations = "read,write";
  std::string blocks = "4K,1M";
  std::string depths = "1,8,32";
};
// kInvalidArgument naming the axis and the word that it does not know, or a limit of limits.h.
base::StatusOr<std::vector<StorageCell>> CrossStorageCells(const StorageAxes& axes);

// What training asks of this storage. Absent members are not judged.
struct StorageDemand {
  std::optional<base::Bytes> checkpoint;        // written by this machine each interval
  absl::Duration interval;                      // between checkpoints; set when `checkpoint` is
  double stall_share = 0;                       // of the interval that writing may take; set when `checkpoint` is
  std::string stall_share_source;               // where the share comes from
  std::optional<base::BytesPerSecond> loading;  // sequential read that the data loader needs
  std::optional<absl::Duration> sync_p99;       // 99 % of fdatasync calls must be this fast
};

// Reads "checkpoint_bytes=80G,interval=30m,loading_rate=2G,stall_share=0.05,fsync_p99=10ms". Sizes as ParseSize reads
// them (the rate is that much a second), durations as ParseDuration. Without stall_share the one of
// data/bench/storage.yaml holds. kInvalidArgument naming the key that is unknown, twice, malformed or alone.
base::StatusOr<StorageDemand> ParseStorageDemand(std::string_view text);

// The same from a configuration's object, {"checkpoint_bytes": "80G", "interval": "30m"}; numbers are bytes or seconds.
base::StatusOr<StorageDemand> StorageDemandFromJson(const base::Json& json);

struct StorageOptions {
  std::string path = ".";  // an existing folder that this process may write
  std::string run;         // id of the validation; "" makes a new one
  std::vector<StorageCell> cells = StandardStorageCells();
  base::Bytes size{base::kGiB};                   // of the test file
  absl::Duration ramp = absl::Milliseconds(300);  // before each cell's window; not measured
  absl::Duration cell_time = absl::Seconds(3);    // each cell's window, when there is no budget
  absl::Duration budget = absl::ZeroDuration();   // wall clock for everything; zero: none
  bool huge_pages = false;                        // buffers in huge pages, as a checkpoint engine may use
  bool sync = true;                               // measure fsync
  bool metadata = true;                           // measure names
  std::optional<StorageDemand> demand;
};

// kInvalidArgument with the member, its value and the limit that it breaks.
base::Status ValidateStorageOptions(const StorageOptions& options);

}  // namespace ashlar::bench
