#include "assess/report/verdict_text.h"

#include <gtest/gtest.h>

#include <set>

namespace ashlar::assess {
namespace {

TEST(VerdictTextTest, EachVerdictHasASymbolAndAWordOfItsOwn) {
  std::set<std::string_view> symbols;
  std::set<std::string_view> words;
  for (const auto verdict : {base::Verdict::kPass, base::Verdict::kFail, base::Verdict::kUnknown,
                             base::Verdict::kNotApplicable, base::Verdict::kConflict}) {
    symbols.insert(TextOf(verdict).symbol);
    words.insert(TextOf(verdict).word);
  }
  EXPECT_EQ(symbols.size(), 5U);
  EXPECT_EQ(words.size(), 5U);
  EXPECT_EQ(TextOf(base::Verdict::kFail).word, "FAIL");
}

}  // namespace
}  // namespace ashlar::assess
