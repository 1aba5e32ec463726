#include "net/tls_certificate_testing.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>

namespace ashlar::net {
namespace {

using KeyPointer = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using CertificatePointer = std::unique_ptr<X509, decltype(&X509_free)>;
using FilePointer = std::unique_ptr<FILE, int (*)(FILE*)>;

base::Status Failed(std::string_view what) {
  return base::Error(base::StatusCode::kInternal, "test certificate: {} failed", what);
}

KeyPointer MakeKey() { return {EVP_EC_gen("P-256"), &EVP_PKEY_free}; }

bool AddExtension(X509* certificate, X509* issuer, int id, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> extension(
      X509V3_EXT_conf_nid(nullptr, &context, id, value.c_str()), &X509_EXTENSION_free);
  return extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1;
}

CertificatePointer StartCertificate(EVP_PKEY* key, const char* name, int serial) {
  constexpr int kHalfHour = 1800;
  CertificatePointer certificate(X509_new(), &X509_free);
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kHalfHour);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kHalfHour);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
  return certificate;
}

base::Status WriteKey(const std::string& path, EVP_PKEY* key) {
  const FilePointer file(std::fopen(path.c_str(), "we"), &std::fclose);
  if (file == nullptr || PEM_write_PrivateKey(file.get(), key, nullptr, nullptr, 0, nullptr, nullptr) != 1) {
    return Failed(path);
  }
  return base::OkStatus();
}

base::Status WriteCertificate(const std::string& path, X509* certificate) {
  const FilePointer file(std::fopen(path.c_str(), "we"), &std::fclose);
  if (file == nullptr || PEM_write_X509(file.get(), certificate) != 1) return Failed(path);
  return base::OkStatus();
}

}  // namespace

base::StatusOr<TestCertificates> MakeTestCertificates(const std::string& folder, const std::string& names) {
  const KeyPointer ca_key = MakeKey();
  const KeyPointer key = MakeKey();
  const KeyPointer other_key = MakeKey();
  if (ca_key == nullptr || key == nullptr || other_key == nullptr) return Failed("making a key");
  const CertificatePointer ca = StartCertificate(ca_key.get(), "Ashlar test authority", 1);
  X509_set_issuer_name(ca.get(), X509_get_subject_name(ca.get()));
  if (!AddExtension(ca.get(), ca.get(), NID_basic_constraints, "critical,CA:TRUE") ||
      X509_sign(ca.get(), ca_key.get(), EVP_sha256()) == 0) {
    return Failed("signing the authority");
  }
  const CertificatePointer leaf = StartCertificate(key.get(), "Ashlar test server", 2);
  X509_set_issuer_name(leaf.get(), X509_get_subject_name(ca.get()));
  if (!AddExtension(leaf.get(), ca.get(), NID_subject_alt_name, names) ||
      X509_sign(leaf.get(), ca_key.get(), EVP_sha256()) == 0) {
    return Failed("signing the certificate");
  }
  TestCertificates paths{folder + "/ca.pem", folder + "/server.pem", folder + "/server.key", folder + "/other.key"};
  ASHLAR_RETURN_IF_ERROR(WriteCertificate(paths.ca_path, ca.get()));
  ASHLAR_RETURN_IF_ERROR(WriteCertificate(paths.certificate_path, leaf.get()));
  ASHLAR_RETURN_IF_ERROR(WriteKey(paths.key_path, key.get()));
  ASHLAR_RETURN_IF_ERROR(WriteKey(paths.other_key_path, other_key.get()));
  return paths;
}

}  // namespace ashlar::net
