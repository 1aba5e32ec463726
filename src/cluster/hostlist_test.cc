#include "cluster/hostlist.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster/limits.h"

namespace ashlar::cluster {
namespace {

using base::StatusCode;
using testing::HasSubstr;
using Names = std::vector<std::string>;

struct ExpandCase {
  std::string list;
  Names names;
};

// The expectations are what `scontrol show hostnames LIST` of Slurm 22.05 prints (node_control_test.cc asks it), but
// for the text after a range, which it drops.
TEST(ExpandHostList, GivesTheNamesThatSlurmGives) {
  const std::vector<ExpandCase> cases = {
      {"n1", {"n1"}},
      {"login", {"login"}},
      {"n[01-04,7]", {"n01", "n02", "n03", "n04", "n7"}},
      {"n[1-3],login,gpu-a.b_c", {"n1", "n2", "n3", "login", "gpu-a.b_c"}},
      {"n[08-11]", {"n08", "n09", "n10", "n11"}},
      {"n[98-101]", {"n98", "n99", "n100", "n101"}},
      {"n[001-002]", {"n001", "n002"}},
      {"r[1-2]n[0-1]", {"r1n0", "r1n1", "r2n0", "r2n1"}},
      {"r[1-2]n[0-1]-ib", {"r1n0-ib", "r1n1-ib", "r2n0-ib", "r2n1-ib"}},
      {"n2,n1,n2", {"n2", "n1", "n2"}},
      {"a,,b,", {"a", "b"}},
      {" n[1-2] \n", {"n1", "n2"}},
      {"[1-2]", {"1", "2"}},
      {"n[5]", {"n5"}},
  };
  for (const auto& row : cases) {
    const auto names = ExpandHostList(row.list);
    ASSERT_TRUE(names.ok()) << row.list << ": " << names.status();
    EXPECT_EQ(*names, row.names) << row.list;
  }
}

struct WrongCase {
  std::string list;
  StatusCode code;
  std::string says;
};

TEST(ExpandHostList, RefusesWhatIsNoListAndSaysWhy) {
  const std::vector<WrongCase> cases = {
      {"", StatusCode::kInvalidArgument, "names no host"},
      {",,", StatusCode::kInvalidArgument, "names no host"},
      {"n[1-", StatusCode::kInvalidArgument, "not closed"},
      {"n]1[", StatusCode::kInvalidArgument, "do not pair"},
      {"n[1[2]]", StatusCode::kInvalidArgument, "do not pair"},
      {"n[1-3", StatusCode::kInvalidArgument, "not closed"},
      {"n[]", StatusCode::kInvalidArgument, "made of numbers"},
      {"n[1,,2]", StatusCode::kInvalidArgument, "made of numbers"},
      {"n[a-c]", StatusCode::kInvalidArgument, "made of numbers"},
      {"n[1-2-3]", StatusCode::kInvalidArgument, "made of numbers"},
      {"n[+1]", StatusCode::kInvalidArgument, "made of numbers"},
      {"n[4-1]", StatusCode::kInvalidArgument, "smaller to the larger"},
      {"n 1", StatusCode::kInvalidArgument, "letters, digits"},
      {"n1;reboot", StatusCode::kInvalidArgument, "letters, digits"},
      {"-n1", StatusCode::kInvalidArgument, "no host name"},
      {"n[1234567890123456789]", StatusCode::kInvalidArgument, "at most 18 digits"},
  };
  for (const auto& row : cases) {
    const auto names = ExpandHostList(row.list);
    EXPECT_EQ(names.status().code(), row.code) << row.list;
    EXPECT_THAT(std::string(base::Message(names.status())), HasSubstr(row.says)) << row.list;
  }
}

TEST(ExpandHostList, HoldsItsLimits) {
  EXPECT_EQ(ExpandHostList("n[1-65536]")->size(), kMaxHosts);
  EXPECT_EQ(ExpandHostList("n[0-65536]").status().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(ExpandHostList("n[1-65536],a").status().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(ExpandHostList("n[0-255]m[0-255]")->size(), kMaxHosts);
  EXPECT_EQ(ExpandHostList("n[0-255]m[0-256]").status().code(), StatusCode::kResourceExhausted);
  // The product would overflow 64 bits.
  EXPECT_EQ(ExpandHostList("a[0-9999]b[0-9999]c[0-9999]d[0-9999]e[0-9999]").status().code(),
            StatusCode::kResourceExhausted);
  EXPECT_EQ(ExpandHostList("n[0-999999999999999999]").status().code(), StatusCode::kResourceExhausted);

  EXPECT_TRUE(ExpandHostList(std::string(kMaxHostNameBytes, 'n')).ok());
  EXPECT_EQ(ExpandHostList(std::string(kMaxHostNameBytes + 1, 'n')).status().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(ExpandHostList(std::string(1000, 'n') + "[1-65536]").status().code(), StatusCode::kResourceExhausted);

  EXPECT_TRUE(ExpandHostList("a[1]a[1]a[1]a[1]a[1]a[1]a[1]a[1]").ok());
  EXPECT_EQ(ExpandHostList("a[1]a[1]a[1]a[1]a[1]a[1]a[1]a[1]a[1]").status().code(), StatusCode::kResourceExhausted);

  std::string longest = "n,";
  longest.append(kMaxHostListBytes - longest.size(), ',');
  EXPECT_TRUE(ExpandHostList(longest).ok());
  EXPECT_EQ(ExpandHostList(longest + ",").status().code(), StatusCode::kResourceExhausted);
}

struct CompressCase {
  Names names;
  std::string list;
};

TEST(CompressHostList, MakesRangesAndKeepsTheWidth) {
  const std::vector<CompressCase> cases = {
      {{}, ""},
      {{"login"}, "login"},
      {{"n3", "n1", "n2", "n1"}, "n[1-3]"},
      {{"n01", "n02", "n7"}, "n7,n[01-02]"},
      {{"n9", "n10"}, "n[9-10]"},
      {{"n09", "n10", "n11"}, "n[09-11]"},
      {{"n1", "n3"}, "n[1,3]"},
      {{"n1-ib", "n2-ib", "n2"}, "n1-ib,n2-ib,n2"},
      {{"r1n1", "r1n2", "r2n1"}, "r1n[1-2],r2n1"},
      {{"n12345678901234567890"}, "n12345678901234567890"},
  };
  for (const auto& row : cases) EXPECT_EQ(CompressHostList(row.names), row.list);
}

TEST(CompressHostList, IsUndoneByExpanding) {
  Names names;
  for (int number = 0; number < 300; number += number % 7 == 0 ? 3 : 1) {
    names.push_back(fmt::format("n{}", number));
    names.push_back(fmt::format("n{:03}", number));
    names.push_back(fmt::format("rack{:02}-n{}", number % 20, number));
  }
  auto expanded = ExpandHostList(CompressHostList(names));
  ASSERT_TRUE(expanded.ok()) << expanded.status();
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::sort(expanded->begin(), expanded->end());
  EXPECT_EQ(*expanded, names);
}

TEST(IsHostName, RefusesWhatCouldBeAnOptionOrReachAShell) {
  EXPECT_TRUE(IsHostName("gpu-01.example_a"));
  for (const std::string name : {"", "-n1", "n 1", "n=1", "n\n1", "n$1", "n/1"}) EXPECT_FALSE(IsHostName(name)) << name;
  EXPECT_TRUE(IsHostName(std::string(kMaxHostNameBytes, 'a')));
  EXPECT_FALSE(IsHostName(std::string(kMaxHostNameBytes + 1, 'a')));
}

}  // namespace
}  // namespace ashlar::cluster
