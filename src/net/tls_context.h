// Certificates, keys and trust for TLS 1.2 and later, loaded from PEM files. OpenSSL stays in the .cc file.
#pragma once

#include <memory>
#include <string>

#include "base/base.h"
#include "net/http_client.h"
#include "net/http_server.h"

// OpenSSL's own names for SSL_CTX and SSL.
struct ssl_ctx_st;
struct ssl_st;

namespace ashlar::net {

// Immutable once made; any thread may use it.
class TlsContext {
 public:
  // kInvalidArgument naming the file when it cannot be read, does not parse, or key and certificate do not match.
  static base::StatusOr<TlsContext> ForServer(const ServerTls& files);
  // Also kInvalidArgument when there are no trusted roots to verify with.
  static base::StatusOr<TlsContext> ForClient(const ClientTls& options);

  // Owned by this object.
  ssl_ctx_st* native() const { return context_.get(); }
  bool verifies() const { return verifies_; }

 private:
  struct Free {
    void operator()(ssl_ctx_st* context) const;
  };
  explicit TlsContext(ssl_ctx_st* context) : context_(context) {}

  std::unique_ptr<ssl_ctx_st, Free> context_;
  bool verifies_ = false;
};

// Prepares a client's session for `host`: server name indication, and the name or address that the certificate must be
// valid for. The name is checked whenever the context verifies.
base::Status SetExpectedHost(ssl_st* session, const std::string& host);

// Why the handshake of `session` failed: kUnauthenticated when the certificate was refused, else kUnavailable.
base::Status HandshakeError(ssl_st* session, std::string_view what);

}  // namespace ashlar::net
