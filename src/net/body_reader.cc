#include "net/body_reader.h"

#include <algorithm>
#include <array>

#include "net/http_syntax.h"

namespace ashlar::net {
namespace {

constexpr size_t kFirstReservation = size_t{64} << 10U;  // a stated length is a claim: memory follows the bytes

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Fields that frame, route or authenticate a message must stand before its body (RFC 9110 section 6.5.1).
bool ForbiddenInTrailers(std::string_view name) {
  constexpr std::array<std::string_view, 12> kNames = {
      "Content-Length", "Transfer-Encoding", "Host",          "Connection",   "Trailer", "TE",
      "Authorization",  "Content-Encoding",  "Content-Range", "Content-Type", "Expect",  "Set-Cookie"};
  return std::any_of(kNames.begin(), kNames.end(),
                     [name](std::string_view forbidden) { return EqualsIgnoringCase(name, forbidden); });
}

}  // namespace

CodecError ParseHeaderLine(std::string_view line, Headers& headers) {
  if (line.front() == ' ' || line.front() == '\t') return {400, "a header line starts with a blank"};
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {400, "a header line has no colon"};
  const std::string_view name = line.substr(0, colon);
  if (!IsToken(name)) return {400, "a header name is empty or holds a character that no name may hold"};
  const std::string_view value = TrimBlanks(line.substr(colon + 1));
  if (!IsFieldValue(value)) return {400, "a header value holds a control character"};
  headers.Add(name, value);
  return {};
}

CodecError BodyReader::Start(const Framing& framing, size_t limit) {
  error_ = {};
  limit_ = limit;
  taken_ = 0;
  left_ = framing.length;
  digits_ = 0;
  extension_bytes_ = 0;
  switch (framing.kind) {
    case BodyKind::kNone: state_ = State::kDone; break;
    case BodyKind::kLength:
      state_ = framing.length == 0 ? State::kDone : State::kBytes;
      if (framing.length > limit) Fail(413, "the body is longer than the limit");
      break;
    case BodyKind::kChunked:
      state_ = State::kChunkSize;
      left_ = 0;
      break;
    case BodyKind::kUntilClose: state_ = State::kUntilClose; break;
  }
  return error_;
}

size_t BodyReader::Feed(std::string_view bytes, std::string& body, Headers& trailers) {
  size_t used = 0;
  while (used < bytes.size() && state_ != State::kDone && state_ != State::kFailed) {
    const std::string_view rest = bytes.substr(used);
    switch (state_) {
      case State::kBytes:
      case State::kChunkBytes: used += FeedBytes(rest, body); break;
      case State::kUntilClose: used += FeedUntilClose(rest, body); break;
      case State::kTrailers: used += FeedTrailers(rest, trailers); break;
      default: FeedChunkFraming(rest.front()); ++used;
    }
  }
  return used;
}

size_t BodyReader::FeedBytes(std::string_view bytes, std::string& body) {
  if (body.empty()) body.reserve(static_cast<size_t>(std::min<uint64_t>(left_, kFirstReservation)));
  const size_t count = static_cast<size_t>(std::min<uint64_t>(left_, bytes.size()));
  body.append(bytes.substr(0, count));
  taken_ += count;
  left_ -= count;
  if (left_ == 0) state_ = state_ == State::kBytes ? State::kDone : State::kChunkDataCarriageReturn;
  return count;
}

size_t BodyReader::FeedUntilClose(std::string_view bytes, std::string& body) {
  const size_t room = static_cast<size_t>(limit_ - taken_);
  const size_t count = std::min(room, bytes.size());
  body.append(bytes.substr(0, count));
  taken_ += count;
  if (count == bytes.size()) return count;
  Fail(413, "the body is longer than the limit");
  return count + 1;
}

void BodyReader::FeedChunkFraming(char c) {
  switch (state_) {
    case State::kChunkSize: FeedChunkSize(c); break;
    case State::kChunkExtension: FeedChunkExtension(c); break;
    case State::kChunkLineEnd:
      if (c != '\n') {
        Fail(400, "a chunk line ends with a carriage return alone");
      } else {
        EndChunkLine();
      }
      break;
    case State::kChunkDataCarriageReturn:
      if (c != '\r') {
        Fail(400, "a chunk is longer than its size");
      } else {
        state_ = State::kChunkDataLineFeed;
      }
      break;
    default:
      if (c != '\n') {
        Fail(400, "a chunk is longer than its size");
      } else {
        state_ = State::kChunkSize;
      }
  }
}

void BodyReader::FeedChunkSize(char c) {
  const int digit = HexDigit(c);
  if (digit >= 0) {
    if (++digits_ > kMaxChunkSizeDigits) {
      Fail(400, "a chunk size has too many digits");
      return;
    }
    left_ = left_ * 16 + static_cast<uint64_t>(digit);
    return;
  }
  if (digits_ == 0 || (c != '\r' && c != ';')) {
    Fail(400, "a chunk size is not plain hexadecimal digits");
    return;
  }
  state_ = c == '\r' ? State::kChunkLineEnd : State::kChunkExtension;
}

void BodyReader::FeedChunkExtension(char c) {
  if (c == '\r') {
    state_ = State::kChunkLineEnd;
    return;
  }
  if (!IsFieldValue(std::string_view(&c, 1))) {
    Fail(400, "a chunk extension holds a control character");
    return;
  }
  // Extensions mean nothing here; many of them are work without a body (CVE-2023-39326 is that fault elsewhere).
  if (++extension_bytes_ > kMaxChunkExtensionBytes) Fail(400, "the chunk extensions are longer than the limit");
}

void BodyReader::EndChunkLine() {
  digits_ = 0;
  if (left_ == 0) {
    state_ = State::kTrailers;
    lines_.Reset();
    return;
  }
  if (left_ > limit_ - taken_) {
    Fail(413, "the body is longer than the limit");
    return;
  }
  state_ = State::kChunkBytes;
}

size_t BodyReader::FeedTrailers(std::string_view bytes, Headers& trailers) {
  const LineAssembler::Step step = lines_.Next(bytes);
  switch (step.result) {
    case LineAssembler::Result::kMore: break;
    case LineAssembler::Result::kBadEnd: Fail(400, "a trailer line ends with a line feed alone"); break;
    case LineAssembler::Result::kTooLong: Fail(431, "the trailers are longer than the limit"); break;
    case LineAssembler::Result::kLine: {
      if (step.line.empty()) {
        state_ = State::kDone;
        break;
      }
      const CodecError error = ParseHeaderLine(step.line, trailers);
      if (!error.ok()) {
        Fail(error.status, error.message);
      } else if (ForbiddenInTrailers((trailers.end() - 1)->name)) {
        Fail(400, "a trailer that only makes sense before the body");
      } else if (trailers.size() > kMaxHeaderCount) {
        Fail(431, "more trailers than the limit");
      }
    }
  }
  return step.consumed;
}

bool BodyReader::FinishAtEnd() {
  if (state_ == State::kUntilClose) state_ = State::kDone;
  return state_ == State::kDone;
}

void BodyReader::Fail(int status, std::string_view message) {
  state_ = State::kFailed;
  error_ = {status, std::string(message)};
}

}  // namespace ashlar::net
