// Where a message's body ends: the rules of RFC 9112 section 6, with everything that two readers could understand
// differently refused. Any thread may call these.
#pragma once

#include <cstdint>
#include <string>

#include "net/http_message.h"

namespace ashlar::net {

// Why a message was refused. `status` is what a server answers with; a client only tells 413 and 431 (over a limit)
// from the rest (malformed).
struct CodecError {
  int status = 0;  // 0: none
  std::string message;
  bool ok() const { return status == 0; }
};

enum class BodyKind {
  kNone,
  kLength,      // Content-Length says how many bytes
  kChunked,     // the last chunk ends it
  kUntilClose,  // responses only: the end of the connection ends it
};

struct Framing {
  BodyKind kind = BodyKind::kNone;
  uint64_t length = 0;  // of kLength
};

// From the headers alone. No framing header gives kNone. Refused: Content-Length and Transfer-Encoding together,
// either one twice, a Content-Length that is not plain digits of a 64-bit number, Transfer-Encoding in HTTP/1.0 or
// other than exactly "chunked" (501 when it is a well-formed coding that we do not have, else 400).
CodecError DecideFraming(const Headers& headers, int minor_version, Framing& framing);

// Whether the connection may carry another message after this one (RFC 9112 section 9.3).
bool KeepsAlive(const Headers& headers, int minor_version);

}  // namespace ashlar::net
