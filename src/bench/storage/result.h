// What a storage measurement found, and its JSON form `ashlar.bench.storage/1` (docs/architecture.md). Plain values.
#pragma once

#include <absl/time/time.h>

#include <optional>
#include <string>
#include <vector>

#include "base/base.h"
#include "bench/storage/mount.h"
#include "bench/storage/options.h"
#include "stats/stats.h"

namespace ashlar::bench {

// Quantiles by nearest rank, each right within stats::LatencyHistogram::kRelativeError; max and mean are exact.
struct LatencySummary {
  absl::Duration p50;
  absl::Duration p95;
  absl::Duration p99;
  absl::Duration p999;
  absl::Duration max;
  absl::Duration mean;
};
LatencySummary SummariseLatency(const stats::LatencyHistogram& histogram);

struct StorageRun {
  StorageCell cell;
  uint64_t operations = 0;
  absl::Duration elapsed;  // of the window; buffered writes include the flush at its end
  LatencySummary latency;

  base::BytesPerSecond Bandwidth() const;
  double OperationsPerSecond() const;
};

// Appending 4 KiB and waiting for fdatasync(2): what a log or a ledger does for each record. Latency is of the call.
struct SyncResult {
  uint64_t operations = 0;
  LatencySummary latency;
};

// Empty files in one new folder, one after the other, by one thread.
struct MetadataResult {
  uint64_t files = 0;
  double create_per_second = 0;
  double stat_per_second = 0;
  double remove_per_second = 0;
};

struct StorageResult {
  std::string run;
  std::string path;  // resolved
  StorageTarget target;
  bool direct = false;
  std::string direct_reason;  // why operations went through the page cache; "" when they did not
  std::string engine;         // "io_uring" or "threads"
  std::string engine_reason;  // why it is not io_uring; "" when it is
  bool huge_pages = false;    // huge pages were asked for the buffers
  base::Bytes size;           // of the test file as it was
  absl::Time started;
  absl::Duration wall;
  std::vector<StorageRun> runs;
  std::optional<SyncResult> sync;
  std::optional<MetadataResult> metadata;
  std::vector<std::string> notes;  // what was cut short, left out or cleaned up
  std::optional<StorageDemand> demand;
  std::vector<base::Finding> findings;
};

// The object that docs/architecture.md states, and beside it size_bytes, kind, huge_pages, engine_reason and notes.
base::Json StorageResultToJson(const StorageResult& result);

// The same for people: facts, a table of the runs, fsync and names, notes. Ends with a newline. Findings are not in it.
std::string FormatStorageResult(const StorageResult& result);

}  // namespace ashlar::bench
