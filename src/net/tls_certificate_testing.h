// A throw-away authority and server certificate for tests of TLS on loopback.
#pragma once

#include <string>

#include "base/base.h"

namespace ashlar::net {

struct TestCertificates {
  std::string ca_path;           // PEM: what a client trusts
  std::string certificate_path;  // PEM: issued by it
  std::string key_path;          // PEM: of the certificate
  std::string other_key_path;    // PEM: a key that belongs to nothing
};

// Writes them into `folder`. `names`: the certificate's alternative names as OpenSSL writes them,
// "DNS:a.example,IP:127.0.0.1". Valid for the hour around now.
base::StatusOr<TestCertificates> MakeTestCertificates(const std::string& folder, const std::string& names);

}  // namespace ashlar::net
