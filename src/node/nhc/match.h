// NHC's match expressions, by which lines name hosts and checks name values: a glob, a `/regular expression/` or a
// `{list of node ranges}`, each negated by a leading `!`.
//
// What bash would read and this does not (extended globs, external matches) is refused, so that no line is taken for
// another host's by mistake. Source: mej/nhc scripts/common.nhc, mcheck. One object may be used by any thread.
#pragma once

#include <regex.h>

#include <bitset>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::node {

class NhcMatch {
 public:
  // kInvalidArgument for an expression that is broken, kUnimplemented for one that is not read here,
  // kResourceExhausted over kMaxNhcExpressionBytes or kMaxNhcRepetitions.
  static base::StatusOr<NhcMatch> Parse(std::string_view expression);

  bool Matches(const std::string& text) const;

 private:
  // One byte out of a set, or any run of bytes.
  struct GlobPiece {
    std::bitset<256> bytes;
    bool is_run = false;
  };
  // `n[01-16]-ib`: the number has exactly `width` digits.
  struct NodeRange {
    std::string prefix;
    std::string suffix;
    uint64_t first = 0;
    uint64_t last = 0;
    size_t width = 0;
    bool is_name = false;  // then `prefix` is the whole name
  };
  struct FreeRegex {
    void operator()(regex_t* regex) const;
  };

  base::Status ParseGlob(std::string_view glob);
  base::StatusOr<size_t> ParseGlobSet(std::string_view glob, size_t open);
  base::Status ParseRegex(std::string_view expression);
  base::Status ParseRanges(std::string_view list);
  bool MatchesGlob(std::string_view text) const;
  static bool MatchesRange(const NodeRange& range, std::string_view text);

  bool negated_ = false;
  std::vector<GlobPiece> glob_;
  std::unique_ptr<regex_t, FreeRegex> regex_;
  std::vector<NodeRange> ranges_;
};

// Parse and Matches in one, for a single use.
base::StatusOr<bool> MatchesNhc(std::string_view expression, const std::string& text);

}  // namespace ashlar::node
