#include "bench/storage/options.h"

#include <gtest/gtest.h>

#include "bench/storage/limits.h"

namespace ashlar::bench {
namespace {

using base::Bytes;
using base::StatusCode;
using testing::HasSubstr;

struct BadDemand {
  std::string name;
  std::string text;
  std::string says;
};

class BadDemandTest : public testing::TestWithParam<BadDemand> {};

TEST_P(BadDemandTest, IsRefusedWithAReason) {
  const auto demand = ParseStorageDemand(GetParam().text);
  ASSERT_FALSE(demand.ok());
  EXPECT_EQ(demand.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(base::Message(demand.status())), HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, BadDemandTest,
    testing::Values(BadDemand{"Empty", "", "key=value"}, BadDemand{"NoEquals", "loading_rate", "key=value"},
                    BadDemand{"UnknownKey", "speed=3G", "not a demand"},
                    BadDemand{"Twice", "loading_rate=1G,loading_rate=2G", "twice"},
                    BadDemand{"CheckpointAlone", "checkpoint_bytes=80G", "belong together"},
                    BadDemand{"IntervalAlone", "interval=30m", "belong together"},
                    BadDemand{"ShareAlone", "loading_rate=1G,stall_share=0.1", "stall_share needs"},
                    BadDemand{"ShareZero", "checkpoint_bytes=1G,interval=1m,stall_share=0", "above 0"},
                    BadDemand{"ShareOverOne", "checkpoint_bytes=1G,interval=1m,stall_share=1.01", "at most 1"},
                    BadDemand{"ZeroBytes", "checkpoint_bytes=0,interval=1m", "above zero"},
                    BadDemand{"ZeroInterval", "checkpoint_bytes=1G,interval=0s", "above zero"},
                    BadDemand{"EndlessInterval", "checkpoint_bytes=1G,interval=inf", "interval"},
                    BadDemand{"BadSize", "loading_rate=fast", "loading_rate"},
                    BadDemand{"BadTime", "fsync_p99=10", "fsync_p99"}),
    [](const auto& row) { return row.param.name; });

TEST(StorageDemandTest, ReadsEveryKey) {
  const auto demand =
      ParseStorageDemand("checkpoint_bytes=80G, interval=30m,stall_share=0.05,loading_rate=2G,fsync_p99=10ms");
  ASSERT_TRUE(demand.ok()) << demand.status();
  EXPECT_EQ(demand->checkpoint, Bytes{85'899'345'920});  // 80 * 2^30
  EXPECT_EQ(demand->interval, absl::Minutes(30));
  EXPECT_EQ(demand->stall_share, 0.05);
  EXPECT_EQ(demand->stall_share_source, "the stated demand");
  EXPECT_EQ(demand->loading->rate, 2'147'483'648.0);  // 2 * 2^30
  EXPECT_EQ(demand->sync_p99, absl::Milliseconds(10));
}

// 3.5 % is what the CheckFreq paper bounds the stall to; the number lives in data/bench/storage.yaml.
TEST(StorageDemandTest, TheStallShareComesFromDataWithItsSource) {
  const auto demand = ParseStorageDemand("checkpoint_bytes=80G,interval=30m");
  ASSERT_TRUE(demand.ok()) << demand.status();
  EXPECT_EQ(demand->stall_share, 0.035);
  EXPECT_THAT(demand->stall_share_source, HasSubstr("CheckFreq"));
  EXPECT_THAT(demand->stall_share_source, HasSubstr("2021-02-23"));
}

TEST(StorageDemandTest, AConfigurationSaysTheSame) {
  const auto json =
      base::ParseJson(R"({"checkpoint_bytes": 1073741824, "interval": 1800, "stall_share": 0.1, "fsync_p99": "10ms"})");
  const auto demand = StorageDemandFromJson(*json);
  ASSERT_TRUE(demand.ok()) << demand.status();
  EXPECT_EQ(demand->checkpoint, Bytes{base::kGiB});
  EXPECT_EQ(demand->interval, absl::Minutes(30));
  EXPECT_EQ(demand->sync_p99, absl::Milliseconds(10));
  EXPECT_FALSE(demand->loading);
}

TEST(StorageDemandTest, AConfigurationOfTheWrongShapeIsRefused) {
  for (const char* text : {"[]", "3", "{}", R"({"loading_rate": true})", R"({"loading_rate": {}})"}) {
    const auto demand = StorageDemandFromJson(*base::ParseJson(text));
    EXPECT_EQ(demand.status().code(), StatusCode::kInvalidArgument) << text;
  }
}

struct BadAxes {
  std::string name;
  StorageAxes axes;
  std::string says;
};

class BadAxesTest : public testing::TestWithParam<BadAxes> {};

TEST_P(BadAxesTest, NameTheWord) {
  const auto cells = CrossStorageCells(GetParam().axes);
  ASSERT_FALSE(cells.ok());
  EXPECT_EQ(cells.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(base::Message(cells.status())), HasSubstr(GetParam().says));
}

StorageAxes WithBlocks(std::string blocks) {
  StorageAxes axes;
  axes.blocks = std::move(blocks);
  return axes;
}
StorageAxes WithDepths(std::string depths) {
  StorageAxes axes;
  axes.depths = std::move(depths);
  return axes;
}
StorageAxes WithWords(std::string patterns, std::string operations) {
  StorageAxes axes;
  axes.patterns = std::move(patterns);
  axes.operations = std::move(operations);
  return axes;
}

INSTANTIATE_TEST_SUITE_P(Rows, BadAxesTest,
                         testing::Values(BadAxes{"Pattern", WithWords("zigzag", "read"), "zigzag"},
                                         BadAxes{"NoPattern", WithWords("", "read"), "pattern"},
                                         BadAxes{"Operation", WithWords("seq", "erase"), "erase"},
                                         BadAxes{"Twice", WithWords("seq,seq", "read"), "twice"},
                                         BadAxes{"Block", WithBlocks("4K,big"), "block size"},
                                         BadAxes{"DepthZero", WithDepths("0"), "1 to 1024"},
                                         BadAxes{"DepthOver", WithDepths("1025"), "1 to 1024"},
                                         BadAxes{"DepthWord", WithDepths("deep"), "deep"}),
                         [](const auto& row) { return row.param.name; });

TEST(StorageAxesTest, CellsAreTheProductInOrder) {
  const auto cells =
      CrossStorageCells({.patterns = "rand", .operations = "read,write", .blocks = "4K", .depths = "1,8"});
  ASSERT_TRUE(cells.ok()) << cells.status();
  std::vector<std::string> names;
  for (const StorageCell& cell : *cells) names.push_back(CellName(cell));
  EXPECT_THAT(names, testing::ElementsAre("random read 4 KiB depth 1", "random read 4 KiB depth 8",
                                          "random write 4 KiB depth 1", "random write 4 KiB depth 8"));
}

TEST(StorageAxesTest, AtAndOverTheNumberOfCells) {
  std::string depths = "1";
  for (int depth = 2; depth <= 128; ++depth) depths += fmt::format(",{}", depth);
  StorageAxes axes{.patterns = "seq", .operations = "read,write", .blocks = "4K", .depths = depths};
  EXPECT_EQ(CrossStorageCells(axes)->size(), kMaxStorageCells);
  axes.depths += ",129";
  EXPECT_FALSE(CrossStorageCells(axes).ok());
}

struct OptionsCase {
  std::string name;
  std::function<void(StorageOptions&)> change;
  std::string says;  // "" when it is allowed
};

class StorageOptionsTest : public testing::TestWithParam<OptionsCase> {};

TEST_P(StorageOptionsTest, LimitsHold) {
  StorageOptions options;
  GetParam().change(options);
  const base::Status status = ValidateStorageOptions(options);
  if (GetParam().says.empty()) {
    EXPECT_TRUE(status.ok()) << status;
    return;
  }
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(base::Message(status)), HasSubstr(GetParam().says));
}

std::function<void(StorageOptions&)> OneCell(uint64_t block, int depth) {
  return [=](StorageOptions& options) {
    options.size = Bytes{8 * base::kGiB};
    options.cells = {{AccessPattern::kRandom, IoOperation::kRead, Bytes{block}, depth}};
  };
}

INSTANTIATE_TEST_SUITE_P(
    Rows, StorageOptionsTest,
    testing::Values(
        OptionsCase{"Default", [](StorageOptions&) {}, ""},
        OptionsCase{"NoPath", [](StorageOptions& o) { o.path = ""; }, "path"},
        OptionsCase{"SizeAtLeast", [](StorageOptions& o) { o.size = Bytes{kMinStorageFileBytes}; }, ""},
        OptionsCase{"SizeUnder", [](StorageOptions& o) { o.size = Bytes{kMinStorageFileBytes - 1}; }, "16 MiB"},
        OptionsCase{"SizeAtMost", [](StorageOptions& o) { o.size = Bytes{kMaxStorageFileBytes}; }, ""},
        OptionsCase{"SizeOver", [](StorageOptions& o) { o.size = Bytes{kMaxStorageFileBytes + 1}; }, "1 TiB"},
        OptionsCase{"NoCells", [](StorageOptions& o) { o.cells.clear(); }, "nothing to measure"},
        OptionsCase{"ManyCells", [](StorageOptions& o) { o.cells.resize(257, o.cells[0]); }, "257"},
        OptionsCase{"BlockAtLeast", OneCell(512, 1), ""}, OptionsCase{"BlockUnder", OneCell(511, 1), "512"},
        OptionsCase{"BlockOdd", OneCell(4097, 1), "multiple of 512"},
        OptionsCase{"BlockAtMost", OneCell(kMaxStorageBlockBytes, 1), ""},
        OptionsCase{"BlockOver", OneCell(kMaxStorageBlockBytes + 512, 1), "64 MiB"},
        OptionsCase{"DepthAtMost", OneCell(4096, 1024), ""}, OptionsCase{"DepthOver", OneCell(4096, 1025), "1024"},
        OptionsCase{"DepthZero", OneCell(4096, 0), "depth"},
        OptionsCase{"BuffersAtMost", OneCell(2 * base::kMiB, 1024), ""},
        OptionsCase{"BuffersOver", OneCell(4 * base::kMiB, 1024), "2 GiB"},
        OptionsCase{"FileHoldsFourBlocks",
                    [](StorageOptions& o) {
                      o.size = Bytes{16 * base::kMiB};
                      o.cells[0].block = Bytes{4 * base::kMiB};
                    },
                    ""},
        OptionsCase{"FileTooSmall",
                    [](StorageOptions& o) {
                      o.size = Bytes{16 * base::kMiB};
                      o.cells[0].block = Bytes{4 * base::kMiB + 512};
                    },
                    "four blocks"},
        OptionsCase{"TimeAtLeast", [](StorageOptions& o) { o.cell_time = kMinStorageCellTime; }, ""},
        OptionsCase{"TimeUnder", [](StorageOptions& o) { o.cell_time = absl::Milliseconds(99); }, "100 ms"},
        OptionsCase{"TimeOver", [](StorageOptions& o) { o.cell_time = absl::Hours(2); }, "1 h"},
        OptionsCase{"RampNegative", [](StorageOptions& o) { o.ramp = absl::Milliseconds(-1); }, "ramp"},
        OptionsCase{"RampOver", [](StorageOptions& o) { o.ramp = absl::Hours(2); }, "ramp"},
        OptionsCase{"BudgetAtLeast", [](StorageOptions& o) { o.budget = kMinStorageBudget; }, ""},
        OptionsCase{"BudgetUnder", [](StorageOptions& o) { o.budget = absl::Seconds(1); }, "2 s"},
        OptionsCase{"BudgetOver", [](StorageOptions& o) { o.budget = absl::Hours(25); }, "24 h"}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace ashlar::bench
