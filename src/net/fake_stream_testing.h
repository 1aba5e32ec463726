// A connection whose other side the test plays, byte by byte, with a clock that the test moves.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "net/stream.h"

namespace ashlar::net {

// One thread. Callbacks run only from Deliver...(), as a loop would run them.
class FakeStream : public Stream {
 public:
  void ReadSome(std::span<char> buffer, absl::Duration timeout, ReadDone done) override;
  void Write(std::string_view bytes, absl::Duration timeout, WriteDone done) override;
  void Close() override { closed_ = true; }
  void CloseGently(std::function<void()> done) override;
  bool IsQuiet() override { return !closed_; }
  const std::string& peer() const override { return peer_; }

  // Answers the read under way; `bytes` must fit its buffer, "" is the end.
  void DeliverBytes(std::string_view bytes);
  void DeliverReadError(base::Status status);
  // Answers the write under way.
  void DeliverWritten(base::Status status = base::OkStatus());
  // Answers the gentle close under way.
  void DeliverClosed();
  // Drops what is under way without a callback: the end of a test, where connection and stream hold each other.
  void Abandon();

  bool reading() const { return static_cast<bool>(read_done_); }
  bool writing() const { return static_cast<bool>(write_done_); }
  bool closing_gently() const { return static_cast<bool>(closed_done_); }
  bool closed() const { return closed_; }
  absl::Duration read_timeout() const { return read_timeout_; }
  absl::Duration write_timeout() const { return write_timeout_; }
  // Everything written so far.
  const std::string& written() const { return written_; }

 private:
  std::string peer_ = "198.51.100.1:1";
  std::span<char> buffer_;
  ReadDone read_done_;
  WriteDone write_done_;
  std::function<void()> closed_done_;
  absl::Duration read_timeout_;
  absl::Duration write_timeout_;
  std::string written_;
  bool closed_ = false;
};

}  // namespace ashlar::net
