// The text of documents that a validation does not write: of a link that cannot be told from its nodes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/validate/validation.h"

namespace ashlar::bench {
namespace {

using testing::HasSubstr;

TEST(ValidationText, SaysWhatCannotBeToldApartAndWhatToTestNext) {
  const std::string text = ValidationText(base::ParseJson(R"({
    "nodes": ["a", "b"], "rounds": 3, "most_rounds": 9, "why_over": "all 3 rounds are used", "method": "m",
    "tests": [{"round": 2, "nodes": ["a", "b"], "text": "1 GB/s"}],
    "healthy": [{"tests": "pairs", "modes": 2, "fast_busbw_bytes_per_second": 4e11,
                 "slow_busbw_bytes_per_second": 3e11, "slow_share": 0.25, "relative_spread": 0.05}],
    "accusations": [{"symptom": "slow", "pinned": false, "support": [0],
                     "candidates": [{"kind": "link", "nodes": ["a", "b"], "probability": 0.6},
                                    {"kind": "node", "nodes": ["a"], "probability": 0.4}]}],
    "next_tests": [["a", "b"]], "findings": []})")
                                              .value());
  EXPECT_THAT(text, HasSubstr("two modes"));
  EXPECT_THAT(text, HasSubstr("slow cannot be told apart:\n  link    a - b"));
  EXPECT_THAT(text, HasSubstr("test 0    round 2   a b"));
  EXPECT_THAT(text, HasSubstr("test next:\n  a b"));
}

}  // namespace
}  // namespace ashlar::bench
