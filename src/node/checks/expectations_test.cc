#include "node/checks/expectations.h"

#include <gtest/gtest.h>

#include "node/checks/check_limits.h"

namespace ashlar::node {
namespace {

using base::StatusCode;

base::StatusOr<Expectations> Load(const std::string& node_yaml, const std::string& size = "",
                                  bool accelerated = false) {
  const auto json = base::ParseYaml(node_yaml);
  if (!json.ok()) return json.status();
  return Expectations::Load({.configuration = *json, .size = size, .accelerated = accelerated});
}

struct BadCase {
  std::string yaml;
  std::string message;
};

TEST(Expectations, RefusesWhatItDoesNotKnowAndNamesIt) {
  const std::vector<BadCase> cases = {
      {"memroy_bytes: 1", "configuration: node.memroy_bytes: unknown key"},
      {"[a]", "want keys and values"},
      {"text", "want keys and values"},
      {"gpu_count: -1", "node.gpu_count: want a whole number"},
      {"gpu_count: 1.5", "node.gpu_count"},
      {"gpu_count: eight", "node.gpu_count"},
      {"gpu_count: {value: x}", "node.gpu_count"},
      {"gpu_count: {}", "node.gpu_count"},
      {"disk_free_share: 1.01", "from 0 to 1"},
      {"disk_free_share: -0.1", "from 0 to 1"},
      {"memory_bytes: 16X", "node.memory_bytes: want bytes"},
      {"memory_bytes: unlimited", "node.memory_bytes"},
      {"memlock_bytes: lots", "unlimited"},
      {"gpu_persistence: yes please", "true or false"},
      {"dns_name: \"\"", "node.dns_name"},
      {"mounts: /scratch", "a list of texts"},
      {"mounts: [1]", "a list of texts"},
      {"kernel_taint_bits: [a]", "a list of whole numbers"},
      {"link_gigabits_per_second: [100]", "names with numbers"},
      {"link_gigabits_per_second: {eth0: fast}", "names with numbers"},
      {"size: 5", "node.size"},
      {"size: Standard_Nonsense", "Standard_Nonsense is not in data/node/sizes.yaml"},
  };
  for (const auto& row : cases) {
    const auto expectations = Load(row.yaml);
    EXPECT_EQ(expectations.status().code(), StatusCode::kInvalidArgument) << row.yaml;
    EXPECT_NE(base::Message(expectations.status()).find(row.message), std::string::npos)
        << row.yaml << ": " << expectations.status();
  }
}

TEST(Expectations, ReadsEveryKind) {
  const auto expectations = Load(
      "{gpu_count: 8, disk_free_share: 0.2, memory_bytes: 2K, memlock_bytes: unlimited, open_files: 7, "
      "gpu_persistence: false, dns_name: a.b, mounts: [/a, /b], kernel_taint_bits: [4], "
      "link_gigabits_per_second: {eth0: 100}, clock_error_seconds: {value: 2, source: x, date: y}}");
  ASSERT_TRUE(expectations.ok()) << expectations.status();
  EXPECT_EQ(expectations->Whole("gpu_count")->value, 8U);
  EXPECT_EQ(expectations->Whole("gpu_count")->source, "configuration: node.gpu_count");
  EXPECT_DOUBLE_EQ(expectations->Number("disk_free_share")->value, 0.2);
  EXPECT_EQ(expectations->Whole("memory_bytes")->value, 2048U);
  EXPECT_EQ(expectations->Whole("memlock_bytes")->value, kUnlimited);
  EXPECT_EQ(expectations->Whole("open_files")->value, 7U);
  EXPECT_FALSE(expectations->Flag("gpu_persistence")->value);
  EXPECT_EQ(expectations->Text("dns_name")->value, "a.b");
  EXPECT_EQ(expectations->TextList("mounts")->value, (std::vector<std::string>{"/a", "/b"}));
  EXPECT_EQ(expectations->CountList("kernel_taint_bits")->value, (std::vector<uint64_t>{4}));
  EXPECT_DOUBLE_EQ(expectations->NumberByName("link_gigabits_per_second")->value.at("eth0"), 100);
  EXPECT_DOUBLE_EQ(expectations->Number("clock_error_seconds")->value, 2);
}

TEST(Expectations, WhatNobodyStatesIsAbsent) {
  const auto expectations = Load("{}");
  ASSERT_TRUE(expectations.ok());
  EXPECT_FALSE(expectations->Whole("gpu_count").has_value());
  EXPECT_FALSE(expectations->Flag("gpu_ecc_enabled").has_value());
  EXPECT_FALSE(expectations->Text("dns_name").has_value());
  EXPECT_FALSE(expectations->NumberByName("link_gigabits_per_second").has_value());
  EXPECT_TRUE(expectations->Number("disk_free_share").has_value());
}

TEST(Expectations, TheLaterLayerWins) {
  EXPECT_EQ(Load("{}")->Whole("open_files")->source, "data/node/defaults.yaml: open_files");
  EXPECT_EQ(Load("{}", "", true)->Whole("open_files")->source, "data/node/accelerated.yaml: open_files");
  EXPECT_EQ(Load("open_files: 3", "", true)->Whole("open_files")->source, "configuration: node.open_files");
  const auto sized = Load("{}", "standard_nd96isr_mi300x_V5");
  ASSERT_TRUE(sized.ok());
  EXPECT_EQ(sized->size(), "Standard_ND96isr_MI300X_v5");
  EXPECT_EQ(sized->Number("memory_tolerance_share")->source,
            "data/node/sizes.yaml: Standard_ND96isr_MI300X_v5.memory_tolerance_share");
  EXPECT_DOUBLE_EQ(sized->Number("memory_tolerance_share")->value, 0.07);  // AzNHC: 7 %
}

TEST(Expectations, AnUnknownSizeFromTheCloudIsANoteAndTheStatedOneWins) {
  const auto unknown = Load("{}", "Standard_D4s_v5");
  ASSERT_TRUE(unknown.ok());
  EXPECT_NE(unknown->size_note().find("Standard_D4s_v5"), std::string::npos);
  const auto stated = Load("size: Standard_HB120rs_v3", "Standard_D4s_v5");
  ASSERT_TRUE(stated.ok());
  EXPECT_EQ(stated->size(), "Standard_HB120rs_v3");
  EXPECT_TRUE(stated->size_note().empty());
  EXPECT_EQ(stated->Whole("infiniband_port_count")->value, 1U);
}

TEST(Expectations, ListsAtAndOverTheLimit) {
  std::string list = "mounts: [a";
  for (size_t count = 1; count < kMaxListedNames; ++count) list += ", a";
  EXPECT_TRUE(Load(list + "]").ok());
  EXPECT_FALSE(Load(list + ", a]").ok());
}

void ExpectSourceAndDate(const base::Json& entry, const base::Json& group, const std::string& name) {
  for (const char* field : {"source", "date"}) {
    const bool own = base::GetString(entry, field).ok();
    EXPECT_TRUE(own || base::GetString(group, field).ok()) << name << " has no " << field;
  }
}

TEST(Expectations, EveryNumberInTheFilesHasSourceAndDate) {
  for (const std::string file : {"node/defaults.yaml", "node/accelerated.yaml"}) {
    const auto json = base::EmbeddedYaml(file);
    ASSERT_TRUE(json.ok()) << json.status();
    for (const auto& member : json->get_object())
      ExpectSourceAndDate(member.value(), nullptr, std::string(member.key()));
  }
  const auto sizes = base::EmbeddedYaml("node/sizes.yaml");
  ASSERT_TRUE(sizes.ok()) << sizes.status();
  EXPECT_GE(sizes->get_object().size(), 20U);
  for (const auto& size : sizes->get_object()) {
    const std::string name(size.key());
    for (const auto& entry : size.value().get_object()) ExpectSourceAndDate(entry.value(), size.value(), name);
    EXPECT_TRUE(Load("size: " + name).ok()) << Load("size: " + name).status();
  }
}

}  // namespace
}  // namespace ashlar::node
