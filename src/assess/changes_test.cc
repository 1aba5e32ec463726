#include "assess/changes.h"

#include <gtest/gtest.h>

#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

std::string StorageBody(double bandwidth) {
  return fmt::format(R"({{"path": "/scratch", "device": "vda", "runs": [
      {{"name": "random read 4 KiB depth 16", "bandwidth_bytes_per_second": {}}}]}})",
                     bandwidth);
}

struct Row {
  const char* name;
  const char* kind;
  std::string before;
  std::string after;
  size_t changes;
  bool worse;
};

// A quarter is the tolerance of data/assess/tolerances.yaml.
TEST(ChangesTest, MeasurementsAgainstTheOneBefore) {
  const Row rows[] = {
      {"check fails now", "node.check", CheckBody("dns", "pass"), CheckBody("dns", "fail"), 1, true},
      {"check passes now", "node.check", CheckBody("dns", "fail"), CheckBody("dns", "pass"), 1, false},
      {"check as before", "node.check", CheckBody("dns", "pass"), CheckBody("dns", "pass"), 0, false},
      {"other check", "node.check", CheckBody("dns", "pass"), CheckBody("swap", "fail"), 0, false},
      {"malformed check", "node.check", R"({"findings": 1})", CheckBody("dns", "fail"), 0, false},
      {"collective slower", "bench.coll", CollectiveBody("all_reduce", 4e9, 0), CollectiveBody("all_reduce", 2e9, 0), 1,
       true},
      {"collective faster", "bench.coll", CollectiveBody("all_reduce", 4e9, 0), CollectiveBody("all_reduce", 6e9, 0), 1,
       false},
      {"collective within tolerance", "bench.coll", CollectiveBody("all_reduce", 4e9, 0),
       CollectiveBody("all_reduce", 3.2e9, 0), 0, false},
      {"another collective", "bench.coll", CollectiveBody("all_reduce", 4e9, 0), CollectiveBody("reduce", 1e9, 0), 0,
       false},
      {"storage slower", "bench.storage", StorageBody(2e9), StorageBody(1e9), 1, true},
      {"storage within tolerance", "bench.storage", StorageBody(2e9), StorageBody(1.6e9), 0, false},
      {"storage malformed", "bench.storage", R"({"path": "/scratch", "device": "vda"})", StorageBody(1e9), 0, false},
  };
  for (const Row& row : rows) {
    Evidence evidence = NoEvidence();
    evidence.Add(TestEntry(0, row.kind, row.before));
    evidence.Add(TestEntry(1, row.kind, row.after));
    const auto changes = MeasuredChanges(evidence);
    ASSERT_EQ(changes.size(), row.changes) << row.name;
    if (row.changes > 0) {
      EXPECT_EQ(changes.front().worse, row.worse) << row.name;
    }
  }
}

TEST(ChangesTest, OneMeasurementIsNoChange) {
  Evidence evidence = NoEvidence();
  EXPECT_TRUE(MeasuredChanges(evidence).empty());
  evidence.Add(TestEntry(0, "bench.coll", CollectiveBody("all_reduce", 4e9, 0)));
  EXPECT_TRUE(MeasuredChanges(evidence).empty());
}

TEST(ChangesTest, JsonHasTheFourFields) {
  const base::Json json = ChangeToJson({"dns", "pass", "fail", true});
  EXPECT_EQ(base::WriteJson(json), R"({"what":"dns","before":"pass","after":"fail","worse":true})");
}

}  // namespace
}  // namespace ashlar::assess
