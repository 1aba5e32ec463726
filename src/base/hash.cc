#include "base/hash.h"

#include <openssl/evp.h>

#include <climits>
#include <cstdlib>

namespace ashlar::base {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// OpenSSL fails here only when memory ends or the library is broken: nothing could be signed or verified after that.
void Require(int result) {
  if (result != 1) std::abort();
}

const EVP_MD* Sha256Method() {
  static const EVP_MD* const method = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return method;
}

}  // namespace

struct Sha256Stream::Context {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> digest{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
};

Sha256Stream::Sha256Stream() : context_(std::make_unique<Context>()) {
  Require(EVP_DigestInit_ex2(context_->digest.get(), Sha256Method(), nullptr));
}
Sha256Stream::~Sha256Stream() = default;
Sha256Stream::Sha256Stream(Sha256Stream&&) noexcept = default;
Sha256Stream& Sha256Stream::operator=(Sha256Stream&&) noexcept = default;

void Sha256Stream::Update(std::string_view bytes) {
  Require(EVP_DigestUpdate(context_->digest.get(), bytes.data(), bytes.size()));
}

Sha256Digest Sha256Stream::Finish() {
  Sha256Digest digest;
  Require(EVP_DigestFinal_ex(context_->digest.get(), digest.data(), nullptr));
  Require(EVP_DigestInit_ex2(context_->digest.get(), Sha256Method(), nullptr));
  return digest;
}

Sha256Digest Sha256(std::string_view bytes) {
  thread_local Sha256Stream stream;  // a context costs more than hashing a short entry
  stream.Update(bytes);
  return stream.Finish();
}

std::string HexEncode(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kHexDigits[byte >> 4U];
    text += kHexDigits[byte & 0xFU];
  }
  return text;
}

std::string HexEncode(const Sha256Digest& digest) { return HexEncode(AsBytes(digest)); }

StatusOr<std::string> HexDecode(std::string_view text) {
  if (text.size() % 2 != 0) return Error(StatusCode::kInvalidArgument, "hexadecimal text has an odd length");
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = HexValue(text[i]);
    const int low = HexValue(text[i + 1]);
    if (high < 0 || low < 0) return Error(StatusCode::kInvalidArgument, "hexadecimal text: bad digit at {}", i);
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

std::string Base64Encode(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                     reinterpret_cast<const unsigned char*>(bytes.data()),
                                     static_cast<int>(bytes.size()));
  text.resize(static_cast<size_t>(length));
  return text;
}

StatusOr<std::string> Base64Decode(std::string_view text) {
  if (text.size() > INT_MAX) return Error(StatusCode::kInvalidArgument, "Base64 text is longer than 2 GiB");
  std::string bytes(text.size() / 4 * 3 + 3, '\0');
  const int length = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                     reinterpret_cast<const unsigned char*>(text.data()),
                                     static_cast<int>(text.size()));
  if (length < 0) return Error(StatusCode::kInvalidArgument, "Base64 text is malformed");
  size_t size = static_cast<size_t>(length);
  if (text.ends_with("==")) {
    size -= 2;
  } else if (text.ends_with('=')) {
    size -= 1;
  }
  bytes.resize(size);
  // OpenSSL forgives white space and stray bits: what reads back differently was not ours.
  if (Base64Encode(bytes) != text) return Error(StatusCode::kInvalidArgument, "Base64 text is malformed");
  return bytes;
}

std::string_view AsBytes(const Sha256Digest& digest) {
  return std::string_view(reinterpret_cast<const char*>(digest.data()), digest.size());
}

}  // namespace ashlar::base
