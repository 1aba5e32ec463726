// Between entries and their stored bytes: RFC 8785 of {actor, body, kind, sequence, subject, time}.
//
// Everything but sequence and time is written before the write lock is taken, in the thread of the caller. Any thread
// may call these.
#pragma once

#include <absl/time/time.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/base.h"
#include "ledger/ledger.h"

namespace ashlar::ledger {

// A draft that keeps the rules, with the canonical text around the two members that are not known yet.
struct PreparedDraft {
  Draft draft;
  std::string before_sequence;  // {"actor":...,"body":...,"kind":...,"sequence":
  std::string before_time;      // ,"subject":...,"time":"
};

// kInvalidArgument naming the field and the rule; kResourceExhausted over kMaxEntryBytes.
base::StatusOr<PreparedDraft> PrepareDraft(Draft draft);

// `time` as base::Rfc3339 writes it.
std::string CompleteEntry(const PreparedDraft& prepared, uint64_t sequence, std::string_view time);

// The members of stored bytes, still in their JSON form, as views into them.
struct EntryView {
  std::string_view kind;  // without quotes: it needs no escapes
  uint64_t sequence = 0;
  std::string_view subject;  // with quotes and escapes
  std::string_view time;     // 27 characters, without quotes
};

// True when `bytes` are a canonical entry; fills `view`.
bool ScanEntry(std::string_view bytes, EntryView& view);

// True when the JSON string `quoted` stands for `text`.
bool IsQuoted(std::string_view quoted, std::string_view text);

// kDataLoss when `bytes` are no canonical entry.
base::StatusOr<Entry> ParseEntry(std::string_view bytes);

}  // namespace ashlar::ledger
