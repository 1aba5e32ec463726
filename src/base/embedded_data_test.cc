#include "base/embedded_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace ashlar::base {
namespace {

std::filesystem::path DataFolder() { return std::filesystem::path(ASHLAR_TESTDATA) / "../../../data"; }

TEST(EmbeddedDataTest, HoldsTheFilesByteForByte) {
  ASSERT_FALSE(EmbeddedFiles().empty());
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    std::ifstream stream(DataFolder().lexically_normal() / file.name, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_TRUE(file.bytes == bytes) << file.name;
    EXPECT_EQ(EmbeddedData(file.name)->data(), file.bytes.data());
  }
  EXPECT_TRUE(std::is_sorted(EmbeddedFiles().begin(), EmbeddedFiles().end(),
                             [](const EmbeddedFile& a, const EmbeddedFile& b) { return a.name < b.name; }));
}

TEST(EmbeddedDataTest, EveryYamlFileIsRead) {
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    if (!file.name.ends_with(".yaml")) continue;
    EXPECT_TRUE(EmbeddedYaml(file.name).ok()) << EmbeddedYaml(file.name).status();
  }
}

TEST(EmbeddedDataTest, NamesWhatIsNotThere) {
  const Status status = EmbeddedData("no/such.yaml").status();
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  EXPECT_THAT(Message(status), ::testing::HasSubstr("data/no/such.yaml"));
  EXPECT_EQ(EmbeddedYaml("no/such.yaml").status().code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace ashlar::base
