// Arguments of NHC checks: sizes, counts, percentages and options, read as NHC reads them and more strictly: what bash
// would take as 0 or as octal is refused. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base.h"

namespace ashlar::node {

// A size in bytes. A plain number is kB (1024 bytes); k M G T P E of either case multiply by 1024 each, a last b or B
// says nothing: "32gb", "5G", "330kB", "330b" (kB as well). kInvalidArgument for anything else.
// Source: mej/nhc scripts/common.nhc, nhc_common_parse_size.
base::StatusOr<uint64_t> ParseNhcSize(std::string_view text);

// A count: k M G T P E multiply by 1000 each. Source: nhc_common_parse_count.
base::StatusOr<uint64_t> ParseNhcCount(std::string_view text);

// A whole decimal number without a sign; a leading 0 would make it octal for bash and is refused.
base::StatusOr<uint64_t> ParseNhcNumber(std::string_view text);

// "5%" or what `parse` reads.
struct NhcAmount {
  uint64_t number = 0;
  bool is_percent = false;
};
base::StatusOr<NhcAmount> ParseNhcAmount(std::string_view text, base::StatusOr<uint64_t> (*parse)(std::string_view));

struct NhcOptions {
  std::vector<std::pair<char, std::string>> given;  // in their order
  std::vector<std::string> rest;

  bool Has(char option) const;
  // The value of the last `option`; "" when it is not given.
  std::string Value(char option) const;
};

// As bash's getopts: letters may stand together ("-rw"), a value may follow at once ("-f/home"); ends at the first
// word that is none, or behind "--". `known` has a letter for each option, with ':' behind it when it takes a value.
// kInvalidArgument naming the option.
base::StatusOr<NhcOptions> ParseNhcOptions(std::span<const std::string> words, std::string_view known);

// kInvalidArgument with `usage` unless there are from `least` to `most` arguments and none of the first `least` is "".
base::Status WantArguments(std::span<const std::string> words, size_t least, size_t most, std::string_view usage);

}  // namespace ashlar::node
