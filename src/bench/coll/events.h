// The wire between rank 0 and the one who started the ranks: JSON objects, one a line, on standard output.
//
// Anything else that a launcher prints there is passed over. One thread a reader.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/base.h"
#include "bench/coll/session.h"

namespace ashlar::bench {

// Puts the pieces of a stream together to events.
class EventReader {
 public:
  using OnEvent = std::function<void(SessionEvent, base::Json)>;
  explicit EventReader(OnEvent on_event) : on_event_(std::move(on_event)) {}

  // A line over kMaxEventLineBytes is dropped, and error() says so.
  void Take(std::string_view chunk);
  // The first error that a rank told, or that the stream had.
  const base::Status& error() const { return error_; }

 private:
  void TakeLine(std::string_view line);

  OnEvent on_event_;
  std::string line_;
  bool overlong_ = false;
  base::Status error_;
};

}  // namespace ashlar::bench
