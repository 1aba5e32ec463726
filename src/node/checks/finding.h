// Writing findings: the few sentences that every check needs. Plain functions, any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::node {

// A finding that is `unknown` until a verdict is given.
struct FindingStart {
  std::string_view id;
  std::string_view read_from;
  std::string_view unit = "";
};
base::Finding StartFinding(const FindingStart& start);

// States what is expected, and where that is written.
void Expect(base::Finding& finding, std::string expectation, std::string source);

base::Finding Pass(base::Finding finding);
// `reason` says what is wrong and what to do.
base::Finding Fail(base::Finding finding, std::string reason);
base::Finding CannotTell(base::Finding finding, std::string reason);
base::Finding CannotTell(base::Finding finding, const base::Status& status);
base::Finding DoesNotApply(base::Finding finding, std::string reason);

// "a, b, c and 4 more": names for one line of text.
std::string FewNames(const std::vector<std::string>& names);

// Texts as a JSON array.
base::Json NamesToJson(const std::vector<std::string>& names);

// True when one of `patterns` (* and ?) matches.
bool MatchesAny(const std::vector<std::string>& patterns, std::string_view name);

// 0.0534 as "5.3 %", 0.05 as "5 %".
std::string Percent(double share);

}  // namespace ashlar::node
