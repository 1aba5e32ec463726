#include "node/kernel/net_dev.h"

#include <gtest/gtest.h>

#include "node/limits.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kHead =
    "Inter-|   Receive                                                |  Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier "
    "compressed\n";

TEST(ParseNetDevTest, RefusesWhatIsMalformed) {
  const std::string head(kHead);
  struct Row {
    std::string_view name;
    std::string text;
  };
  const Row rows[] = {
      {"empty", ""},
      {"one header line", head.substr(0, head.find('\n') + 1)},
      {"no header", "lo: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"},
      {"no colon", head + "lo 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"},
      {"no name", head + " : 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"},
      {"15 numbers", head + "lo: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n"},
      {"17 numbers", head + "lo: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n"},
      {"a word", head + "lo: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 x\n"},
      {"negative", head + "lo: -1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"},
  };
  for (const Row& row : rows) {
    std::vector<NetInterfaceStats> interfaces;
    EXPECT_EQ(ParseNetDev(row.text, interfaces).code(), base::StatusCode::kInvalidArgument) << row.name;
  }
}

TEST(ParseNetDevTest, ReadsColumnsAlsoGluedToTheName) {
  std::vector<NetInterfaceStats> interfaces;
  // Old kernels print no blank after the colon when a number is wide; an alias has a colon of its own.
  const std::string text = std::string(kHead) +
                           "    lo:1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
                           "eth0:1: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n";
  ASSERT_TRUE(ParseNetDev(text, interfaces).ok());
  ASSERT_EQ(interfaces.size(), 2U);
  EXPECT_EQ(interfaces[0].name, "lo");
  EXPECT_EQ(interfaces[0].counters[kReceiveBytes], 1U);
  EXPECT_EQ(interfaces[0].counters[kReceiveMulticast], 8U);
  EXPECT_EQ(interfaces[0].counters[kTransmitBytes], 9U);
  EXPECT_EQ(interfaces[0].counters[kTransmitCompressed], 16U);
  EXPECT_EQ(interfaces[1].name, "eth0:1");
}

TEST(ParseNetDevTest, HoldsItsLimit) {
  std::string text(kHead);
  for (size_t row = 0; row < kMaxNics; ++row) text += "lo: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n";
  std::vector<NetInterfaceStats> interfaces;
  ASSERT_TRUE(ParseNetDev(text, interfaces).ok());
  text += "lo: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n";
  EXPECT_EQ(ParseNetDev(text, interfaces).code(), base::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace ashlar::node
