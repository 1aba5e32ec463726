// SHA-256, hexadecimal and Base64. Any thread may call these.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace ashlar::base {

using Sha256Digest = std::array<uint8_t, 32>;

// FIPS 180-4 SHA-256 of `bytes`.
Sha256Digest Sha256(std::string_view bytes);

// SHA-256 of pieces that come one after the other. For one thread.
class Sha256Stream {
 public:
  Sha256Stream();
  ~Sha256Stream();
  Sha256Stream(Sha256Stream&&) noexcept;
  Sha256Stream& operator=(Sha256Stream&&) noexcept;

  void Update(std::string_view bytes);
  // The digest of everything so far; the stream starts anew.
  Sha256Digest Finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

// Lower-case digits, two for a byte.
std::string HexEncode(std::string_view bytes);
std::string HexEncode(const Sha256Digest& digest);
// kInvalidArgument for an odd length or another character; both cases of a digit are read.
StatusOr<std::string> HexDecode(std::string_view text);

// RFC 4648 section 4, with padding.
std::string Base64Encode(std::string_view bytes);
// kInvalidArgument for anything that Base64Encode would not have written.
StatusOr<std::string> Base64Decode(std::string_view text);

// The bytes of a digest as text that may hold any byte.
std::string_view AsBytes(const Sha256Digest& digest);

}  // namespace ashlar::base
