// What a reader of one tool's output must do, and the table of all of them.
//
// A reader of text sees every line of one stream of one file in order, takes what it knows and leaves the rest; it
// emits a record for each run. Readers are for one thread and hold no more than one run. A file that is one JSON
// document is shown to the dialects that read documents.
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

// Emits the run of `document` when it is one of this dialect, else does nothing.
using TakeDocument = void (*)(const base::Json& document, const EmitRun& emit);

struct DialectRow {
  std::string_view id;  // the file of the reader: "nccl-text" is dialects/nccl_text.cc
  std::string_view what;
  std::unique_ptr<DialectReader> (*make)(EmitRun emit) = nullptr;  // of a dialect of lines
  TakeDocument take_document = nullptr;                            // of a dialect of JSON
};

std::span<const DialectRow> Dialects();

}  // namespace ashlar::bench
