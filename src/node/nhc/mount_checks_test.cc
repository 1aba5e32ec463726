#include <gtest/gtest.h>

#include "node/nhc/nhc_testing.h"
#include "node/nhc/storage_checks.h"

namespace ashlar::node {
namespace {

using base::Verdict;

// /data was mounted twice; /ro is a read-only mount of a file system that is not; /broken went read-only itself.
const Files kMounts = {{"/proc/self/mountinfo",
                        "21 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw,discard\n"
                        "30 21 0:40 / /data rw - tmpfs tmpfs rw\n"
                        "31 21 0:41 / /data rw,nosuid - nfs4 server:/export/data rw,vers=4.2,hard\n"
                        "32 21 8:1 / /ro ro,relatime - ext4 /dev/sda1 rw\n"
                        "33 21 8:2 / /broken rw,relatime - ext4 /dev/sdb1 ro,errors=remount-ro\n"}};

struct MountCase {
  NhcMapper map;
  std::vector<std::string> arguments;
  Verdict verdict;
  std::string reason;
};

TEST(NhcMount, Cases) {
  const std::vector<MountCase> cases = {
      {&MapFsMount, {"/"}, Verdict::kPass, ""},
      {&MapFsMount, {"/", "/dev/sda1", "ext4", "/discard/"}, Verdict::kPass, ""},
      {&MapFsMount, {"/", "", "xfs"}, Verdict::kFail, "/ has the type ext4"},
      {&MapFsMount, {"/home"}, Verdict::kFail, "/home is not mounted"},
      {&MapFsMount, {"-f", "/data", "-t", "nfs*", "-s", "server:*"}, Verdict::kPass, ""},
      {&MapFsMount, {"-f", "/data", "-t", "tmpfs"}, Verdict::kFail, "/data has the type nfs4"},
      {&MapFsMount, {"-f", "/data", "-s", "other:*"}, Verdict::kFail, "mounted from server:/export/data"},
      {&MapFsMount, {"-f", "/data", "-o", "/(^|,)vers=4\\.2(,|$)/"}, Verdict::kPass, ""},
      {&MapFsMount, {"-f", "/data", "-o", "!/(^|,)soft(,|$)/", "-o", "/hard/"}, Verdict::kPass, ""},
      {&MapFsMount, {"-f", "/data", "-o", "/soft/"}, Verdict::kFail, "has the options rw,nosuid,vers=4.2,hard"},
      {&MapFsMount, {"-t", "!tmpfs", "/", "/data"}, Verdict::kPass, ""},
      {&MapFsMount, {"-t", "ext4", "/", "/data", "/home"}, Verdict::kFail, "/home is not mounted"},
      {&MapFsMountRw, {"/"}, Verdict::kPass, ""},
      {&MapFsMountRw, {"-r", "-f", "/"}, Verdict::kPass, ""},
      {&MapFsMountRw, {"-f", "/ro"}, Verdict::kFail, "/ro has the options ro"},
      {&MapFsMountRw, {"/broken"}, Verdict::kFail, "/broken has the options ro"},
      {&MapFsMountRo, {"/ro"}, Verdict::kPass, ""},
      {&MapFsMountRo, {"-f", "/broken"}, Verdict::kPass, ""},
      {&MapFsMountRo, {"-f", "/"}, Verdict::kFail, "/ has the options rw"},
  };
  for (const auto& row : cases) {
    SCOPED_TRACE(base::Join(row.arguments, " "));
    const auto finding = RunMapped(row.map, row.arguments, FakeMachine(kMounts));
    EXPECT_EQ(finding.verdict, row.verdict) << DescribeFinding(finding);
    EXPECT_NE(finding.reason.find(row.reason), std::string::npos) << DescribeFinding(finding);
  }
}

TEST(NhcMount, Unreadable) {
  EXPECT_EQ(RunMapped(&MapFsMount, {"/"}, FakeMachine()).verdict, Verdict::kUnknown);
  const FakeMachine malformed(Files{{"/proc/self/mountinfo", "what\n"}});
  EXPECT_EQ(RunMapped(&MapFsMount, {"/"}, malformed).verdict, Verdict::kUnknown);
}

// What the line wants done is told, and left.
TEST(NhcMount, RepairsAreNotDone) {
  const auto finding = RunMapped(&MapFsMountRw, {"-r", "-O", "noatime", "-f", "/"}, FakeMachine(kMounts));
  EXPECT_NE(finding.expectation.find("nothing is remounted"), std::string::npos) << finding.expectation;
}

TEST(NhcMount, Refused) {
  const std::vector<RefusedCase> refused = {{{}, "FOLDER"},
                                            {{"-t", "ext4"}, "FOLDER"},
                                            {{"data"}, "FOLDER"},
                                            {{"/", "a", "b", "c", "d"}, "FOLDER"},
                                            {{"-f"}, "option -f needs a value"},
                                            {{"-x", "/"}, "no option -x"},
                                            {{"-0", "-f", "/"}, "never fails"},
                                            {{"-F", "/data"}, "automounter"},
                                            {{"-e", "reboot", "-f", "/"}, "-e runs a command"},
                                            {{"-E", "reboot", "-f", "/"}, "-E runs a command"},
                                            {{"-f", "/", "-o", "/(/"}, "no regular expression"}};
  ExpectRefused(&MapFsMount, refused);
  const std::vector<RefusedCase> shortcut = {{{"/", "", "", "/x/"}, "FOLDER [SOURCE [TYPE]]"}};
  ExpectRefused(&MapFsMountRw, shortcut);
}

}  // namespace
}  // namespace ashlar::node
