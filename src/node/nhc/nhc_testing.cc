#include "node/nhc/nhc_testing.h"

#include <gtest/gtest.h>

namespace ashlar::node {

base::Finding RunMapped(NhcMapper map, const std::vector<std::string>& arguments, const FakeMachine& machine,
                        const std::string& node_yaml) {
  const auto check = map(arguments);
  EXPECT_TRUE(check.ok()) << check.status();
  base::Finding finding;
  if (!check.ok()) return finding;
  EXPECT_FALSE(check->becomes.empty());
  EXPECT_GT(check->time_limit, absl::ZeroDuration());
  machine.With(node_yaml, [&](const CheckContext& context) { finding = check->run(context); });
  EXPECT_TRUE(finding.verdict == base::Verdict::kPass || !finding.reason.empty()) << DescribeFinding(finding);
  return finding;
}

void ExpectMapped(NhcMapper map, std::span<const MappedCase> cases) {
  for (const auto& row : cases) {
    SCOPED_TRACE(row.name);
    const base::Finding finding = RunMapped(map, row.arguments, FakeMachine(row.files));
    EXPECT_EQ(finding.verdict, row.verdict) << DescribeFinding(finding);
    EXPECT_NE(finding.reason.find(row.reason), std::string::npos) << DescribeFinding(finding);
  }
}

void ExpectRefused(NhcMapper map, std::span<const RefusedCase> cases) {
  for (const auto& row : cases) {
    const auto check = map(row.arguments);
    EXPECT_FALSE(check.ok()) << base::Join(row.arguments, " ");
    EXPECT_NE(base::Message(check.status()).find(row.message), std::string::npos)
        << base::Join(row.arguments, " ") << ": " << check.status();
  }
}

}  // namespace ashlar::node
