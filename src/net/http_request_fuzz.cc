// The request parser: any bytes, in one piece and one by one, give the same outcome; what was read and is written again
// reads the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "net/http_codec.h"
#include "net/http_writer.h"
#include "net/target.h"

namespace {

using ashlar::net::CodecLimits;
using ashlar::net::Request;
using ashlar::net::RequestParser;
using Phase = ashlar::net::MessageParser::Phase;

constexpr CodecLimits kLimits{.head_bytes = 2048, .body_bytes = 1024};

void Require(bool holds) {
  if (!holds) std::abort();
}

bool SameMessage(const Request& a, const Request& b) {
  return a.method == b.method && a.target == b.target && a.minor_version == b.minor_version && a.headers == b.headers &&
         a.body == b.body && a.trailers == b.trailers;
}

size_t FeedByteByByte(RequestParser& parser, std::string_view bytes) {
  size_t used = 0;
  while (used < bytes.size() && parser.Feed(bytes.substr(used, 1)) == 1) ++used;
  return used;
}

// The writer's own framing makes the second and the third writing equal.
void CheckWriting(const Request& request) {
  const ashlar::base::StatusOr<std::string> first = ashlar::net::WriteRequest(request);
  // HTTP/1.0 cannot carry trailers, and no message of it was read with any.
  Require(first.ok());
  RequestParser parser({.head_bytes = 4096, .body_bytes = 1024});
  Require(parser.Feed(*first) == first->size());
  Require(parser.phase() == Phase::kComplete);
  const Request again = parser.Take();
  Require(again.body == request.body && again.trailers == request.trailers && again.target == request.target);
  Require(*ashlar::net::WriteRequest(again) == *first);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  RequestParser whole(kLimits);
  RequestParser pieces(kLimits);
  const size_t used = whole.Feed(bytes);
  Require(FeedByteByByte(pieces, bytes) == used);
  Require(whole.phase() == pieces.phase());
  Require(whole.error().status == pieces.error().status && whole.error().message == pieces.error().message);
  Require(whole.keep_alive() == pieces.keep_alive());
  Require(whole.request().body.size() <= kLimits.body_bytes);
  Require(SameMessage(whole.request(), pieces.request()));
  if (whole.phase() == Phase::kComplete) {
    const Request request = whole.Take();
    CheckWriting(request);
    (void)ashlar::net::ParseTarget(request.target).ok();
  }
  (void)ashlar::net::ParseUrl(bytes).ok();
  return 0;
}
