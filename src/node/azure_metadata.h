// What Azure's instance metadata service says of this machine.
//
// The service answers on the link-local address 169.254.169.254, over plain HTTP, to requests with the header
// `Metadata: true` that went through no proxy. Format: Azure documentation, "Instance Metadata Service", instance
// endpoint, api-version 2021-12-13. Any thread may call these.
#pragma once

#include <string>
#include <string_view>

#include "node/identity.h"

namespace ashlar::node {

inline constexpr std::string_view kAzureMetadataHost = "http://169.254.169.254";
inline constexpr std::string_view kAzureInstancePath = "/metadata/instance?api-version=2021-12-13&format=json";

// The body of the instance endpoint. Fields that are empty or absent are absent; zone is "" on machines without one.
// kInvalidArgument for anything but an object with `compute`, kResourceExhausted over kMaxAzureBytes.
base::StatusOr<AzureIdentity> ParseAzureInstance(std::string_view body);

// Fetches from `host` (kAzureMetadataHost, or a loopback server in tests) within kAzureDeadline, never through a proxy.
// kUnavailable or kDeadlineExceeded when nothing answers, kNotFound when the service refuses.
AzureFetch MakeAzureFetch(std::string_view host = kAzureMetadataHost);

base::Json AzureIdentityToJson(const AzureIdentity& azure);

}  // namespace ashlar::node
