// A connection as callbacks: what the server's and the client's state machines see, so that they know neither sockets
// nor TLS and tests can play the other side byte by byte.
#pragma once

#include <absl/time/time.h>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/base.h"

namespace ashlar::net {

// All calls and callbacks on the thread of the loop that made it. One operation at a time. A callback never runs inside
// the call that asked for it, and runs exactly once.
class Stream {
 public:
  using ReadDone = std::function<void(base::StatusOr<size_t>)>;
  using WriteDone = std::function<void(base::Status)>;

  virtual ~Stream() = default;
  // Some bytes into `buffer`, which must stay until the callback; 0 is the end. kDeadlineExceeded after `timeout`,
  // kCancelled after Close(), kDataLoss for TLS that ended without saying so, kUnavailable for a broken connection.
  // After kDeadlineExceeded of a read the stream may still be written to; after another error only closing makes sense.
  virtual void ReadSome(std::span<char> buffer, absl::Duration timeout, ReadDone done) = 0;
  // All of `bytes`, which must stay until the callback. Errors as ReadSome.
  virtual void Write(std::string_view bytes, absl::Duration timeout, WriteDone done) = 0;
  // Ends the connection now. Callbacks under way get kCancelled.
  virtual void Close() = 0;
  // Ends it so that the peer can read what was written: says the end, takes and drops what still comes (bounded by
  // kLingerDeadline and kMaxLingerBytes), closes, calls `done`. Without it the peer may see a reset in place of a
  // refusal.
  virtual void CloseGently(std::function<void()> done) = 0;
  // No byte and no end has come since the last read: an idle connection that may be used again.
  virtual bool IsQuiet() = 0;
  // "address:port" of the other side.
  virtual const std::string& peer() const = 0;
};

}  // namespace ashlar::net
