#include "node/nhc/file_checks.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "node/nhc/nhc_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

// A file of some bytes, an empty one, a folder with all its bits, a link to nothing and one to the file.
FakeMachine Machine() {
  FakeMachine machine(Files{{"/etc/full", "text\n"}, {"/etc/empty", ""}});
  machine.tree.MakeDirectory("/tmp");
  machine.tree.Link("/etc/dangling", "nowhere");
  machine.tree.Link("/etc/link", "full");
  EXPECT_EQ(chmod((machine.tree.root() + "/tmp").c_str(), 07777), 0);
  EXPECT_EQ(mkfifo((machine.tree.root() + "/etc/pipe").c_str(), 0600), 0);
  return machine;
}

struct TestCase {
  std::vector<std::string> arguments;
  Verdict verdict;
  std::string reason;
};

TEST(NhcFileTest, Cases) {
  const std::vector<TestCase> cases = {
      {{"-f", "-r", "-w", "-s", "-O", "-G", "-e", "/etc/full"}, Verdict::kPass, ""},
      {{"-frwse", "/etc/full"}, Verdict::kPass, ""},
      {{"-d", "-r", "-w", "-x", "-k", "-u", "-g", "/tmp"}, Verdict::kPass, ""},
      {{"-s", "/etc/full", "/etc/empty"}, Verdict::kFail, "-s /etc/empty does not hold"},
      {{"-f", "/tmp"}, Verdict::kFail, "-f /tmp"},
      {{"-d", "/etc/full"}, Verdict::kFail, "-d /etc/full"},
      {{"-e", "/etc/none"}, Verdict::kFail, "-e /etc/none"},
      {{"-r", "/etc/full/none"}, Verdict::kFail, "-r /etc/full/none"},
      {{"-x", "/etc/full"}, Verdict::kFail, "-x /etc/full"},
      {{"-p", "/etc/pipe"}, Verdict::kPass, ""},
      {{"-c", "/etc/pipe"}, Verdict::kFail, "-c /etc/pipe"},
      {{"-b", "/etc/full"}, Verdict::kFail, "-b /etc/full"},
      {{"-S", "/etc/full"}, Verdict::kFail, "-S /etc/full"},
      {{"-L", "/etc/link"}, Verdict::kPass, ""},
      {{"-h", "-f", "/etc/link"}, Verdict::kPass, ""},
      {{"-L", "/etc/dangling"}, Verdict::kPass, ""},
      {{"-e", "/etc/dangling"}, Verdict::kFail, "-e /etc/dangling"},
      {{"-L", "/etc/full"}, Verdict::kFail, "-L /etc/full"},
      {{"-!", "-e", "/etc/none"}, Verdict::kPass, ""},
      {{"-!", "-e", "/etc/none", "/etc/full"}, Verdict::kFail, "-e /etc/full holds"},
  };
  const FakeMachine machine = Machine();
  for (const auto& row : cases) {
    SCOPED_TRACE(base::Join(row.arguments, " "));
    const auto finding = RunMapped(&MapFileTest, row.arguments, machine);
    EXPECT_EQ(finding.verdict, row.verdict) << DescribeFinding(finding);
    EXPECT_NE(finding.reason.find(row.reason), std::string::npos) << DescribeFinding(finding);
  }
}

TEST(NhcFileTest, AMachineOfItsOwn) {
  const os::SysReader system;
  const auto check = MapFileTest({"-c", "-r", "-w", "/dev/null", "/dev/zero"});
  ASSERT_TRUE(check.ok());
  FakeMachine().With("", [&](const CheckContext& context) {
    const CheckContext here{.system = system, .expectations = context.expectations};
    const auto finding = check->run(here);
    EXPECT_EQ(finding.verdict, Verdict::kPass) << DescribeFinding(finding);
    EXPECT_EQ(std::string_view(finding.value.get_string()), "6 of 6");
  });
}

TEST(NhcFileTest, APathTooLongToAskFor) {
  const auto finding = RunMapped(&MapFileTest, {"-e", "/" + std::string(300, 'x')}, Machine());
  EXPECT_EQ(finding.verdict, Verdict::kUnknown) << DescribeFinding(finding);
}

TEST(NhcFileTest, Refused) {
  const std::vector<RefusedCase> refused = {{{}, "want a test"},
                                            {{"/etc/full"}, "want a test"},
                                            {{"-r"}, "want a test"},
                                            {{"-!", "/etc/full"}, "want a test"},
                                            {{"-y", "/etc/full"}, "no option -y"},
                                            {{"-N", "/etc/full"}, "-N is not read"},
                                            {{"-t", "/etc/full"}, "-t is not read"},
                                            {{"-r", "etc"}, "no path"},
                                            {{"-r", "/etc/*"}, "is a glob"}};
  ExpectRefused(&MapFileTest, refused);
}

const Files kPasswd = {{"/etc/passwd", "root:x:0:0:root:/root:/bin/bash\n  sshd:x:100:65534::/run/sshd:/no\n"},
                       {"/etc/empty", ""}};

TEST(NhcFileContents, Cases) {
  const std::vector<MappedCase> cases = {
      {"both", {"/etc/passwd", "/^root:x:0:0:/", "sshd:*"}, kPasswd, Verdict::kPass, ""},
      {"one of them", {"/etc/passwd", "/^root:/", "nobody:*"}, kPasswd, Verdict::kFail, "no line matches nobody:*"},
      {"a glob is for the whole line", {"/etc/passwd", "root"}, kPasswd, Verdict::kFail, "no line matches root"},
      {"what may not be there", {"/etc/passwd", "!/^games:/"}, kPasswd, Verdict::kPass, ""},
      {"and is", {"/etc/passwd", "/^root:/", "!/sshd/"}, kPasswd, Verdict::kFail, "line 2 matches /sshd/"},
      {"empty", {"/etc/empty", "*"}, kPasswd, Verdict::kFail, "no line matches *"},
      {"empty, nothing wanted", {"/etc/empty", "!*"}, kPasswd, Verdict::kPass, ""},
      {"missing", {"/etc/none", "!*"}, kPasswd, Verdict::kFail, "there is no file /etc/none"},
      {"no file", {"/etc", "*"}, kPasswd, Verdict::kUnknown, "/etc"},
      {"broken", {"/etc/passwd", "x"}, {{"/etc/passwd", std::string("a\0b\n", 4)}}, Verdict::kUnknown, "zero byte"},
      {"too many lines", {"/f", "x"}, {{"/f", std::string(kMaxNhcLines + 1, '\n')}}, Verdict::kUnknown, "lines"},
  };
  ExpectMapped(&MapFileContents, cases);
  const std::vector<RefusedCase> refused = {{{}, "FILE"},
                                            {{"/etc/passwd"}, "FILE"},
                                            {{"passwd", "x"}, "no path"},
                                            {{"/etc/*", "x"}, "is a glob"},
                                            {{"/etc/passwd", "/(/"}, "no regular expression"}};
  ExpectRefused(&MapFileContents, refused);
}

}  // namespace
}  // namespace ashlar::node
