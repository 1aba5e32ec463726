#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

using base::Verdict;

ledger::Entry Machine(uint64_t sequence, const std::string& name, const std::string& zone) {
  ledger::Entry entry = TestEntry(sequence, "node.identity",
                                  zone.empty() ? R"({"azure": null})" : R"({"azure": {"zone": ")" + zone + R"("}})");
  entry.subject = name;
  return entry;
}

Evidence ThreeMachines(const char* config, const std::string& third_zone) {
  Evidence evidence(*base::ParseJson(config), TestTime());
  evidence.Add(Machine(0, "a", "1"));
  evidence.Add(Machine(1, "b", "2"));
  evidence.Add(Machine(2, "c", third_zone));
  return evidence;
}

struct Row {
  const char* name;
  const char* config;
  const char* third_zone;
  Verdict verdict;
};

// Zones 1, 2, 3: losing one leaves 2. Zones 1, 2, 2: losing zone 2 leaves 1.
TEST(RelZonesTest, LossOfTheLargestZone) {
  const Row rows[] = {
      {"two must survive, spread", R"({"reliability": {"capacity_floor": 2}})", "3", Verdict::kPass},
      {"two must survive, two share a zone", R"({"reliability": {"capacity_floor": 2}})", "2", Verdict::kFail},
      {"one must survive, two share a zone", R"({"reliability": {"capacity_floor": 1}})", "2", Verdict::kPass},
      {"no floor declared", "{}", "3", Verdict::kUnknown},
      {"floor is no number", R"({"reliability": {"capacity_floor": "two"}})", "3", Verdict::kUnknown},
      {"a machine without a zone", R"({"reliability": {"capacity_floor": 1}})", "", Verdict::kUnknown},
  };
  for (const Row& row : rows) {
    const Judgement judgement = kRelZones.judge(ThreeMachines(row.config, row.third_zone));
    EXPECT_EQ(judgement.verdict, row.verdict) << row.name << ": " << judgement.reason;
  }
}

TEST(RelZonesTest, NoneOrOneMachineIsUnknown) {
  EXPECT_EQ(kRelZones.judge(NoEvidence()).verdict, Verdict::kUnknown);
  EXPECT_EQ(kRelZones.judge(HealthyMachine()).verdict, Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
