#include "net/event_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "net/limits.h"
#include "net/raw_socket_testing.h"

namespace ashlar::net {
namespace {

using base::StatusCode;

constexpr absl::Duration kSoon = absl::Milliseconds(30);
constexpr absl::Duration kPatience = absl::Seconds(60);

// Runs the loop until the operation that `start` begins has handed over its result.
template <typename Result>
Result Await(EventLoop& loop, const std::function<void(std::function<void(Result)>)>& start) {
  std::optional<Result> result;
  start([&result](Result done) { result = std::move(done); });
  EXPECT_FALSE(result.has_value()) << "a callback ran inside the call";
  EXPECT_TRUE(loop.RunUntil([&result] { return result.has_value(); }, kPatience));
  return *std::move(result);
}

using MaybeStream = base::StatusOr<StreamPointer>;

MaybeStream Connect(EventLoop& loop, uint16_t port, absl::Duration timeout = kPatience) {
  return Await<MaybeStream>(loop, [&](std::function<void(MaybeStream)> done) {
    loop.Connect({.endpoint = {"127.0.0.1", port}, .timeout = timeout}, std::move(done));
  });
}

base::StatusOr<size_t> ReadSome(EventLoop& loop, Stream& stream, std::span<char> buffer,
                                absl::Duration timeout = kPatience) {
  return Await<base::StatusOr<size_t>>(loop, [&](std::function<void(base::StatusOr<size_t>)> done) {
    stream.ReadSome(buffer, timeout, std::move(done));
  });
}

base::Status Write(EventLoop& loop, Stream& stream, std::string_view bytes, absl::Duration timeout = kPatience) {
  return Await<base::Status>(
      loop, [&](std::function<void(base::Status)> done) { stream.Write(bytes, timeout, std::move(done)); });
}

TEST(EventLoop, ConnectsReadsAndWrites) {
  EventLoop loop;
  RawListener listener;
  const MaybeStream stream = Connect(loop, listener.port());
  ASSERT_TRUE(stream.ok()) << stream.status();
  RawSocket peer = listener.Accept();
  EXPECT_EQ((*stream)->peer(), fmt::format("127.0.0.1:{}", listener.port()));
  EXPECT_TRUE((*stream)->IsQuiet());
  EXPECT_TRUE(Write(loop, **stream, "hello\n").ok());
  EXPECT_EQ(peer.ReadUntil("\n"), "hello\n");
  peer.Send("abc");
  std::array<char, 8> buffer{};
  const base::StatusOr<size_t> count = ReadSome(loop, **stream, buffer);
  ASSERT_TRUE(count.ok()) << count.status();
  EXPECT_EQ(std::string(buffer.data(), *count), "abc");
  peer.HalfClose();
  EXPECT_EQ(*ReadSome(loop, **stream, buffer), 0U);
  EXPECT_FALSE((*stream)->IsQuiet());
}

TEST(EventLoop, EndsOperationsAtTheirDeadline) {
  EventLoop loop;
  RawListener listener;
  const MaybeStream stream = Connect(loop, listener.port());
  ASSERT_TRUE(stream.ok());
  RawSocket peer = listener.Accept();
  std::array<char, 8> buffer{};
  EXPECT_EQ(ReadSome(loop, **stream, buffer, kSoon).status().code(), StatusCode::kDeadlineExceeded);
  // After a late read the stream may still be written to, and a later deadline is not cut short by the old one.
  EXPECT_TRUE(Write(loop, **stream, "bye\n").ok());
  EXPECT_EQ(peer.ReadUntil("\n"), "bye\n");
  const std::string much(size_t{64} << 20U, 'x');
  EXPECT_EQ(Write(loop, **stream, much, kSoon).code(), StatusCode::kDeadlineExceeded);
}

TEST(EventLoop, KeepsALaterDeadlineAfterAnEarlierOne) {
  EventLoop loop;
  RawListener listener;
  const MaybeStream stream = Connect(loop, listener.port());
  ASSERT_TRUE(stream.ok());
  RawSocket peer = listener.Accept();
  std::array<char, 1> buffer{};
  // The first read arms the timer for 30 ms and ends early; the second one outlives that timer.
  peer.Send("a");
  EXPECT_TRUE(ReadSome(loop, **stream, buffer, kSoon).ok());
  std::optional<base::StatusOr<size_t>> second;
  (*stream)->ReadSome(buffer, kPatience, [&second](base::StatusOr<size_t> done) { second = std::move(done); });
  EXPECT_FALSE(loop.RunUntil([&second] { return second.has_value(); }, 3 * kSoon));
  peer.Send("b");
  EXPECT_TRUE(loop.RunUntil([&second] { return second.has_value(); }, kPatience));
  EXPECT_TRUE(second->ok());
  // An earlier deadline than the one that is armed counts as well.
  EXPECT_EQ(ReadSome(loop, **stream, buffer, kSoon).status().code(), StatusCode::kDeadlineExceeded);
}

TEST(EventLoop, CancelsWhatIsUnderWayWhenClosed) {
  EventLoop loop;
  RawListener listener;
  const MaybeStream stream = Connect(loop, listener.port());
  ASSERT_TRUE(stream.ok());
  std::array<char, 8> buffer{};
  std::optional<base::StatusOr<size_t>> count;
  (*stream)->ReadSome(buffer, kPatience, [&count](base::StatusOr<size_t> done) { count = std::move(done); });
  (*stream)->Close();
  EXPECT_TRUE(loop.RunUntil([&count] { return count.has_value(); }, kPatience));
  EXPECT_EQ(count->status().code(), StatusCode::kCancelled);
  EXPECT_EQ(ReadSome(loop, **stream, buffer).status().code(), StatusCode::kCancelled);
}

TEST(EventLoop, ReportsABrokenConnection) {
  EventLoop loop;
  RawListener listener;
  const MaybeStream stream = Connect(loop, listener.port());
  ASSERT_TRUE(stream.ok());
  {
    const RawSocket peer = listener.Accept();
    EXPECT_TRUE(Write(loop, **stream, "unread").ok());
    // Closing with unread bytes resets the connection.
  }
  std::array<char, 8> buffer{};
  EXPECT_EQ(ReadSome(loop, **stream, buffer).status().code(), StatusCode::kUnavailable);
}

TEST(EventLoop, SaysWhyItCannotConnect) {
  EventLoop loop;
  uint16_t port = 0;
  {
    const RawListener gone;
    port = gone.port();
  }
  EXPECT_EQ(Connect(loop, port).status().code(), StatusCode::kUnavailable);
  const auto to_name = [&loop](std::function<void(MaybeStream)> done) {
    loop.Connect({.endpoint = {"localhost", 1}, .timeout = kPatience}, std::move(done));
  };
  EXPECT_EQ(Await<MaybeStream>(loop, to_name).status().code(), StatusCode::kInvalidArgument);
}

TEST(EventLoop, ClosesGentlyAfterABoundedAmount) {
  EventLoop loop;
  RawListener listener;
  const MaybeStream stream = Connect(loop, listener.port());
  ASSERT_TRUE(stream.ok());
  RawSocket peer = listener.Accept();
  // A peer that sends for ever is cut off.
  std::jthread sender([&peer] {
    const std::string much(size_t{1} << 16U, 'x');
    while (peer.Send(much)) {
    }
  });
  bool closed = false;
  (*stream)->CloseGently([&closed] { closed = true; });
  EXPECT_TRUE(loop.RunUntil([&closed] { return closed; }, kPatience));
}

TEST(EventLoop, ClosesGentlyWhenThePeerDoes) {
  EventLoop loop;
  RawListener listener;
  const MaybeStream stream = Connect(loop, listener.port());
  ASSERT_TRUE(stream.ok());
  RawSocket peer = listener.Accept();
  bool closed = false;
  (*stream)->CloseGently([&closed] { closed = true; });
  // The silent peer sees the end; the linger deadline ends the wait when it does nothing.
  EXPECT_EQ(peer.ReadAll(), "");
  EXPECT_TRUE(loop.RunUntil([&closed] { return closed; }, kPatience));
}

class ListenTest : public testing::Test {
 protected:
  ListenOptions Options() {
    return {.endpoint = {"127.0.0.1", 0},
            .admits = [this] { return admit_; },
            .refusal = "full\n",
            .on_accept = [this](StreamPointer stream) { accepted_.push_back(std::move(stream)); }};
  }

