#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "os/filesystem.h"
#include "os/process_group.h"

namespace ashlar::os {
namespace {

using base::StatusCode;
using ::testing::HasSubstr;

// What the shell command wrote to its standard output, and how it ended.
std::string OutputOf(SpawnRequest request) {
  auto pipe = MakePipe();
  if (!pipe.ok()) return pipe.status().ToString();
  request.output = pipe->write.number();
  const auto child = Spawn(request);
  pipe->write.Close();
  if (!child.ok()) return child.status().ToString();
  std::string output;
  char chunk[256];
  for (ssize_t got = 1; got > 0;) {
    got = ::read(pipe->read.number(), chunk, sizeof(chunk));
    if (got > 0) output.append(chunk, static_cast<size_t>(got));
  }
  int status = -1;
  EXPECT_EQ(::waitpid(*child, &status, 0), *child);
  return output + fmt::format("({})", status);
}

TEST(SpawnTest, TellsWhatExecSaid) {
  const auto folder = TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok()) << folder.status();
  const std::string script = folder->path() + "/script";
  ASSERT_TRUE(WriteFileDurably(RealFileSystem(), script, "#!/no/such/interpreter\n").ok());
  ASSERT_EQ(::chmod(script.c_str(), 0755), 0);
  struct Row {
    std::string program;
    StatusCode code;
  };
  const Row rows[] = {
      {"/no/such/program", StatusCode::kNotFound},
      {script, StatusCode::kNotFound},
      {"/", StatusCode::kPermissionDenied},
      {"/etc/passwd", StatusCode::kPermissionDenied},
      {"/etc/passwd/x", StatusCode::kInvalidArgument},
  };
  for (const Row& row : rows) {
    const auto child = Spawn({.program = row.program, .command = {"x"}});
    EXPECT_EQ(child.status().code(), row.code) << row.program << ": " << child.status();
    EXPECT_THAT(base::Message(child.status()), HasSubstr(row.program));
  }
}

TEST(SpawnTest, TheNameIsTheFirstWordAndTheEnvironmentIsMerged) {
  EXPECT_EQ(OutputOf({.program = "/bin/sh", .command = {"called", "-c", "echo $0 $1", "zero", "one two"}}),
            "zero one two\n(0)");
  EXPECT_EQ(OutputOf({.program = "/bin/sh", .command = {"called", "-c", "echo $0; exit 2"}}), "called\n(512)");
  EXPECT_EQ(OutputOf({.program = "/bin/sh",
                      .command = {"sh", "-c", "echo $ASHLAR_A; pwd"},
                      .environment = {{"ASHLAR_A", "a b"}},
                      .directory = "/usr"}),
            "a b\n/usr\n(0)");
}

}  // namespace
}  // namespace ashlar::os
