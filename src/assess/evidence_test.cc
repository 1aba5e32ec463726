#include "assess/evidence.h"

#include <gtest/gtest.h>

#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

TEST(EvidenceTest, KeepsEntriesInOrderWhateverTheOrderOfAdding) {
  Evidence evidence = NoEvidence();
  for (const uint64_t sequence : {5U, 1U, 3U}) evidence.Add(TestEntry(sequence, "node.check", "{}"));
  evidence.Add(TestEntry(2, "node.identity", "{}"));
  const auto all = evidence.All("node.check");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0]->sequence, 1U);
  EXPECT_EQ(all[2]->sequence, 5U);
  EXPECT_EQ(evidence.Latest("node.check")->sequence, 5U);
  EXPECT_EQ(evidence.Latest("bench.coll"), nullptr);
}

TEST(EvidenceTest, LatestOfEachSubject) {
  Evidence evidence = NoEvidence();
  for (const uint64_t sequence : {1U, 2U, 3U}) {
    ledger::Entry entry = TestEntry(sequence, "node.check", "{}");
    entry.subject = sequence == 2 ? "b" : "a";
    evidence.Add(entry);
  }
  const auto latest = evidence.LatestOfEach("node.check");
  ASSERT_EQ(latest.size(), 2U);
  EXPECT_EQ(latest[0]->sequence, 3U);
  EXPECT_EQ(latest[1]->sequence, 2U);
}

TEST(EvidenceTest, ValuesByPathAreAbsentRatherThanGuessed) {
  const auto entry = TestEntry(0, "node.check", R"({"a": {"n": 2.5, "t": "x", "z": null}})");
  EXPECT_EQ(NumberAt(entry, "a.n"), 2.5);
  EXPECT_EQ(TextAt(entry, "a.t"), "x");
  EXPECT_FALSE(NumberAt(entry, "a.t").has_value());
  EXPECT_FALSE(NumberAt(entry, "a.z").has_value());
  EXPECT_FALSE(NumberAt(entry, "b.n").has_value());
  EXPECT_EQ(TextAt(entry, "a.n"), "");
}

TEST(EvidenceTest, OneMalformedFindingSpoilsTheEntry) {
  EXPECT_TRUE(FindingsOf(TestEntry(0, "node.check", CheckBody("dns", "pass"))).ok());
  for (const char* body : {"{}", R"({"findings": {}})", R"({"findings": [{}]})", R"({"findings": [null]})"}) {
    EXPECT_EQ(FindingsOf(TestEntry(0, "node.check", body)).status().code(), base::StatusCode::kInvalidArgument) << body;
  }
}

}  // namespace
}  // namespace ashlar::assess
