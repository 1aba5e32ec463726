// Reads a message's body, however it is framed, into a string within a limit. For one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/http_framing.h"
#include "net/limits.h"
#include "net/line_assembler.h"

namespace ashlar::net {

// Splits "name: value" by the rules for header lines: a token, no blank before the colon, no continuation of the line
// before. 400 with the reason otherwise.
CodecError ParseHeaderLine(std::string_view line, Headers& headers);

class BodyReader {
 public:
  BodyReader() : lines_(kMaxTrailerBytes) {}

  // Begins a body. The answer is 413 when the length is known to be over `limit` already. `body` and `trailers` are
  // filled as bytes come; they must outlive the reading.
  CodecError Start(const Framing& framing, size_t limit);
  // Takes bytes of the body and no byte more. The result does not depend on how the bytes are cut into pieces.
  size_t Feed(std::string_view bytes, std::string& body, Headers& trailers);
  // The connection ended. True when that is a proper end of the body.
  bool FinishAtEnd();

  bool complete() const { return state_ == State::kDone; }
  const CodecError& error() const { return error_; }

 private:
  enum class State {
    kDone,
    kFailed,
    kBytes,  // of a known length
    kUntilClose,
    kChunkSize,
    kChunkExtension,
    kChunkLineEnd,  // the LF of a chunk's first line
    kChunkBytes,
    kChunkDataCarriageReturn,
    kChunkDataLineFeed,
    kTrailers,
  };

  size_t FeedBytes(std::string_view bytes, std::string& body);
  size_t FeedUntilClose(std::string_view bytes, std::string& body);
  void FeedChunkFraming(char c);
  void FeedChunkSize(char c);
  void FeedChunkExtension(char c);
  void EndChunkLine();
  size_t FeedTrailers(std::string_view bytes, Headers& trailers);
  void Fail(int status, std::string_view message);

  State state_ = State::kDone;
  uint64_t left_ = 0;   // bytes of the body or the chunk still to come
  uint64_t taken_ = 0;  // bytes of the body so far
  size_t limit_ = 0;    // of the body
  size_t digits_ = 0;   // of the chunk size
  size_t extension_bytes_ = 0;
  LineAssembler lines_;  // trailers
  CodecError error_;
};

}  // namespace ashlar::net
