// The machine's own answers: only what holds on any Linux machine is asserted.
#include "node/checks/kernel_calls.h"

#include <gtest/gtest.h>

namespace ashlar::node {
namespace {

TEST(KernelCalls, UsageOfTheRootAndOfNothing) {
  const auto usage = RealKernelCalls().Usage("/");
  ASSERT_TRUE(usage.ok()) << usage.status();
  EXPECT_GT(usage->total_bytes, 0U);
  EXPECT_LE(usage->available_bytes, usage->free_bytes);
  EXPECT_LE(usage->free_bytes, usage->total_bytes);
  EXPECT_LE(usage->free_inodes, usage->total_inodes);
  EXPECT_EQ(RealKernelCalls().Usage("/no/such/folder").status().code(), base::StatusCode::kNotFound);
  // procfs has neither blocks nor inodes.
  const auto proc = RealKernelCalls().Usage("/proc");
  ASSERT_TRUE(proc.ok());
  EXPECT_EQ(proc->total_bytes, 0U);
}

TEST(KernelCalls, ClockAnswersWithoutChangingIt) {
  const auto clock = RealKernelCalls().Clock();
  ASSERT_TRUE(clock.ok()) << clock.status();
  EXPECT_GE(clock->maximum_error, absl::ZeroDuration());
}

TEST(KernelCalls, Limits) {
  const auto files = RealKernelCalls().Limit(ResourceKind::kOpenFiles);
  ASSERT_TRUE(files.ok());
  EXPECT_GT(files->soft, 2U);
  EXPECT_LE(files->soft, files->hard);
  EXPECT_FALSE(files->lock_capability);
  EXPECT_TRUE(RealKernelCalls().Limit(ResourceKind::kLockedMemory).ok());
}

TEST(KernelCalls, TheLogIsReadOrRefused) {
  const auto log = RealKernelCalls().KernelLog();
  const bool refused = log.status().code() == base::StatusCode::kPermissionDenied;
  EXPECT_TRUE(log.ok() || refused) << log.status();
}

// Numeric addresses need no server.
TEST(KernelCalls, ResolvesAddresses) {
  const auto four = RealKernelCalls().Resolve("127.0.0.1");
  ASSERT_TRUE(four.ok()) << four.status();
  EXPECT_EQ(*four, (std::vector<std::string>{"127.0.0.1"}));
  const auto six = RealKernelCalls().Resolve("::1");
  ASSERT_TRUE(six.ok()) << six.status();
  EXPECT_EQ(*six, (std::vector<std::string>{"::1"}));
  EXPECT_FALSE(RealKernelCalls().Resolve("").ok());
}

TEST(KernelCalls, HasAName) {
  const auto name = RealKernelCalls().HostName();
  ASSERT_TRUE(name.ok());
  EXPECT_FALSE(name->empty());
}

}  // namespace
}  // namespace ashlar::node
