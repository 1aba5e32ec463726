#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "assess/consideration.h"

namespace ashlar::assess {
namespace {

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string SourceRoot() { return ASHLAR_SOURCE_ROOT; }

// The counts by pillar are those of the published list: 5, 12, 6, 6, 4 and 5.
TEST(RegistryTest, ThirtyEightInSixPillars) {
  std::map<Pillar, int> counts;
  std::set<std::string_view> ids;
  for (const Consideration* consideration : Considerations()) {
    ++counts[consideration->pillar];
    ids.insert(consideration->id);
  }
  EXPECT_EQ(ids.size(), 38U);
  EXPECT_EQ(counts[Pillar::kReliability], 5);
  EXPECT_EQ(counts[Pillar::kSecurity], 12);
  EXPECT_EQ(counts[Pillar::kCost], 6);
  EXPECT_EQ(counts[Pillar::kOperations], 6);
  EXPECT_EQ(counts[Pillar::kPerformance], 4);
  EXPECT_EQ(counts[Pillar::kBenchmarks], 5);
}

TEST(RegistryTest, EachRowHasFileTestAndDocSectionThatSaysTheSame) {
  const std::string doc = ReadText(SourceRoot() + "/docs/considerations.md");
  ASSERT_FALSE(doc.empty());
  for (const Consideration* consideration : Considerations()) {
    std::string file(consideration->id);
    std::replace(file.begin(), file.end(), '-', '_');
    const std::string base = SourceRoot() + "/src/assess/considerations/" +
                             base::Lowercase(PillarName(consideration->pillar)) + "/" + file;
    EXPECT_FALSE(ReadText(base + ".cc").empty()) << base;
    EXPECT_FALSE(ReadText(base + "_test.cc").empty()) << base;
    EXPECT_NE(
        doc.find(fmt::format("\n### {}\n\n{}\n{}\n", consideration->id, consideration->question, consideration->why)),
        std::string::npos)
        << consideration->id;
    EXPECT_NE(doc.find(fmt::format("- **Proof**: {}\n- **Remedy**: {}\n", consideration->proof, consideration->remedy)),
              std::string::npos)
        << consideration->id;
  }
}

TEST(RegistryTest, FindsById) {
  ASSERT_NE(FindConsideration("rel-zones"), nullptr);
  EXPECT_EQ(FindConsideration("rel-zones")->pillar, Pillar::kReliability);
  EXPECT_EQ(FindConsideration("rel-zone"), nullptr);
}

}  // namespace
}  // namespace ashlar::assess
