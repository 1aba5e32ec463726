// What a reader of one tool's output must do, and the table of all of them.
//
// A reader sees every line of one stream of one file in order, takes what it knows and leaves the rest; it emits a
// record for each run. Readers are for one thread and hold no more than one run.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "bench/read/record.h"

namespace ashlar::bench {

// A line without its end and without the launcher's prefix.
struct ReadLine {
  uint64_t number = 0;  // in the file, from 1
  std::string_view text;
  bool is_whole = true;  // false when the file ends inside the line: its last figure may be cut
};

using EmitRun = std::function<void(RunRecord record)>;

class DialectReader {
 public:
  virtual ~DialectReader() = default;
  virtual void Take(const ReadLine& line) = 0;
  // The stream ended: emits the run that is still open.
  virtual void Finish() = 0;
};

struct DialectRow {
  std::string_view id;  // the file of the reader: "nccl-text" is dialects/nccl_text.cc
  std::string_view what;
  std::unique_ptr<DialectReader> (*make)(EmitRun emit);
};

std::span<const DialectRow> Dialects();

}  // namespace ashlar::bench
