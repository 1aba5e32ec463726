#include "net/tls_context.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>

namespace ashlar::net {
namespace {

// The first error of OpenSSL's queue, which is emptied.
std::string LastTlsError() {
  const unsigned long code = ERR_get_error();  // NOLINT(google-runtime-int): OpenSSL's type
  ERR_clear_error();
  if (code == 0) return "no details";
  std::array<char, 256> text{};
  ERR_error_string_n(code, text.data(), text.size());
  return text.data();
}

base::Status BadFile(const std::string& path, std::string_view advice) {
  return base::Error(base::StatusCode::kInvalidArgument, "TLS: {} cannot be used ({}): {}", path, LastTlsError(),
                     advice);
}

bool SetCommonOptions(SSL_CTX* context) {
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(context,
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1;
}

}  // namespace

void TlsContext::Free::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }

base::StatusOr<TlsContext> TlsContext::ForServer(const ServerTls& files) {
  ERR_clear_error();
  TlsContext made(SSL_CTX_new(TLS_server_method()));
  SSL_CTX* context = made.native();
  if (context == nullptr || !SetCommonOptions(context)) {
    return base::Error(base::StatusCode::kInternal, "TLS cannot be set up: {}", LastTlsError());
  }
  if (SSL_CTX_use_certificate_chain_file(context, files.certificate_path.c_str()) != 1) {
    return BadFile(files.certificate_path, "give a readable PEM file with the server's certificate first");
  }
  if (SSL_CTX_use_PrivateKey_file(context, files.key_path.c_str(), SSL_FILETYPE_PEM) != 1) {
    return BadFile(files.key_path, "give a readable PEM file with the key of the certificate, without a pass phrase");
  }
  // Sessions are not resumed: a cache would need a limit and a lifetime for little use behind keep-alive.
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  return made;
}

base::StatusOr<TlsContext> TlsContext::ForClient(const ClientTls& options) {
  ERR_clear_error();
  TlsContext made(SSL_CTX_new(TLS_client_method()));
  SSL_CTX* context = made.native();
  if (context == nullptr || !SetCommonOptions(context)) {
    return base::Error(base::StatusCode::kInternal, "TLS cannot be set up: {}", LastTlsError());
  }
  if (!options.verify_certificate) {
    SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nullptr);
    return made;
  }
  if (options.ca_path.empty()) {
    if (SSL_CTX_set_default_verify_paths(context) != 1) {
      return base::Error(base::StatusCode::kInvalidArgument,
                         "TLS: the machine's trusted certificates cannot be read ({}): install ca-certificates",
                         LastTlsError());
    }
  } else if (SSL_CTX_load_verify_file(context, options.ca_path.c_str()) != 1) {
    return BadFile(options.ca_path, "give a readable PEM file with the trusted certificates");
  }
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  made.verifies_ = true;
  return made;
}

base::Status SetExpectedHost(ssl_st* session, const std::string& host) {
  ERR_clear_error();
  X509_VERIFY_PARAM* parameters = SSL_get0_param(session);
  // An address is matched against the certificate's addresses and is never sent as a server name (RFC 6066 section 3).
  if (X509_VERIFY_PARAM_set1_ip_asc(parameters, host.c_str()) == 1) return base::OkStatus();
  ERR_clear_error();
  X509_VERIFY_PARAM_set_hostflags(parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  if (SSL_set1_host(session, host.c_str()) != 1 || SSL_set_tlsext_host_name(session, host.c_str()) != 1) {
    return base::Error(base::StatusCode::kInvalidArgument, "TLS: the host name cannot be checked: {}", LastTlsError());
  }
  return base::OkStatus();
}

base::Status HandshakeError(ssl_st* session, std::string_view what) {
  const long verdict = SSL_get_verify_result(session);  // NOLINT(google-runtime-int): OpenSSL's type
  ERR_clear_error();
  if (verdict == X509_V_OK) {
    return base::Error(base::StatusCode::kUnavailable, "the TLS handshake failed ({}): is the port a TLS port?", what);
  }
  return base::Error(base::StatusCode::kUnauthenticated,
                     "the server's certificate is refused ({}): check the host name, or name the trusted roots",
                     X509_verify_cert_error_string(verdict));
}

}  // namespace ashlar::net
