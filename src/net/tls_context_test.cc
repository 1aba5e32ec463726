#include "net/tls_context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <fstream>
#include <memory>
#include <string>

#include "net/tls_certificate_testing.h"
#include "os/os.h"

namespace ashlar::net {
namespace {

using base::StatusCode;
using testing::HasSubstr;

class TlsContextTest : public testing::Test {
 protected:
  TlsContextTest()
      : folder_(*os::TemporaryDirectory::Create()), made_(*MakeTestCertificates(folder_.path(), "DNS:a.example")) {}

  os::TemporaryDirectory folder_;
  TestCertificates made_;
};

TEST_F(TlsContextTest, NamesTheFileThatCannotBeUsed) {
  const std::string missing = folder_.path() + "/missing.pem";
  const std::string nonsense = folder_.path() + "/nonsense.pem";
  std::ofstream(nonsense) << "no certificate\n";
  for (const std::string& bad : {missing, nonsense}) {
    for (const base::Status& status : {TlsContext::ForServer({bad, made_.key_path}).status(),
                                       TlsContext::ForServer({made_.certificate_path, bad}).status(),
                                       TlsContext::ForClient({.ca_path = bad}).status()}) {
      EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
      EXPECT_THAT(std::string(status.message()), HasSubstr(bad));
      EXPECT_THAT(std::string(status.message()), HasSubstr("give a readable PEM file"));
    }
  }
}

TEST_F(TlsContextTest, RefusesAKeyOfAnotherCertificate) {
  const base::Status status = TlsContext::ForServer({made_.certificate_path, made_.other_key_path}).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("other.key"));
}

TEST_F(TlsContextTest, AllowsOnlyTls12AndLaterWithoutRenegotiation) {
  const base::StatusOr<TlsContext> server = TlsContext::ForServer({made_.certificate_path, made_.key_path});
  const base::StatusOr<TlsContext> client = TlsContext::ForClient({.ca_path = made_.ca_path});
  ASSERT_TRUE(server.ok() && client.ok()) << server.status() << client.status();
  for (SSL_CTX* context : {server->native(), client->native()}) {
    EXPECT_EQ(SSL_CTX_get_min_proto_version(context), TLS1_2_VERSION);
    EXPECT_NE(SSL_CTX_get_options(context) & SSL_OP_NO_RENEGOTIATION, 0U);
    EXPECT_NE(SSL_CTX_get_options(context) & SSL_OP_NO_COMPRESSION, 0U);
  }
  EXPECT_EQ(SSL_CTX_get_verify_mode(client->native()), SSL_VERIFY_PEER);
  EXPECT_TRUE(client->verifies());
}

TEST_F(TlsContextTest, VerifiesUnlessToldOtherwise) {
  const base::StatusOr<TlsContext> open = TlsContext::ForClient({.verify_certificate = false});
  ASSERT_TRUE(open.ok()) << open.status();
  EXPECT_EQ(SSL_CTX_get_verify_mode(open->native()), SSL_VERIFY_NONE);
  EXPECT_FALSE(open->verifies());
  const base::StatusOr<TlsContext> system = TlsContext::ForClient({});
  ASSERT_TRUE(system.ok()) << system.status();
  EXPECT_TRUE(system->verifies());
}

TEST_F(TlsContextTest, SendsNamesButNoAddresses) {
  const base::StatusOr<TlsContext> client = TlsContext::ForClient({.ca_path = made_.ca_path});
  ASSERT_TRUE(client.ok()) << client.status();
  using Session = std::unique_ptr<SSL, decltype(&SSL_free)>;
  const Session named(SSL_new(client->native()), &SSL_free);
  EXPECT_TRUE(SetExpectedHost(named.get(), "a.example").ok());
  EXPECT_STREQ(SSL_get_servername(named.get(), TLSEXT_NAMETYPE_host_name), "a.example");
  for (const char* address : {"127.0.0.1", "::1"}) {
    const Session numeric(SSL_new(client->native()), &SSL_free);
    EXPECT_TRUE(SetExpectedHost(numeric.get(), address).ok());
    EXPECT_EQ(SSL_get_servername(numeric.get(), TLSEXT_NAMETYPE_host_name), nullptr) << address;
  }
  // A name that no certificate can hold: the longest server name has 255 bytes (RFC 6066 section 3, OpenSSL's limit).
  const Session long_name(SSL_new(client->native()), &SSL_free);
  EXPECT_EQ(SetExpectedHost(long_name.get(), std::string(256, 'a')).code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace ashlar::net
