#include "bench/read/sample_run.h"

#include "bench/read/limits.h"

namespace ashlar::bench {

void SampleRun::Begin(const ReadLine& line, std::string_view test, std::string_view version) {
  record_ = {};
  record_.dialect = dialect_;
  record_.tool = tool_;
  record_.test = test;
  record_.version = version;
  record_.source.first_line = line.number;
  record_.source.last_line = line.number;
  labels_ = {};
  is_open_ = true;
}

bool SampleRun::Add(Sample sample) {
  record_.source.last_line = sample.line;
  if (record_.samples.size() >= kMostSamples) {
    Note(sample.line, fmt::format("more than {} rows: the rest is left out", kMostSamples), true);
    return false;
  }
  for (const auto& [name, value] : labels_) sample.labels.emplace(name, value);
  record_.samples.push_back(std::move(sample));
  return true;
}

void SampleRun::Note(uint64_t line, std::string text, bool is_damage) {
  const size_t most = is_damage ? 2 * kMostNotes : kMostNotes;
  if (record_.notes.size() >= most) return;
  record_.notes.push_back({.line = line, .text = std::move(text), .is_damage = is_damage});
}

void SampleRun::NoteHeading(const ReadLine& line) {
  Note(line.number,
       line.is_whole ? "this table has a column that is not known" : "the text ends inside the table's heading", true);
}

void SampleRun::End(std::string why_not) {
  if (!is_open_) return;
  record_.is_complete = why_not.empty();
  // Always kept, whatever the limit: the verdict quotes the last note.
  if (!why_not.empty())
    record_.notes.push_back({.line = record_.source.last_line, .text = std::move(why_not), .is_damage = false});
  is_open_ = false;
  emit_(std::move(record_));
  record_ = {};
}

}  // namespace ashlar::bench
