#include "bench/storage/space.h"

#include <gtest/gtest.h>

#include "bench/storage/limits.h"

namespace ashlar::bench {
namespace {

using base::Bytes;
using base::kGiB;
using base::kMiB;

TEST(ReadSpaceTest, AMissingFolderIsNotFound) {
  EXPECT_EQ(ReadSpace("/no/such/folder").status().code(), base::StatusCode::kNotFound);
}

TEST(ReadSpaceTest, ARealFolderHasSpace) {
  const auto space = ReadSpace("/");
  ASSERT_TRUE(space.ok());
  EXPECT_GT(space->total.count, 0U);
  EXPECT_LE(space->available.count, space->total.count);
}

TEST(StorageReserveTest, ATwentiethWithinItsBounds) {
  EXPECT_EQ(StorageReserve(Bytes{0}), Bytes{64 * kMiB});
  EXPECT_EQ(StorageReserve(Bytes{1280 * kMiB}), Bytes{64 * kMiB});  // 5 % of 1.25 GiB is 64 MiB
  EXPECT_EQ(StorageReserve(Bytes{100 * kGiB}), Bytes{5 * kGiB});
  EXPECT_EQ(StorageReserve(Bytes{200 * kGiB}), Bytes{10 * kGiB});
  EXPECT_EQ(StorageReserve(Bytes{1000 * kGiB}), Bytes{10 * kGiB});
}

struct SpaceCase {
  std::string name;
  uint64_t available;
  uint64_t needed;
  std::string missing;  // "" when it fits
};

class CheckSpaceTest : public testing::TestWithParam<SpaceCase> {};

// The file system has 100 GiB, so 5 GiB stay free.
TEST_P(CheckSpaceTest, SaysHowMuchIsMissing) {
  SpaceFacts facts;
  facts.total = Bytes{100 * kGiB};
  facts.available = Bytes{GetParam().available};
  const base::Status status = CheckSpace(facts, Bytes{GetParam().needed}, "/scratch");
  if (GetParam().missing.empty()) {
    EXPECT_TRUE(status.ok()) << status;
    return;
  }
  EXPECT_EQ(status.code(), base::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(base::Message(status)), testing::HasSubstr(GetParam().missing + " are missing"));
  EXPECT_THAT(std::string(base::Message(status)), testing::HasSubstr("/scratch"));
}

INSTANTIATE_TEST_SUITE_P(Rows, CheckSpaceTest,
                         testing::Values(SpaceCase{"Plenty", 50 * kGiB, kGiB, ""},
                                         SpaceCase{"Exactly", 6 * kGiB, kGiB, ""},
                                         SpaceCase{"OneByteShort", 6 * kGiB - 1, kGiB, "1 B"},
                                         SpaceCase{"ReserveShort", 4 * kGiB, kGiB, "2 GiB"},
                                         SpaceCase{"NothingFree", 0, kGiB, "6 GiB"},
                                         SpaceCase{"FileAloneTooLarge", 10 * kGiB, 11 * kGiB, "6 GiB"}),
                         [](const auto& row) { return row.param.name; });

TEST(AllowedFilesTest, InodesStayFree) {
  SpaceFacts facts;
  facts.counts_inodes = true;
  const std::vector<std::pair<uint64_t, uint64_t>> rows = {// free inodes, files allowed of 5,000
                                                           {0, 0},
                                                           {kStorageInodeReserve, 0},
                                                           {kStorageInodeReserve + 1, 1},
                                                           {6'000, 5'000},
                                                           {1'000'000, 5'000}};
  for (const auto& [free_inodes, allowed] : rows) {
    facts.free_inodes = free_inodes;
    EXPECT_EQ(AllowedFiles(facts, 5'000), allowed) << free_inodes;
  }
  facts.counts_inodes = false;
  facts.free_inodes = 0;
  EXPECT_EQ(AllowedFiles(facts, 5'000), 5'000U);
}

}  // namespace
}  // namespace ashlar::bench
