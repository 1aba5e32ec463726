#include "net/http_framing.h"

#include <optional>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "net/http_syntax.h"

namespace ashlar::net {
namespace {

CodecError DecideTransferEncoding(const Headers& headers, int minor_version, Framing& framing) {
  if (headers.Count("Transfer-Encoding") > 1) return {400, "more than one Transfer-Encoding header"};
  if (headers.Count("Content-Length") > 0) return {400, "both Content-Length and Transfer-Encoding"};
  if (minor_version == 0) return {400, "Transfer-Encoding in HTTP/1.0"};
  const std::string_view value = headers.Get("Transfer-Encoding");
  if (EqualsIgnoringCase(value, "chunked")) {
    framing.kind = BodyKind::kChunked;
    return {};
  }
  const std::vector<std::string_view> codings = base::Split(value, ',');
  bool chunked_seen = false;
  for (const std::string_view element : codings) {
    const std::string_view coding = TrimBlanks(element);
    if (!IsToken(coding)) return {400, "Transfer-Encoding is not a list of codings"};
    // Chunked twice, or anything after it, leaves the end of the body to guesswork.
    if (chunked_seen) return {400, "chunked is not the last transfer coding"};
    chunked_seen = EqualsIgnoringCase(coding, "chunked");
  }
  return {501, "the only transfer coding understood here is chunked"};
}

}  // namespace

CodecError DecideFraming(const Headers& headers, int minor_version, Framing& framing) {
  framing = Framing{};
  if (headers.Find("Transfer-Encoding") != nullptr) return DecideTransferEncoding(headers, minor_version, framing);
  const std::string* length = headers.Find("Content-Length");
  if (length == nullptr) return {};
  if (headers.Count("Content-Length") > 1) return {400, "more than one Content-Length header"};
  const std::optional<uint64_t> count = base::ParseUint64(*length);
  if (!count.has_value()) return {400, "Content-Length is not a plain 64-bit decimal number"};
  framing.kind = BodyKind::kLength;
  framing.length = *count;
  return {};
}

bool KeepsAlive(const Headers& headers, int minor_version) {
  if (headers.HasToken("Connection", "close")) return false;
  return minor_version >= 1 || headers.HasToken("Connection", "keep-alive");
}

}  // namespace ashlar::net
