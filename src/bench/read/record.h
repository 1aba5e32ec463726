// What one run of another tool left behind, in one form for all dialects: read, not yet judged.
//
// Numbers of collectives' tables stay as printed, with the line that they stood on; the document gives each its unit.
// Samples are in SI units. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/base.h"
#include "bench/read/printed.h"

namespace ashlar::bench {

// Where a run was read. Lines count from 1.
struct RunSource {
  std::string path;    // as given; "-" for standard input
  std::string stream;  // the launcher's prefix that marked its lines, "" for none
  uint64_t first_line = 0;
  uint64_t last_line = 0;
};

// One of the ranks that the run says it used.
struct RunDevice {
  uint64_t line = 0;
  int64_t rank = -1;
  std::optional<int64_t> group;
  std::optional<int64_t> pid;
  std::string host;
  std::optional<int64_t> device;
  std::string bus_id;
  std::string name;
};

// Out-of-place or in-place figures of one row: time in `CollectiveTable::time_unit`, bandwidths in GB/s.
struct PrintedPlacement {
  std::optional<PrintedNumber> time;
  std::optional<PrintedNumber> algbw;
  std::optional<PrintedNumber> busbw;
  std::optional<uint64_t> wrong;       // elements; nullopt when they were not checked
  std::optional<PrintedNumber> error;  // the largest difference, which versions before 2.13 print instead
};

struct CollectiveRow {
  uint64_t line = 0;
  uint64_t size_bytes = 0;
  uint64_t count = 0;
  std::string type;
  std::string redop;  // "" when the tool prints none
  std::string root;
  std::vector<PrintedPlacement> placements;  // out of place, in place; or the one that was measured
};

// What the run was asked for, as far as its header says.
struct RunRequest {
  std::optional<uint64_t> min_bytes;
  std::optional<uint64_t> max_bytes;
  std::optional<uint64_t> step;
  bool step_is_factor = false;
  std::optional<uint64_t> threads;
  std::optional<uint64_t> gpus;
  std::optional<uint64_t> iterations;
  std::optional<uint64_t> validation;
};

struct CollectiveTable {
  RunRequest request;
  uint64_t headers = 0;  // more than one before the first row: several copies of the program wrote into one log
  std::vector<RunDevice> devices;
  std::string time_unit = "us";
  std::vector<CollectiveRow> rows;
  std::optional<uint64_t> out_of_bounds;
  std::optional<PrintedNumber> average_busbw;
  uint64_t footer_line = 0;
};

// A figure of a run that is no collective table.
struct Quantity {
  std::string name;
  double value = 0;
  std::string unit;
  double half_step = 0;  // half of the last digit printed, in `unit`; 0 when it is not known
};

struct Sample {
  uint64_t line = 0;
  base::JsonObject labels;  // what it was measured at: size_bytes, iteration, row, column
  std::vector<Quantity> quantities;
};

// Something about the text that a reader of the figures should know.
struct ReadNote {
  uint64_t line = 0;
  std::string text;
  bool is_damage = false;  // figures are missing or cut: the run cannot pass
};

struct RunRecord {
  std::string dialect;  // the registry's row
  std::string tool;     // "nccl-tests", "rccl-tests", ...
  std::string version;  // "" when the text does not say
  std::string test;     // "all_reduce", "" when it does not say
  RunSource source;
  std::optional<CollectiveTable> collective;
  std::vector<Sample> samples;
  bool is_complete = false;  // its last line was seen
  std::vector<ReadNote> notes;
  std::vector<base::Finding> findings;  // once judged
};

// The normalised record, schema "ashlar.bench.read/1": times in seconds, bandwidths in bytes per second.
base::Json RunRecordToJson(const RunRecord& record);

}  // namespace ashlar::bench
