#include "os/descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace ashlar::os {
namespace {

bool IsOpen(int number) { return ::fcntl(number, F_GETFD) >= 0; }

TEST(DescriptorTest, ClosesOnceAndMoves) {
  auto pipe = MakePipe();
  ASSERT_TRUE(pipe.ok()) << pipe.status();
  const int read = pipe->read.number();
  const int write = pipe->write.number();
  {
    Descriptor moved = std::move(pipe->read);
    EXPECT_FALSE(pipe->read.open());
    EXPECT_TRUE(IsOpen(read));
    moved = std::move(pipe->write);
    EXPECT_FALSE(IsOpen(read)) << "assigning over a descriptor closes it";
    EXPECT_TRUE(IsOpen(write));
  }
  EXPECT_FALSE(IsOpen(write));
}

TEST(DescriptorTest, ReleaseLeavesItOpen) {
  auto pipe = MakePipe();
  ASSERT_TRUE(pipe.ok()) << pipe.status();
  const int number = pipe->read.Release();
  EXPECT_FALSE(pipe->read.open());
  EXPECT_TRUE(IsOpen(number));
  Descriptor(number).Close();
  EXPECT_FALSE(IsOpen(number));
}

TEST(DescriptorTest, APipeIsAboveTheStandardOnesAndClosesOnExec) {
  const int saved = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  ::close(STDIN_FILENO);  // now 0 is the lowest free number
  auto pipe = MakePipe();
  EXPECT_FALSE(IsOpen(STDIN_FILENO));
  if (saved >= 0) ::dup2(saved, STDIN_FILENO);
  Descriptor(saved).Close();
  ASSERT_TRUE(pipe.ok()) << pipe.status();
  for (const Descriptor* end : {&pipe->read, &pipe->write}) {
    EXPECT_GE(end->number(), 3);
    EXPECT_EQ(::fcntl(end->number(), F_GETFD), FD_CLOEXEC);
  }
}

TEST(DescriptorTest, NonBlockingMeansAtOnce) {
  auto pipe = MakePipe();
  ASSERT_TRUE(pipe.ok()) << pipe.status();
  ASSERT_TRUE(MakeNonBlocking(pipe->read).ok());
  char byte = 0;
  EXPECT_EQ(::read(pipe->read.number(), &byte, 1), -1);
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_FALSE(MakeNonBlocking(Descriptor()).ok());
}

}  // namespace
}  // namespace ashlar::os
