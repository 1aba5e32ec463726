// Lines that end with CR LF, put together from whatever pieces the network delivers, within a limit.
//
// Bounded: it never holds more than the limit. For one thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ashlar::net {

class LineAssembler {
 public:
  enum class Result {
    kMore,     // all bytes were taken and the line goes on
    kLine,     // `line` holds it, without its end
    kBadEnd,   // a line feed without a carriage return before it
    kTooLong,  // the byte after the limit was reached
  };
  struct Step {
    Result result = Result::kMore;
    size_t consumed = 0;
    std::string_view line;  // valid until the next call, and no longer than the bytes that were fed
  };

  // `limit`: bytes of all lines together, their ends included.
  explicit LineAssembler(size_t limit) : limit_(limit) {}

  // Takes bytes up to the end of a line. The result does not depend on how the bytes are cut into pieces.
  Step Next(std::string_view bytes);
  // Starts counting anew, optionally with another limit.
  void Reset() { Reset(limit_); }
  void Reset(size_t limit);
  // Bytes taken since the last Reset().
  size_t used() const { return used_; }

 private:
  size_t limit_;
  size_t used_ = 0;
  bool line_done_ = false;  // buffer_ holds a line that was handed out
  std::string buffer_;      // the start of a line whose end has not come yet
};

}  // namespace ashlar::net
