#include "node/azure_metadata.h"

#include <gtest/gtest.h>

#include "net/net.h"
#include "node/limits.h"

namespace ashlar::node {
namespace {

// The members that we read of the example in Azure's documentation of the instance endpoint, values as there or alike.
constexpr std::string_view kBody =
    R"({"compute":{"azEnvironment":"AzurePublicCloud","location":"westus","name":"examplevmname",)"
    R"("platformFaultDomain":"36","platformUpdateDomain":"42","priority":"Regular","resourceGroupName":"macikgo-test",)"
    R"("subscriptionId":"xxxxxxxx-xxxxx-xxx-xxx-xxxx","vmId":"02aab8a4-74ef-476e-8182-f6d2ba4166a6",)"
    R"("vmScaleSetName":"crpteste9vflji9","vmSize":"Standard_ND96isr_H100_v5","zone":""},"network":{"interface":[]}})";

TEST(ParseAzureInstanceTest, ReadsTheDocumentedExample) {
  const auto azure = ParseAzureInstance(kBody);
  ASSERT_TRUE(azure.ok()) << azure.status();
  EXPECT_EQ(azure->size, "Standard_ND96isr_H100_v5");
  EXPECT_EQ(azure->location, "westus");
  EXPECT_EQ(azure->zone, std::nullopt) << "a machine without a zone says \"\"";
  EXPECT_EQ(azure->fault_domain, "36");
  EXPECT_EQ(azure->update_domain, "42");
  EXPECT_EQ(azure->scale_set, "crpteste9vflji9");
  EXPECT_EQ(azure->identifier, "02aab8a4-74ef-476e-8182-f6d2ba4166a6");
  EXPECT_EQ(azure->priority, "Regular");
  const base::Json json = AzureIdentityToJson(*azure);
  EXPECT_EQ(json.at("size"), "Standard_ND96isr_H100_v5");
  EXPECT_TRUE(json.at("zone").is_null());
}

TEST(ParseAzureInstanceTest, RefusesWhatIsMalformed) {
  for (const std::string_view body : {"", "null", "[]", "{}", R"({"compute":1})", R"({"compute":{"vmSize":"a")",
                                      "<html>a proxy's page</html>", R"({"compute":[]})"}) {
    EXPECT_EQ(ParseAzureInstance(body).status().code(), base::StatusCode::kInvalidArgument) << body;
  }
}

TEST(ParseAzureInstanceTest, AMemberOfAnotherTypeIsAbsent) {
  const auto azure = ParseAzureInstance(R"({"compute":{"vmSize":12,"zone":null,"location":"west"}})");
  ASSERT_TRUE(azure.ok()) << azure.status();
  EXPECT_EQ(azure->size, std::nullopt);
  EXPECT_EQ(azure->zone, std::nullopt);
  EXPECT_EQ(azure->location, "west");
}

TEST(ParseAzureInstanceTest, HoldsItsLimit) {
  std::string body = R"({"compute":{"name":")";
  const std::string end = "\"}}";
  body += std::string(kMaxAzureBytes - body.size() - end.size(), 'x') + end;
  ASSERT_EQ(body.size(), kMaxAzureBytes);
  EXPECT_TRUE(ParseAzureInstance(body).ok());
  EXPECT_EQ(ParseAzureInstance(body + " ").status().code(), base::StatusCode::kResourceExhausted);
}

// A metadata service on loopback: it refuses, as the real one does, whoever lacks the header or came by a proxy.
class MetadataService {
 public:
  explicit MetadataService(int status = 200) {
    auto server = net::Server::Start({}, [status](const net::Request& request) {
      const bool asked_rightly = request.headers.Get("Metadata") == "true" && request.target == kAzureInstancePath &&
                                 request.headers.Find("X-Forwarded-For") == nullptr;
      if (!asked_rightly) return net::ErrorResponse(400, "Bad request. Required metadata header not specified");
      return net::MakeResponse(status, "application/json", std::string(kBody));
    });
    EXPECT_TRUE(server.ok()) << server.status();
    if (server.ok()) server_ = *std::move(server);
  }

  std::string url() const { return server_->url(); }

 private:
  std::unique_ptr<net::Server> server_;
};

TEST(MakeAzureFetchTest, AsksAsTheServiceWants) {
  const MetadataService service;
  const auto body = MakeAzureFetch(service.url())(std::string(kAzureInstancePath));
  ASSERT_TRUE(body.ok()) << body.status();
  EXPECT_EQ(*body, kBody);
}

TEST(MakeAzureFetchTest, ARefusalIsNotFound) {
  const MetadataService service(404);
  EXPECT_EQ(MakeAzureFetch(service.url())(std::string(kAzureInstancePath)).status().code(),
            base::StatusCode::kNotFound);
  const MetadataService healthy;
  EXPECT_EQ(MakeAzureFetch(healthy.url())("/metadata/other").status().code(), base::StatusCode::kNotFound);
}

TEST(MakeAzureFetchTest, NobodyThereIsUnavailable) {
  std::string url;
  {
    const MetadataService gone;
    url = gone.url();
  }
  EXPECT_EQ(MakeAzureFetch(url)(std::string(kAzureInstancePath)).status().code(), base::StatusCode::kUnavailable);
}

TEST(AzureLimitsTest, TheAddressIsLinkLocalAndTheDeadlineOneSecond) {
  EXPECT_EQ(kAzureMetadataHost, "http://169.254.169.254");
  EXPECT_EQ(kAzureDeadline, absl::Seconds(1));
}

}  // namespace
}  // namespace ashlar::node
