#include "bench/read/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ashlar::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(FormatReadReportTest, ShowsRunsThenWhatKeepsThemFromPassing) {
  const std::string sample = os::ReadWholeFile(os::RealFileSystem(),
                                               ASHLAR_SOURCE_ROOT "/src/bench/read/testdata/all_reduce_2_17.log",
                                               {base::kMiB})
                                 .value();
  const std::string whole = FormatReadReport(ReadResults(os::RealFileSystem(), {"-"}, sample));
  EXPECT_THAT(whole, HasSubstr("-:1  nccl-tests 2.17.4  all_reduce_perf      4     3    4 MiB  25.2 GB/s  pass"));
  EXPECT_THAT(whole, Not(HasSubstr("unknown")));
  const std::string cut =
      FormatReadReport(ReadResults(os::RealFileSystem(), {"-", "/absent"}, sample.substr(0, sample.size() / 2)));
  EXPECT_THAT(cut, HasSubstr("unknown  -:1  read-complete: "));
  EXPECT_THAT(cut, HasSubstr("unknown  /absent: "));
}

TEST(FormatReadReportTest, NothingIsNothing) { EXPECT_EQ(FormatReadReport({}), ""); }

}  // namespace
}  // namespace ashlar::bench
