#include "node/nhc/process_checks.h"

#include <gtest/gtest.h>

#include "node/nhc/nhc_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

void Add(Files& files, int pid, const std::string& command, int user) {
  const std::string folder = fmt::format("/proc/{}", pid);
  files[folder + "/stat"] = fmt::format("{} (x) S 1 1 1 0 -1 0 1 0 0 0 5 5 0 0 20 0 1 0 100 1 1\n", pid);
  files[folder + "/status"] = fmt::format("Uid:\t{0}\t{0}\t{0}\t{0}\n", user);
  files[folder + "/cmdline"] = command;
}

Files Processes() {
  Files files = {{"/etc/passwd", "root:x:0:0::/:/bin/sh\nalice:x:1000:1000::/:/bin/sh\n"},
                 {"/proc/self/cmdline", "ashlar check"}};
  Add(files, 1, "/sbin/init", 0);
  Add(files, 10, "/usr/sbin/slurmd -D -s", 0);
  Add(files, 11, "python train.py", 1000);
  Add(files, 12, "tool --fast", 4711);
  return files;
}

struct ProcessCase {
  NhcMapper map;
  std::vector<std::string> arguments;
  Verdict verdict;
  std::string reason;
};

TEST(NhcProcesses, Cases) {
  const std::vector<ProcessCase> cases = {
      {&MapPsDaemon, {"slurmd"}, Verdict::kPass, ""},
      {&MapPsDaemon, {"slurmd", "root"}, Verdict::kPass, ""},
      {&MapPsDaemon, {"slurmd", "0"}, Verdict::kPass, ""},
      {&MapPsDaemon, {"slurmd", "root", "-D"}, Verdict::kPass, ""},
      {&MapPsDaemon, {"slurmd", "alice"}, Verdict::kFail, "no such process"},
      {&MapPsDaemon, {"slurmd", "", "-x"}, Verdict::kFail, "no such process"},
      {&MapPsDaemon, {"munged"}, Verdict::kFail, "systemctl start"},
      {&MapPsDaemon, {"tool", "bob"}, Verdict::kUnknown, "tool --fast (12) of user 4711"},
      {&MapPsDaemon, {"tool", "4711"}, Verdict::kPass, ""},
      {&MapPsBlacklist, {"python"}, Verdict::kFail, "python train.py (11) should not run"},
      {&MapPsBlacklist, {"python", "!root"}, Verdict::kFail, "should not run"},
      {&MapPsBlacklist, {"python", "root"}, Verdict::kPass, ""},
      {&MapPsBlacklist, {"tool", "!root"}, Verdict::kUnknown, "no name in /etc/passwd"},
      {&MapPsBlacklist, {"nothing"}, Verdict::kPass, ""},
      {&MapPsService, {"slurmd"}, Verdict::kPass, ""},
      {&MapPsService, {"-u", "root", "-S", "slurmd"}, Verdict::kPass, ""},
      {&MapPsService, {"-d", "slurmd", "-r", "slurm-node"}, Verdict::kPass, ""},
      {&MapPsService, {"-m", "/slurm/", "anything"}, Verdict::kPass, ""},
      {&MapPsService, {"-m", "/train/", "job"}, Verdict::kFail, "no such process"},
      {&MapPsService, {"-f", "-m", "/train/", "job"}, Verdict::kPass, ""},
      {&MapPsService, {"sshd"}, Verdict::kFail, "no such process"},
      {&MapPsService, {"-s", "slurmd"}, Verdict::kFail, "should not run"},
      {&MapPsService, {"-k", "-v", "sshd"}, Verdict::kPass, ""},
  };
  for (const auto& row : cases) {
    SCOPED_TRACE(base::Join(row.arguments, " "));
    const auto finding = RunMapped(row.map, row.arguments, FakeMachine(Processes()));
    EXPECT_EQ(finding.verdict, row.verdict) << DescribeFinding(finding);
    EXPECT_NE(finding.reason.find(row.reason), std::string::npos) << DescribeFinding(finding);
  }
}

TEST(NhcProcesses, UnreadableAndNotDone) {
  EXPECT_EQ(RunMapped(&MapPsDaemon, {"slurmd"}, FakeMachine()).verdict, Verdict::kUnknown);
  const FakeMachine machine(Processes());
  EXPECT_NE(RunMapped(&MapPsService, {"-S", "slurmd"}, machine).expectation.find("nothing is started"),
            std::string::npos);
  EXPECT_NE(RunMapped(&MapPsService, {"-k", "sshd"}, machine).expectation.find("nothing is stopped"),
            std::string::npos);
}

TEST(NhcProcesses, Refused) {
  const std::vector<RefusedCase> by_part = {{{}, "NAME"},
                                            {{""}, "NAME"},
                                            {{"a", "b", "c", "d"}, "NAME"},
                                            {{"a*"}, "check_ps_service -m"},
                                            {{"a", "/(/"}, "no regular expression"}};
  ExpectRefused(&MapPsBlacklist, by_part);
  const std::vector<RefusedCase> daemon = {{{}, "NAME"}, {{"a*"}, "check_ps_service -m"}, {{"a", "!root"}, "no user"}};
  ExpectRefused(&MapPsDaemon, daemon);
  const std::vector<RefusedCase> service = {{{}, "name of a service"},
                                            {{"-u", "root"}, "name of a service"},
                                            {{"-z", "sshd"}, "no option -z"},
                                            {{"-0", "sshd"}, "never fails"},
                                            {{"-e", "reboot", "sshd"}, "-e runs a command"},
                                            {{"-E", "reboot", "sshd"}, "-E runs a command"},
                                            {{"-m", "/(/", "sshd"}, "no regular expression"}};
  ExpectRefused(&MapPsService, service);
}

Files Load(const std::string& text) { return {{"/proc/loadavg", text}}; }

TEST(NhcLoadavg, Cases) {
  const std::string load = "24.90 12.00 6.10 3/400 5000\n";
  const std::vector<MappedCase> cases = {
      {"missing", {"24"}, {}, Verdict::kUnknown, "loadavg"},
      {"malformed", {"24"}, Load("busy\n"), Verdict::kUnknown, "busy"},
      {"below", {"25", "13", "7"}, Load(load), Verdict::kPass, ""},
      {"the fraction does not count", {"25"}, Load(load), Verdict::kPass, ""},
      {"at the limit", {"24"}, Load(load), Verdict::kFail, "load is at the line's limit"},
      {"at the second", {"25", "12"}, Load(load), Verdict::kFail, "limit"},
      {"the third alone", {"", "", "6"}, Load(load), Verdict::kFail, "limit"},
  };
  ExpectMapped(&MapPsLoadavg, cases);
  const std::vector<RefusedCase> refused = {
      {{}, "LIMIT1"}, {{"", ""}, "LIMIT1"}, {{"1.5"}, "no whole number"}, {{"1", "2", "3", "4"}, "LIMIT1"}};
  ExpectRefused(&MapPsLoadavg, refused);
}

}  // namespace
}  // namespace ashlar::node
