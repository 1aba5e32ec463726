#include "bench/read/launcher_prefix.h"

#include <gtest/gtest.h>

namespace ashlar::bench {
namespace {

struct PrefixCase {
  const char* line;
  const char* stream;
  const char* text;
};

class TakePrefixTest : public testing::TestWithParam<PrefixCase> {};

TEST_P(TakePrefixTest, SplitsMarkAndText) {
  const MarkedLine line = TakePrefix(GetParam().line);
  EXPECT_EQ(line.stream, GetParam().stream) << GetParam().line;
  EXPECT_EQ(line.text, GetParam().text) << GetParam().line;
}

INSTANTIATE_TEST_SUITE_P(
    Launchers, TakePrefixTest,
    testing::Values(PrefixCase{"[1,0]<stdout>:#  Rank  0", "[1,0]<stdout>", "#  Rank  0"},
                    PrefixCase{"[1,12]<stderr>:x", "[1,12]<stderr>", "x"},  //
                    PrefixCase{"0: # nThread 1", "0", "# nThread 1"},
                    PrefixCase{" 3:      1024    256", "3", "     1024    256"},
                    PrefixCase{"node-7.local: # x", "node-7.local", "# x"},
                    // no marks
                    PrefixCase{"# Out of bounds values : 0 OK", "", "# Out of bounds values : 0 OK"},
                    PrefixCase{"     1024   256   float", "", "     1024   256   float"},
                    PrefixCase{"host:3442:3442 [0] NCCL INFO x", "", "host:3442:3442 [0] NCCL INFO x"},
                    PrefixCase{"  name: x", "", "  name: x"}, PrefixCase{"[1]<stdout>:x", "", "[1]<stdout>:x"},
                    PrefixCase{"[,]<stdout>:x", "", "[,]<stdout>:x"}, PrefixCase{"", "", ""},
                    PrefixCase{"a:", "", "a:"}, PrefixCase{"NOTE: The results", "", "NOTE: The results"},
                    PrefixCase{"Device 0: NVIDIA", "", "Device 0: NVIDIA"},
                    PrefixCase{" [2026-01-01 00:00:00] iteration", "", " [2026-01-01 00:00:00] iteration"}));

TEST(FindNcclLogTest, FindsWhereItBegins) {
  EXPECT_EQ(FindNcclLog("host:3442:3442 [0] NCCL INFO Launch mode"), 0U);
  EXPECT_EQ(FindNcclLog("   1024    256  host-1.a:3442:99 [7] NCCL WARN x"), 16U);
  for (const char* line : {"", "NCCL INFO", "[0] NCCL INFO", "host:1 [0] NCCL INFO", "host:1:2 0] NCCL INFO",
                           "host:1:2 [] NCCL INFO", "# nccl-tests version 2.17"}) {
    EXPECT_FALSE(FindNcclLog(line)) << line;
  }
}

}  // namespace
}  // namespace ashlar::bench
