#include "net/line_assembler.h"

namespace ashlar::net {

LineAssembler::Step LineAssembler::Next(std::string_view bytes) {
  if (line_done_) {
    buffer_.clear();
    line_done_ = false;
  }
  const size_t feed = bytes.find('\n');
  const size_t wanted = feed == std::string_view::npos ? bytes.size() : feed + 1;
  const size_t room = limit_ - used_;
  if (wanted > room) {
    // As if the bytes had come one by one: the first one too many ends it.
    used_ = limit_;
    return {Result::kTooLong, room + 1, {}};
  }
  used_ += wanted;
  if (feed == std::string_view::npos) {
    buffer_.append(bytes);
    return {Result::kMore, wanted, {}};
  }
  std::string_view line = bytes.substr(0, wanted);
  if (!buffer_.empty()) {
    buffer_.append(line);
    line = buffer_;
    line_done_ = true;
  }
  if (line.size() < 2 || line[line.size() - 2] != '\r') return {Result::kBadEnd, wanted, {}};
  return {Result::kLine, wanted, line.substr(0, line.size() - 2)};
}

void LineAssembler::Reset(size_t limit) {
  limit_ = limit;
  used_ = 0;
  line_done_ = false;
  buffer_.clear();
}

}  // namespace ashlar::net
