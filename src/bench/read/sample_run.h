// The one run that a reader of samples holds open, within the limits: rows in, notes in, a record out.
//
// For one thread, like the reader that owns it.
#pragma once

#include <string>
#include <string_view>

#include "bench/read/dialect.h"
#include "bench/read/record.h"

namespace ashlar::bench {

class SampleRun {
 public:
  SampleRun(EmitRun emit, std::string_view dialect, std::string_view tool)
      : emit_(std::move(emit)), dialect_(dialect), tool_(tool) {}

  bool is_open() const { return is_open_; }
  const RunRecord& record() const { return record_; }

  // A run begins with `line`; one that is open must have been ended before.
  void Begin(const ReadLine& line, std::string_view test, std::string_view version);

  // A label of every row from now on. A word is no longer than a heading is.
  void SetLabel(std::string_view name, uint64_t number) { labels_[name] = number; }
  void SetLabel(std::string_view name, std::string_view word) { labels_[name] = word; }

  // `line` belongs to the run.
  void Touch(const ReadLine& line) { record_.source.last_line = line.number; }

  // False when the run is full: the row is left out, and noted.
  bool Add(Sample sample);

  void Note(uint64_t line, std::string text, bool is_damage);

  // `line` is the heading of a table that cannot be read.
  void NoteHeading(const ReadLine& line);

  // Hands the record out. `why_not` says why it is not known to be complete, "" when it is.
  void End(std::string why_not);

 private:
  EmitRun emit_;
  std::string_view dialect_;
  std::string_view tool_;
  RunRecord record_;
  base::JsonObject labels_;
  bool is_open_ = false;
};

}  // namespace ashlar::bench
