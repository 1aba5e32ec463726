#include "bench/coll/hostfile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/coll/limits.h"

namespace ashlar::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Hostfile, RefusesWhatItCannotMean) {
  struct Row {
    const char* name;
    std::string text;
    const char* message;
  };
  const Row rows[] = {
      {"empty", "", "names no host"},
      {"comments only", "# a\n\n  # b\n", "names no host"},
      {"no slots", "a slots=0", "1 to 65536"},
      {"slots over the limit", "a slots=65537", "1 to 65536"},
      {"slots as text", "a:many", "1 to 65536"},
      {"nothing after the colon", "a:", "1 to 65536"},
      {"unknown word", "a\nb speed=3", "line 2"},
      {"shell characters", "a;reboot", "no host name"},
      {"an option", "-x", "no host name"},
      {"bare IPv6 address", "fe80::1", "1 to 65536"},
      {"bracket left open", "[fe80::1 slots=2", "no host name"},
      {"bad max-slots", "a slots=1 max-slots=x", "1 to 65536"},
      {"name over the limit", std::string(256, 'a'), "no host name"},
  };
  for (const Row& row : rows) {
    const auto hosts = ParseHostfile(row.text);
    EXPECT_EQ(hosts.status().code(), base::StatusCode::kInvalidArgument) << row.name;
    EXPECT_THAT(std::string(base::Message(hosts.status())), HasSubstr(row.message)) << row.name;
  }
}

TEST(Hostfile, Limits) {
  EXPECT_EQ(ParseHostfile(std::string(kMaxHostfileBytes + 1, '\n')).status().code(),
            base::StatusCode::kResourceExhausted);
  std::string many;
  for (size_t i = 0; i < kMaxHosts; ++i) many += fmt::format("n{}\n", i);
  EXPECT_EQ(ParseHostfile(many).value().size(), kMaxHosts);
  EXPECT_EQ(ParseHostfile(many + "last\n").status().code(), base::StatusCode::kResourceExhausted);
  EXPECT_EQ(ParseHostfile("a slots=65536").value().front().slots, kMaxSlots);
}

TEST(Hostfile, ReadsEveryForm) {
  struct Row {
    const char* name;
    const char* text;
    std::vector<HostSlots> hosts;
  };
  const Row rows[] = {
      {"Open MPI", "node-1 slots=8 max-slots=16\nnode-2 slots=4\n", {{"node-1", 8}, {"node-2", 4}}},
      {"MPICH", "node-1:8\nnode-2:4", {{"node-1", 8}, {"node-2", 4}}},
      {"plain names", "a\r\nb.example.org\r\n", {{"a", 1}, {"b.example.org", 1}}},
      {"comments and blanks", "  a slots=2  # rack 1\n\n#b\n", {{"a", 2}}},
      {"twice is a sum", "a\nb\na slots=3\n", {{"a", 4}, {"b", 1}}},
      {"addresses", "10.0.0.1:2\n[fe80::1]:4\n[::1] slots=2", {{"10.0.0.1", 2}, {"[fe80::1]", 4}, {"[::1]", 2}}},
  };
  for (const Row& row : rows) {
    const auto hosts = ParseHostfile(row.text);
    ASSERT_TRUE(hosts.ok()) << row.name << ": " << hosts.status();
    EXPECT_EQ(*hosts, row.hosts) << row.name;
  }
}

TEST(Hostfile, WritesBothForms) {
  const std::vector<HostSlots> hosts = {{"a", 2}, {"b", 1}};
  EXPECT_EQ(OpenMpiHostfile(hosts), "a slots=2\nb slots=1\n");
  EXPECT_EQ(MpichHostfile(hosts), "a:2\nb:1\n");
  EXPECT_EQ(TotalSlots(hosts), 3);
}

}  // namespace
}  // namespace ashlar::bench
