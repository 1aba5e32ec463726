#include "ledger/ed25519.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

namespace ashlar::ledger {
namespace {

using base::StatusCode;

constexpr size_t kPublicKeyBytes = 32;
constexpr size_t kSignatureBytes = 64;

using KeyPointer = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using DigestPointer = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;
using BioPointer = std::unique_ptr<BIO, decltype(&BIO_free)>;

const unsigned char* Unsigned(std::string_view bytes) { return reinterpret_cast<const unsigned char*>(bytes.data()); }

// An encrypted key must fail at once instead of asking on the terminal.
int RefusePassword(char*, int, int, void*) { return -1; }

}  // namespace

struct SigningKey::Key {
  KeyPointer pointer{nullptr, &EVP_PKEY_free};
};

SigningKey::SigningKey(std::unique_ptr<Key> key) : key_(std::move(key)), public_key_(kPublicKeyBytes, '\0') {
  size_t length = public_key_.size();
  EVP_PKEY_get_raw_public_key(key_->pointer.get(), reinterpret_cast<unsigned char*>(public_key_.data()), &length);
}
SigningKey::SigningKey(SigningKey&& other) noexcept = default;
SigningKey& SigningKey::operator=(SigningKey&& other) noexcept = default;
SigningKey::~SigningKey() = default;

base::StatusOr<SigningKey> SigningKey::Generate() {
  auto key = std::make_unique<Key>();
  key->pointer.reset(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  if (key->pointer == nullptr) return base::Error(StatusCode::kInternal, "OpenSSL cannot make an Ed25519 key");
  return SigningKey(std::move(key));
}

base::StatusOr<SigningKey> SigningKey::FromPem(std::string_view pem) {
  const BioPointer bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), &BIO_free);
  auto key = std::make_unique<Key>();
  if (bio != nullptr) key->pointer.reset(PEM_read_bio_PrivateKey(bio.get(), nullptr, &RefusePassword, nullptr));
  if (key->pointer == nullptr || EVP_PKEY_get_base_id(key->pointer.get()) != EVP_PKEY_ED25519) {
    return base::Error(StatusCode::kInvalidArgument, "want one unencrypted Ed25519 private key in PEM form");
  }
  return SigningKey(std::move(key));
}

base::StatusOr<std::string> SigningKey::ToPem() const {
  const BioPointer bio(BIO_new(BIO_s_mem()), &BIO_free);
  if (bio == nullptr ||
      PEM_write_bio_PrivateKey(bio.get(), key_->pointer.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1) {
    return base::Error(StatusCode::kInternal, "OpenSSL cannot write the Ed25519 key");
  }
  char* bytes = nullptr;
  const long length = BIO_get_mem_data(bio.get(), &bytes);
  return std::string(bytes, static_cast<size_t>(length));
}

base::StatusOr<std::string> SigningKey::Sign(std::string_view bytes) const {
  const DigestPointer context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  std::string signature(kSignatureBytes, '\0');
  size_t length = signature.size();
  if (context == nullptr || EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_->pointer.get()) != 1 ||
      EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &length, Unsigned(bytes),
                     bytes.size()) != 1 ||
      length != kSignatureBytes) {
    return base::Error(StatusCode::kInternal, "OpenSSL cannot sign the ledger's head");
  }
  return signature;
}

bool SignatureHolds(std::string_view public_key, std::string_view bytes, std::string_view signature) {
  if (public_key.size() != kPublicKeyBytes || signature.size() != kSignatureBytes) return false;
  const KeyPointer key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, Unsigned(public_key), public_key.size()),
                       &EVP_PKEY_free);
  const DigestPointer context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  return key != nullptr && context != nullptr &&
         EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), Unsigned(signature), signature.size(), Unsigned(bytes), bytes.size()) == 1;
}

}  // namespace ashlar::ledger
