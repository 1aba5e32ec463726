// How a verdict looks in text: a symbol and a word, so that colour is never needed to read it.
#pragma once

#include <string_view>

#include "base/base.h"

namespace ashlar::assess {

struct VerdictText {
  std::string_view symbol;  // one character wide
  std::string_view word;    // "pass", "FAIL", "unknown", "n/a", "CONFLICT"
  std::string_view colour;  // ANSI escape that begins it
};

VerdictText TextOf(base::Verdict verdict);

inline constexpr std::string_view kColourEnd = "\x1b[0m";

}  // namespace ashlar::assess
