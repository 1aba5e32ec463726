#include "net/resolver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "net/limits.h"

namespace ashlar::net {
namespace {

using Addresses = base::StatusOr<std::vector<std::string>>;

Addresses Resolve(const std::string& host) {
  auto promise = std::make_shared<std::promise<Addresses>>();
  std::future<Addresses> future = promise->get_future();
  const base::Status started =
      ResolveInBackground(host, [promise](Addresses addresses) { promise->set_value(std::move(addresses)); });
  if (!started.ok()) return started;
  return future.get();
}

TEST(Resolver, KnowsAddresses) {
  for (const char* address : {"127.0.0.1", "::1", "fe80::1", "169.254.169.254"}) {
    EXPECT_TRUE(IsNumericAddress(address)) << address;
  }
  for (const char* name : {"localhost", "1.2.3", "127.0.0.1.", "[::1]", "", "0x7f.1"}) {
    EXPECT_FALSE(IsNumericAddress(name)) << name;
  }
}

TEST(Resolver, FindsLoopback) {
  const Addresses addresses = Resolve("localhost");
  ASSERT_TRUE(addresses.ok()) << addresses.status();
  EXPECT_THAT(*addresses, testing::Contains(testing::AnyOf("127.0.0.1", "::1")));
  EXPECT_LE(addresses->size(), kMaxAddresses);
}

TEST(Resolver, SaysWhichNameDoesNotExist) {
  // RFC 6761 section 6.4: "invalid." has no names.
  const Addresses addresses = Resolve("nowhere.invalid");
  EXPECT_EQ(addresses.status().code(), base::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(addresses.status().message()), testing::HasSubstr("nowhere.invalid"));
}

TEST(ResolverLimits, RefuseOneLookupTooMany) {
  // A lookup counts until its answer was handed over: answers that wait fill the bound.
  while (PendingLookups() > 0) std::this_thread::yield();  // of the tests before
  auto open = std::make_shared<std::promise<void>>();
  const std::shared_future<void> opened = open->get_future().share();
  auto done = std::make_shared<std::promise<void>>();
  auto left = std::make_shared<std::atomic<int>>(kMaxPendingLookups);
  for (int i = 0; i < kMaxPendingLookups; ++i) {
    ASSERT_TRUE(ResolveInBackground("127.0.0.1",
                                    [opened, left, done](const Addresses&) {
                                      opened.wait();
                                      if (left->fetch_sub(1) == 1) done->set_value();
                                    })
                    .ok())
        << i;
  }
  EXPECT_EQ(PendingLookups(), kMaxPendingLookups);
  EXPECT_EQ(ResolveInBackground("127.0.0.1", [](const Addresses&) {}).code(), base::StatusCode::kResourceExhausted);
  open->set_value();
  done->get_future().wait();
  while (PendingLookups() > 0) std::this_thread::yield();
  EXPECT_TRUE(Resolve("127.0.0.1").ok());
}

}  // namespace
}  // namespace ashlar::net