  EventLoop loop_;
  bool admit_ = true;
  std::vector<StreamPointer> accepted_;
};

TEST_F(ListenTest, AcceptsUntilItIsGone) {
  base::StatusOr<std::unique_ptr<Listener>> listener = loop_.Listen(Options());
  ASSERT_TRUE(listener.ok()) << listener.status();
  const uint16_t port = (*listener)->port();
  const RawSocket client(port);
  EXPECT_TRUE(loop_.RunUntil([this] { return accepted_.size() == 1; }, kPatience));
  listener->reset();
  EXPECT_EQ(Connect(loop_, port).status().code(), StatusCode::kUnavailable);
}

TEST_F(ListenTest, RefusesPolitelyWhatIsNotAdmitted) {
  base::StatusOr<std::unique_ptr<Listener>> listener = loop_.Listen(Options());
  ASSERT_TRUE(listener.ok()) << listener.status();
  admit_ = false;
  // All wait before the first is accepted, so that none of the refusals is over when the last one comes.
  std::vector<std::unique_ptr<RawSocket>> clients;
  for (size_t i = 0; i <= kMaxPoliteRefusals; ++i) {
    clients.push_back(std::make_unique<RawSocket>((*listener)->port()));
  }
  std::jthread running([this] { loop_.Run(); });
  for (size_t i = 0; i < kMaxPoliteRefusals; ++i) EXPECT_EQ(clients[i]->ReadUntil("\n"), "full\n") << i;
  EXPECT_EQ(clients.back()->ReadAll(), "");
  loop_.Post([this, &listener] {
    listener->reset();
    loop_.Stop();
  });
  running.join();
  EXPECT_TRUE(accepted_.empty());
}

TEST_F(ListenTest, SaysWhyItCannotListen) {
  const base::StatusOr<std::unique_ptr<Listener>> first = loop_.Listen(Options());
  ASSERT_TRUE(first.ok());
  ListenOptions options = Options();
  options.endpoint.port = (*first)->port();
  EXPECT_EQ(loop_.Listen(options).status().code(), StatusCode::kAlreadyExists);
  options.endpoint = {"example", 0};
  EXPECT_EQ(loop_.Listen(options).status().code(), StatusCode::kInvalidArgument);
  // TEST-NET-1 (RFC 5737).
  options.endpoint = {"192.0.2.1", 0};
  EXPECT_EQ(loop_.Listen(options).status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace ashlar::net
