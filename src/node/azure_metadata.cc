#include "node/azure_metadata.h"

#include "net/net.h"
#include "node/json_value.h"
#include "node/limits.h"

namespace ashlar::node {
namespace {

// Absent when missing, empty or no text: the service writes "" for what a machine does not have.
std::optional<std::string> TextAt(const base::Json& compute, std::string_view key) {
  auto text = base::GetString(compute, key);
  if (!text.ok() || text->empty()) return std::nullopt;
  return *std::move(text);
}

}  // namespace

base::StatusOr<AzureIdentity> ParseAzureInstance(std::string_view body) {
  if (body.size() > kMaxAzureBytes) {
    return base::Error(base::StatusCode::kResourceExhausted, "the metadata service answered {} bytes, more than {}",
                       body.size(), kMaxAzureBytes);
  }
  ASHLAR_ASSIGN_OR_RETURN(const base::Json json, base::ParseJson(body));
  const base::Json* compute = base::Find(json, "compute");
  if (compute == nullptr || !compute->is_object()) {
    return base::Error(base::StatusCode::kInvalidArgument, "the metadata service's answer has no object `compute`");
  }
  AzureIdentity azure;
  azure.size = TextAt(*compute, "vmSize");
  azure.location = TextAt(*compute, "location");
  azure.zone = TextAt(*compute, "zone");
  azure.fault_domain = TextAt(*compute, "platformFaultDomain");
  azure.update_domain = TextAt(*compute, "platformUpdateDomain");
  azure.name = TextAt(*compute, "name");
  azure.identifier = TextAt(*compute, "vmId");
  azure.scale_set = TextAt(*compute, "vmScaleSetName");
  azure.subscription = TextAt(*compute, "subscriptionId");
  azure.resource_group = TextAt(*compute, "resourceGroupName");
  azure.priority = TextAt(*compute, "priority");
  return azure;
}

AzureFetch MakeAzureFetch(std::string_view host) {
  return [host = std::string(host)](const std::string& path) -> base::StatusOr<std::string> {
    net::Request request;
    request.target = host + path;
    request.headers.Add("Metadata", "true");
    net::ClientOptions options;
    options.deadline = kAzureDeadline;
    options.connect_deadline = kAzureDeadline;
    options.body_bytes = kMaxAzureBytes;
    ASHLAR_ASSIGN_OR_RETURN(net::Response response, net::Fetch(request, options));
    constexpr int kOk = 200;
    if (response.status != kOk) {
      return base::Error(base::StatusCode::kNotFound, "the metadata service answered HTTP {}", response.status);
    }
    return std::move(response.body);
  };
}

base::Json AzureIdentityToJson(const AzureIdentity& azure) {
  return base::JsonObject{{"size", ValueOrNull(azure.size)},
                          {"location", ValueOrNull(azure.location)},
                          {"zone", ValueOrNull(azure.zone)},
                          {"fault_domain", ValueOrNull(azure.fault_domain)},
                          {"update_domain", ValueOrNull(azure.update_domain)},
                          {"name", ValueOrNull(azure.name)},
                          {"identifier", ValueOrNull(azure.identifier)},
                          {"scale_set", ValueOrNull(azure.scale_set)},
                          {"subscription", ValueOrNull(azure.subscription)},
                          {"resource_group", ValueOrNull(azure.resource_group)},
                          {"priority", ValueOrNull(azure.priority)}};
}

}  // namespace ashlar::node
