// The response parser: any bytes, in one piece and one by one, give the same outcome; what was read and is written
// again reads the same. The first byte chooses whether the answer is one to HEAD.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "net/http_codec.h"
#include "net/http_writer.h"

namespace {

using ashlar::net::CodecLimits;
using ashlar::net::Response;
using ashlar::net::ResponseParser;
using Phase = ashlar::net::MessageParser::Phase;

constexpr CodecLimits kLimits{.head_bytes = 2048, .body_bytes = 1024};

void Require(bool holds) {
  if (!holds) std::abort();
}

bool SameMessage(const Response& a, const Response& b) {
  return a.status == b.status && a.reason == b.reason && a.minor_version == b.minor_version && a.headers == b.headers &&
         a.body == b.body && a.trailers == b.trailers;
}

size_t FeedByteByByte(ResponseParser& parser, std::string_view bytes) {
  size_t used = 0;
  while (used < bytes.size() && parser.Feed(bytes.substr(used, 1)) == 1) ++used;
  return used;
}

void CheckWriting(const Response& response) {
  const ashlar::base::StatusOr<std::string> first = ashlar::net::WriteResponse(response);
  Require(first.ok());
  ResponseParser parser("GET", {.head_bytes = 4096, .body_bytes = 1024});
  Require(parser.Feed(*first) == first->size());
  Require(parser.phase() == Phase::kComplete);
  const Response again = parser.Take();
  Require(again.body == response.body && again.trailers == response.trailers && again.status == response.status);
  Require(*ashlar::net::WriteResponse(again) == *first);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view method = (data[0] & 1U) != 0 ? "HEAD" : "GET";
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  ResponseParser whole(method, kLimits);
  ResponseParser pieces(method, kLimits);
  const size_t used = whole.Feed(bytes);
  Require(FeedByteByByte(pieces, bytes) == used);
  whole.FinishAtEnd();
  pieces.FinishAtEnd();
  Require(whole.phase() == pieces.phase());
  Require(whole.phase() == Phase::kComplete || whole.phase() == Phase::kFailed);
  Require(whole.error().status == pieces.error().status && whole.error().message == pieces.error().message);
  Require(whole.keep_alive() == pieces.keep_alive());
  Require(whole.response().body.size() <= kLimits.body_bytes);
  Require(SameMessage(whole.response(), pieces.response()));
  if (whole.phase() == Phase::kComplete) CheckWriting(whole.Take());
  return 0;
}
