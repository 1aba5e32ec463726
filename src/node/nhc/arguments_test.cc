#include "node/nhc/arguments.h"

#include <gtest/gtest.h>

namespace ashlar::node {
namespace {

using base::StatusCode;

struct NumberCase {
  std::string text;
  uint64_t number;
};

// By nhc_common_parse_size: kB is the base unit, prefixes are 1024, b and B say nothing.
TEST(NhcArguments, Sizes) {
  const std::vector<NumberCase> cases = {
      {"0", 0},
      {"0kB", 0},
      {"1", 1024},
      {"1b", 1024},
      {"1k", 1024},
      {"330kB", 330ULL * 1024},
      {"1915071MB", 1915071ULL * 1024 * 1024},
      {"32gb", 32ULL << 30U},
      {"5G", 5ULL << 30U},
      {"2t", 2ULL << 40U},
      {"1P", 1ULL << 50U},
      {"15E", 15ULL << 60U},
  };
  for (const auto& row : cases) {
    const auto size = ParseNhcSize(row.text);
    ASSERT_TRUE(size.ok()) << row.text << size.status();
    EXPECT_EQ(*size, row.number) << row.text;
  }
  for (const auto* text : {"", "G", "B", "kB", "1.5G", "-1", "+1", " 1", "1 G", "16GiB", "16E", "18446744073709551615",
                           "99999999999999999999", "0x10", "010M", "1kk", "many"}) {
    EXPECT_EQ(ParseNhcSize(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
}

TEST(NhcArguments, Counts) {
  EXPECT_EQ(*ParseNhcCount("7"), 7U);
  EXPECT_EQ(*ParseNhcCount("1k"), 1000U);
  EXPECT_EQ(*ParseNhcCount("3M"), 3'000'000U);
  EXPECT_EQ(*ParseNhcCount("18E"), 18'000'000'000'000'000'000ULL);
  for (const auto* text : {"", "k", "1kB", "19E", "1.5k", "-1", "007"}) {
    EXPECT_EQ(ParseNhcCount(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
}

TEST(NhcArguments, Amounts) {
  const auto percent = ParseNhcAmount("5%", &ParseNhcSize);
  ASSERT_TRUE(percent.ok());
  EXPECT_TRUE(percent->is_percent);
  EXPECT_EQ(percent->number, 5U);
  EXPECT_TRUE(ParseNhcAmount("100%", &ParseNhcSize).ok());
  const auto size = ParseNhcAmount("5M", &ParseNhcSize);
  ASSERT_TRUE(size.ok());
  EXPECT_FALSE(size->is_percent);
  EXPECT_EQ(size->number, 5ULL << 20U);
  for (const auto* text : {"%", "101%", "2.5%", "-5%", "5%%", "5 %", "08%"}) {
    EXPECT_FALSE(ParseNhcAmount(text, &ParseNhcSize).ok()) << text;
  }
}

TEST(NhcArguments, Options) {
  const std::vector<std::string> words = {"-0r", "-f/home", "-t", "nfs", "--", "-x"};
  const auto options = ParseNhcOptions(words, "0rf:t:");
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_TRUE(options->Has('0'));
  EXPECT_TRUE(options->Has('r'));
  EXPECT_FALSE(options->Has('x'));
  EXPECT_EQ(options->Value('f'), "/home");
  EXPECT_EQ(options->Value('t'), "nfs");
  EXPECT_EQ(options->Value('0'), "");
  EXPECT_EQ(options->rest, std::vector<std::string>{"-x"});
}

TEST(NhcArguments, OptionsEndAtTheFirstWord) {
  const std::vector<std::string> words = {"-r", "a", "-r"};
  const auto options = ParseNhcOptions(words, "r");
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->given.size(), 1U);
  EXPECT_EQ(options->rest, (std::vector<std::string>{"a", "-r"}));
  const std::vector<std::string> dash = {"-"};
  EXPECT_EQ(ParseNhcOptions(dash, "r")->rest, dash);
}

TEST(NhcArguments, OptionsThatAreNone) {
  const auto message = [](const std::vector<std::string>& words) {
    return std::string(base::Message(ParseNhcOptions(words, "rf:").status()));
  };
  EXPECT_EQ(message({"-x"}), "it has no option -x");
  EXPECT_EQ(message({"-:"}), "it has no option -:");
  EXPECT_EQ(message({"-rx"}), "it has no option -x");
  EXPECT_EQ(message({"-f"}), "option -f needs a value");
}

TEST(NhcArguments, NumberOfArguments) {
  const std::vector<std::string> two = {"a", ""};
  EXPECT_TRUE(WantArguments(two, 1, 2, "A [B]").ok());
  EXPECT_EQ(base::Message(WantArguments(two, 2, 2, "A B")), "want A B");
  EXPECT_FALSE(WantArguments(two, 0, 1, "A").ok());
  EXPECT_FALSE(WantArguments(two, 3, 3, "A B C").ok());
}

}  // namespace
}  // namespace ashlar::node
