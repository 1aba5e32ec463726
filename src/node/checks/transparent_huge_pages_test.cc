#include "node/checks/transparent_huge_pages.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

Files Setting(const std::string& text) { return {{"/sys/kernel/mm/transparent_hugepage/enabled", text}}; }

TEST(TransparentHugePages, Cases) {
  const std::vector<CheckCase> cases = {
      {"no /sys", {}, "", Verdict::kUnknown, "enabled"},
      {"kernel without", {{"/sys/kernel/mm/ksm/run", "0"}}, "", Verdict::kNotApplicable, "no transparent"},
      {"malformed", Setting("always madvise never\n"), "", Verdict::kUnknown, "chooses nothing"},
      {"two chosen", Setting("[always] [madvise] never\n"), "", Verdict::kUnknown, "chooses nothing"},
      {"empty brackets", Setting("always [] never\n"), "", Verdict::kUnknown, "chooses nothing"},
      {"empty", Setting(""), "", Verdict::kUnknown, "chooses nothing"},
      {"madvise", Setting("always [madvise] never\n"), "", Verdict::kPass, ""},
      {"always", Setting("[always] madvise never\n"), "", Verdict::kPass, ""},
      {"never", Setting("always madvise [never]\n"), "", Verdict::kFail, "echo always"},
      {"configured", Setting("always [madvise] never\n"), "transparent_huge_pages: [never]", Verdict::kFail,
       "echo never"},
  };
  ExpectCases(&CheckTransparentHugePages, cases);
}

}  // namespace
}  // namespace ashlar::node
