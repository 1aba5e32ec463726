// Ed25519 signatures (RFC 8032) through OpenSSL. A SigningKey may be used by any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/base.h"

namespace ashlar::ledger {

class SigningKey {
 public:
  // A new key from the system's randomness. kInternal when OpenSSL cannot make one.
  static base::StatusOr<SigningKey> Generate();
  // Reads an unencrypted PKCS #8 PEM. kInvalidArgument for anything but one Ed25519 private key.
  static base::StatusOr<SigningKey> FromPem(std::string_view pem);
  SigningKey(SigningKey&& other) noexcept;
  SigningKey& operator=(SigningKey&& other) noexcept;
  ~SigningKey();

  base::StatusOr<std::string> ToPem() const;
  // 32 bytes.
  const std::string& public_key() const { return public_key_; }
  // 64 bytes. kInternal when OpenSSL fails.
  base::StatusOr<std::string> Sign(std::string_view bytes) const;

 private:
  struct Key;
  explicit SigningKey(std::unique_ptr<Key> key);
  std::unique_ptr<Key> key_;
  std::string public_key_;
};

// True when `signature` (64 bytes) over `bytes` is by the owner of `public_key` (32 bytes).
bool SignatureHolds(std::string_view public_key, std::string_view bytes, std::string_view signature);

}  // namespace ashlar::ledger
