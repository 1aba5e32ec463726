#include "bench/coll/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/coll/limits.h"

namespace ashlar::bench {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ArgumentValues With(ArgumentValues values) {
  values.try_emplace("collective", "all_reduce");
  return values;
}

TEST(Arguments, RefusesWhatIsWrongAndNamesIt) {
  struct Row {
    const char* name;
    ArgumentValues values;
    const char* message;
  };
  const Row rows[] = {
      {"no collective", {{"collective", ""}}, "which collective"},
      {"unknown collective", {{"collective", "allreduce"}}, "no collective \"allreduce\""},
      {"unknown argument", {{"speed", "1"}}, "--speed"},
      {"size with a wrong tail", {{"minbytes", "8Q"}}, "--minbytes 8Q"},
      {"size over the limit", {{"maxbytes", "2000G"}}, "at most 1T"},
      {"ends crossed", {{"minbytes", "2K"}, {"maxbytes", "1K"}}, "--maxbytes"},
      {"factor of one", {{"stepfactor", "1"}}, "-i 1M"},
      {"factor as text", {{"stepfactor", "x"}}, "--stepfactor x"},
      {"zero never grows", {{"minbytes", "0"}}, "use -i"},
      {"too many sizes", {{"stepbytes", "1"}, {"maxbytes", "1M"}}, "4096 sizes"},
      {"no iterations", {{"iters", "0"}}, "--iters 0"},
      {"fixed and adaptive", {{"iters", "5"}, {"adaptive", "true"}}, "--adaptive"},
      {"fixed with a budget", {{"iters", "5"}, {"budget", "5s"}}, "cannot go with -n"},
      {"unknown type", {{"datatype", "fp8"}}, "fp8"},
      {"unknown reduction", {{"op", "mulsum"}}, "mulsum"},
      {"undefined pair", {{"op", "band"}, {"datatype", "float"}}, "no \"band\" on \"float\""},
      {"undefined pair, all types of none", {{"op", "minloc"}}, "minloc"},
      {"negative root", {{"root", "-1"}}, "--root -1"},
      {"average out of range", {{"average", "4"}}, "from 0 to 3"},
      {"eight GPUs", {{"ngpus", "8"}}, "--ranks 8"},
      {"threads", {{"nthreads", "2"}}, "--ranks 2"},
      {"interval of nothing", {{"interval", "0"}}, "--interval"},
      {"interval over one", {{"interval", "101%"}}, "--interval"},
      {"timeout of nothing", {{"timeout", "0"}}, "--timeout"},
      {"timeout over a day", {{"timeout", "25h"}}, "at most 24h"},
      {"deadline as text", {{"deadline", "soon"}}, "--deadline soon"},
      {"output file without its ending", {{"output_file", "a.txt"}}, ".json"},
      {"no ranks", {{"ranks", "0"}}, "--ranks 0"},
      {"ranks over the limit", {{"ranks", "65537"}}, "65536"},
      {"registration out of range", {{"local_register", "3"}}, "from 0 to 2"},
  };
  for (const Row& row : rows) {
    const auto options = ReadArguments(With(row.values));
    EXPECT_EQ(options.status().code(), base::StatusCode::kInvalidArgument) << row.name;
    EXPECT_THAT(std::string(base::Message(options.status())), HasSubstr(row.message)) << row.name;
  }
}

TEST(Arguments, Defaults) {
  const CollectiveOptions options = ReadArguments(With({})).value();
  EXPECT_EQ(options.sizes_bytes.front(), 8U);
  EXPECT_EQ(options.sizes_bytes.back(), 64U << 20U);
  EXPECT_EQ(options.sizes_bytes.size(), 24U);  // 2^3 to 2^26
  EXPECT_EQ(options.step, "2(factor)");
  EXPECT_FALSE(options.iterations.has_value());
  EXPECT_EQ(options.interval, 0.02);
  EXPECT_EQ(options.check_iterations, 1);
  EXPECT_EQ(options.average, RankAverage::kMean);
  EXPECT_EQ(options.stall_limit, absl::Seconds(60));
  EXPECT_THAT(options.notes, IsEmpty());
}

TEST(Arguments, Sizes) {
  struct Row {
    const char* name;
    ArgumentValues values;
    std::vector<uint64_t> sizes;
  };
  const Row rows[] = {
      {"factor", {{"minbytes", "1K"}, {"maxbytes", "10K"}, {"stepfactor", "3"}}, {1024, 3072, 9216}},
      {"bytes", {{"minbytes", "1M"}, {"maxbytes", "3M"}, {"stepbytes", "1M"}}, {1 << 20, 2 << 20, 3 << 20}},
      {"factor wins", {{"minbytes", "8"}, {"maxbytes", "32"}, {"stepbytes", "8"}, {"stepfactor", "4"}}, {8, 32}},
      {"one size", {{"minbytes", "64"}, {"maxbytes", "64"}}, {64}},
      {"zero with a step", {{"minbytes", "0"}, {"maxbytes", "8"}, {"stepbytes", "8"}}, {0, 8}},
      {"fractions", {{"minbytes", "0.5K"}, {"maxbytes", "1k"}}, {512, 1024}},
      {"only the lower end, above the default", {{"minbytes", "128M"}}, {128U << 20U}},
      {"only the upper end, below the default", {{"maxbytes", "4"}}, {4}},
      {"no overflow at the upper end",
       {{"minbytes", "512G"}, {"maxbytes", "1024G"}, {"stepfactor", "1000000000"}},
       {uint64_t{1} << 39U}},
  };
  for (const Row& row : rows) {
    const auto options = ReadArguments(With(row.values));
    ASSERT_TRUE(options.ok()) << row.name << ": " << options.status();
    EXPECT_EQ(options->sizes_bytes, row.sizes) << row.name;
  }
  EXPECT_EQ(ReadArguments(With({{"maxbytes", "32K"}, {"minbytes", "8"}, {"stepbytes", "8"}}))->sizes_bytes.size(),
            kMaxSizes);  // 32768 / 8: exactly at the limit
}

TEST(Arguments, WhatNeedsAGpuIsSaidAndIgnored) {
  const auto options =
      ReadArguments(With({{"cudagraph", "1"}, {"report_cputime", "1"}, {"local_register", "2"}, {"blocking", "1"}}));
  ASSERT_TRUE(options.ok());
  EXPECT_THAT(options->notes, ElementsAre(HasSubstr("-z"), HasSubstr("-G"), HasSubstr("-C"), HasSubstr("-R")));
}

TEST(Arguments, TimesTakeSecondsOrUnits) {
  EXPECT_EQ(ReadArguments(With({{"timeout", "90"}}))->deadline, absl::Seconds(90));
  EXPECT_EQ(ReadArguments(With({{"timeout", "5m"}, {"deadline", "1h"}}))->deadline, absl::Minutes(5));
  EXPECT_EQ(ReadArguments(With({{"budget", "15s"}}))->budget, absl::Seconds(15));
  EXPECT_EQ(ReadArguments(With({{"interval", "5%"}}))->interval, 0.05);
  EXPECT_THAT(ReadArguments(With({{"run_cycles", "0"}}))->notes, Contains(HasSubstr("-N 0")));
}

TEST(Arguments, CombinationsAreThoseThatMpiDefines) {
  const auto count = [](ArgumentValues values, Collective collective, int ranks) {
    const CollectiveOptions options = ReadArguments(With(std::move(values))).value();
    return Combinations(options, collective, ranks).value().size();
  };
  EXPECT_EQ(count({}, Collective::kAllReduce, 4), 1U);
  // sum, prod, max, min, avg on float.
  EXPECT_EQ(count({{"op", "all"}}, Collective::kAllReduce, 4), 5U);
  // 8 integers with 11 operations, 5 floating with 5, bool and byte with 3, 2 complex with 3, 6 pairs with 2.
  EXPECT_EQ(count({{"op", "all"}, {"datatype", "all"}}, Collective::kAllReduce, 4), 8U * 11 + 5 * 5 + 6 + 6 + 12);
  EXPECT_EQ(count({{"op", "all"}, {"datatype", "all"}}, Collective::kAllGather, 4), DataTypes().size());
  EXPECT_EQ(count({{"root", "all"}}, Collective::kBroadcast, 4), 4U);
  EXPECT_EQ(count({{"root", "all"}}, Collective::kAllReduce, 4), 1U);
  EXPECT_EQ(ReadArguments(With({{"collective", "all"}}))->collectives.size(), 9U);
}

TEST(Arguments, TravelToTheRanksAndBack) {
  const ArgumentValues values = {{"collective", "reduce"}, {"iters", "5"}, {"ranks", "4"}, {"op", ""}};
  const auto back = ArgumentsFromText(ArgumentsToText(values));
  ASSERT_TRUE(back.ok());
  // How many ranks to start is no business of a rank; what was not given stays not given.
  EXPECT_EQ(*back, (ArgumentValues{{"collective", "reduce"}, {"iters", "5"}}));
  for (const char* text : {"", "[]", "{\"iters\": 5}", "{\"iters\""}) {
    EXPECT_EQ(ArgumentsFromText(text).status().code(), base::StatusCode::kInvalidArgument) << text;
  }
}

TEST(Arguments, TheTableHasTheFieldsLetters) {
  std::string letters;
  for (const CollectiveArgument& argument : CollectiveArguments()) {
    if (argument.letter != 0) letters += argument.letter;
  }
  std::sort(letters.begin(), letters.end());
  EXPECT_EQ(letters, "CGJNRTabcdefgimnortwz");
}

}  // namespace
}  // namespace ashlar::bench
