#include "node/kernel/os_release.h"

#include <gtest/gtest.h>

namespace ashlar::node {
namespace {

TEST(ParseOsReleaseTest, ReadsDebians) {
  // /etc/os-release of Debian 12.
  const auto release = ParseOsRelease(
      "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nNAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\n"
      "VERSION=\"12 (bookworm)\"\nVERSION_CODENAME=bookworm\nID=debian\nHOME_URL=\"https://www.debian.org/\"\n");
  ASSERT_TRUE(release.ok()) << release.status();
  EXPECT_EQ(release->pretty_name, "Debian GNU/Linux 12 (bookworm)");
  EXPECT_EQ(release->version_id, "12");
  EXPECT_EQ(release->id, "debian");
}

TEST(ParseOsReleaseTest, ReadsQuotesCommentsAndEscapes) {
  // os-release(5): quotes of both kinds, shell escapes, comments and blank lines.
  const auto release = ParseOsRelease("# a comment\n\nID='a b'\nPRETTY_NAME=\"say \\\"hi\\\" \\$x\"\nVERSION_ID=''\n");
  ASSERT_TRUE(release.ok()) << release.status();
  EXPECT_EQ(release->id, "a b");
  EXPECT_EQ(release->pretty_name, "say \"hi\" $x");
  EXPECT_EQ(release->version_id, "");
}

TEST(ParseOsReleaseTest, LeavesAbsentWhatIsNotThere) {
  const auto release = ParseOsRelease("NAME=Arch\n");
  ASSERT_TRUE(release.ok()) << release.status();
  EXPECT_EQ(release->id, std::nullopt);
}

TEST(ParseOsReleaseTest, RefusesWhatIsMalformed) {
  for (const std::string_view text : {"ID\n", "=x\n", "ID=\"open\n", "ID='open\n", "hello world\n"}) {
    EXPECT_EQ(ParseOsRelease(text).status().code(), base::StatusCode::kInvalidArgument) << text;
  }
}

}  // namespace
}  // namespace ashlar::node
