// A program that is only ever a rank: what tests and benchmarks start in place of `ashlar bench coll`.
#include <cstdio>
#include <string_view>

#include "bench/coll/collectives.h"

int main(int count, char** words) {
  if (count != 5 || std::string_view(words[1]) != ashlar::bench::kRankOption ||
      std::string_view(words[3]) != ashlar::bench::kBoardOption) {
    std::fprintf(stderr, "usage: %s %s ARGUMENTS %s BOARD\n", words[0], ashlar::bench::kRankOption,
                 ashlar::bench::kBoardOption);
    return 2;
  }
  return ashlar::bench::RunAsRank(words[2], words[4]);
}
