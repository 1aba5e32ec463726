// Lines as bash's `read` gives them to NHC: joined where a backslash ends them, one level of backslashes taken away,
// without blanks at both ends. So `\\.` in a file is what a shell then sees as `\.`.
//
// Source: bash(1), read without -r; mej/nhc scripts/common.nhc, nhc_load_conf. Plain values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::node {

struct ConfLine {
  size_t number = 0;    // where it begins, from 1
  std::string text;     // cut at kMaxNhcLineBytes
  std::string problem;  // why it cannot be what its writer meant; "" for all but broken lines
};

// Every line, empty ones and a last one without end among them (bash would drop that one in silence).
// kResourceExhausted for more than kMaxNhcLines.
base::StatusOr<std::vector<ConfLine>> ReadConfLines(std::string_view text);

// The two sides of the first `||`, without blanks at both ends; `check` is absent when there is no `||`.
struct ConfSides {
  std::string_view target;
  std::string_view check;
  bool is_split = false;
};
ConfSides SplitConfLine(std::string_view line);

}  // namespace ashlar::node
