#include "node/checks/check_machine.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

base::Json Configuration(const std::string& yaml) { return *base::ParseYaml(yaml); }

AzureFetch Answer(const std::string& body, int& asked) {
  return [body, &asked](const std::string&) -> base::StatusOr<std::string> {
    ++asked;
    return body;
  };
}

constexpr std::string_view kInstance = R"({"compute": {"vmSize": "Standard_HB176rs_v4", "name": "a"}})";

TEST(CheckMachine, AsksTheCloudForTheSizeOfAVirtualMachine) {
  int asked = 0;
  const auto expectations = LoadExpectations(
      HbMachine().reader(), {.configuration = nullptr, .azure = Answer(std::string(kInstance), asked)});
  ASSERT_TRUE(expectations.ok()) << expectations.status();
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(expectations->size(), "Standard_HB176rs_v4");
  EXPECT_EQ(expectations->Whole("cpu_count")->value, 176U);
  EXPECT_EQ(expectations->Whole("open_files")->value, 65535U);  // it has an RDMA device
}

TEST(CheckMachine, DoesNotAskWhenTheSizeIsKnown) {
  int asked = 0;
  const auto tree = HbMachine();
  const auto known = LoadExpectations(tree.reader(), {.size = "Standard_HC44rs", .azure = Answer("", asked)});
  EXPECT_EQ(known->size(), "Standard_HC44rs");
  const auto stated = LoadExpectations(
      tree.reader(), {.configuration = Configuration("node: {size: Standard_HX176rs}"), .azure = Answer("", asked)});
  EXPECT_EQ(stated->size(), "Standard_HX176rs");
  EXPECT_EQ(asked, 0);
}

TEST(CheckMachine, ASilentOrMalformedCloudLeavesTheSizeUnknown) {
  int asked = 0;
  for (const std::string body : {"", "{}", "{\"compute\": {\"vmSize\": 5}}"}) {
    const auto expectations = LoadExpectations(PlainMachine().reader(), {.azure = Answer(body, asked)});
    ASSERT_TRUE(expectations.ok()) << expectations.status();
    EXPECT_EQ(expectations->size(), "");
  }
  EXPECT_EQ(asked, 3);
}

TEST(CheckMachine, ABadConfigurationIsAnErrorThatNamesTheKey) {
  const auto findings = CheckMachine({.configuration = Configuration("node: {gpus: 8}")});
  EXPECT_EQ(findings.status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_NE(base::Message(findings.status()).find("node.gpus"), std::string::npos);
}

// This machine, whatever it is: each check answers, with a reason unless it passes.
TEST(CheckMachine, EveryCheckAnswersOnThisMachine) {
  auto folder = os::TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  // The name of this machine must not be asked of a server outside of it; GPUs of the machine are not this test's.
  CheckMachineRequest request{.writable_directory = folder->path()};
  request.run.skip = {"dns", "gpu-count", "gpu-ecc", "gpu-throttling", "gpu-nvlink", "gpu-persistence"};
  request.run.parallel = 1;
  const auto findings = CheckMachine(request);
  ASSERT_TRUE(findings.ok()) << findings.status();
  EXPECT_GE(findings->size(), CheckTable().size() - request.run.skip.size());
  for (const auto& finding : *findings) {
    EXPECT_TRUE(finding.verdict == base::Verdict::kPass || !finding.reason.empty()) << DescribeFinding(finding);
    EXPECT_EQ(finding.reason.find("time limit"), std::string::npos) << DescribeFinding(finding);
  }
}

}  // namespace
}  // namespace ashlar::node
