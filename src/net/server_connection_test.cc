#include "net/server_connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "net/fake_stream_testing.h"

namespace ashlar::net {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

class FakeHost : public ConnectionHost {
 public:
  bool Dispatch(Request request, std::function<void(Response)> done) override {
    if (full) return false;
    requests.push_back(std::move(request));
    done_ = std::move(done);
    return true;
  }
  std::string Date() override { return "D"; }
  void OnRefusedRequest() override { ++refused; }
  void OnTimeout() override { ++timeouts; }
  void OnClosed(ServerConnection&) override { ++closed; }

  void Answer(std::string body) { std::exchange(done_, nullptr)(MakeResponse(200, "text/plain", std::move(body))); }

  void Forget() { done_ = nullptr; }

  bool full = false;
  std::vector<Request> requests;
  int refused = 0;
  int timeouts = 0;
  int closed = 0;

 private:
  std::function<void(Response)> done_;
};

class ServerConnectionTest : public testing::Test {
 protected:
  ServerConnectionTest() {
    settings_.deadlines = {.header_read = absl::Seconds(10),
                           .body_read = absl::Seconds(20),
                           .write = absl::Seconds(30),
                           .idle = absl::Seconds(40)};
    settings_.clock = &clock_;
    connection_->Start();
  }
  ~ServerConnectionTest() override {
    stream_->Abandon();
    host_.Forget();
  }

  base::FakeClock clock_{absl::FromUnixSeconds(1'800'000'000)};
  FakeHost host_;
  ConnectionSettings settings_;
  std::shared_ptr<FakeStream> stream_ = std::make_shared<FakeStream>();
  std::shared_ptr<ServerConnection> connection_ = std::make_shared<ServerConnection>(stream_, host_, settings_);
};

const base::Status kTimeout = base::Error(base::StatusCode::kDeadlineExceeded, "late");
const base::Status kBroken = base::Error(base::StatusCode::kUnavailable, "broken");

TEST_F(ServerConnectionTest, DoesNotWindTheClockUpWithEachByte) {
  EXPECT_EQ(stream_->read_timeout(), absl::Seconds(10));
  clock_.Advance(absl::Seconds(3));
  stream_->DeliverBytes("G");
  EXPECT_EQ(stream_->read_timeout(), absl::Seconds(10));
  for (int i = 1; i < 10; ++i) {
    clock_.Advance(absl::Seconds(1));
    stream_->DeliverBytes("E");
    EXPECT_EQ(stream_->read_timeout(), absl::Seconds(10 - i));
  }
  clock_.Advance(absl::Seconds(5));
  stream_->DeliverBytes("E");
  EXPECT_EQ(stream_->read_timeout(), absl::ZeroDuration());
  stream_->DeliverReadError(kTimeout);
  EXPECT_THAT(stream_->written(), StartsWith("HTTP/1.1 408 "));
  EXPECT_THAT(stream_->written(), HasSubstr("the head did not come in time"));
  stream_->DeliverWritten();
  EXPECT_TRUE(stream_->closing_gently());
  stream_->DeliverClosed();
  EXPECT_EQ(host_.closed, 1);
  EXPECT_EQ(host_.timeouts, 1);
}

TEST_F(ServerConnectionTest, GivesTheBodyItsOwnDeadline) {
  stream_->DeliverBytes("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(stream_->read_timeout(), absl::Seconds(20));
  clock_.Advance(absl::Seconds(6));
  stream_->DeliverBytes("a");
  EXPECT_EQ(stream_->read_timeout(), absl::Seconds(14));
  stream_->DeliverReadError(kTimeout);
  EXPECT_THAT(stream_->written(), HasSubstr("the body did not come in time"));
}

TEST_F(ServerConnectionTest, GivesTheNextRequestTheIdleDeadline) {
  stream_->DeliverBytes(kGet);
  EXPECT_EQ(host_.requests.size(), 1U);
  EXPECT_EQ(host_.requests[0].peer, "198.51.100.1:1");
  host_.Answer("x");
  EXPECT_EQ(stream_->write_timeout(), absl::Seconds(30));
  stream_->DeliverWritten();
  EXPECT_EQ(stream_->read_timeout(), absl::Seconds(40));
  clock_.Advance(absl::Seconds(39));
  stream_->DeliverBytes("G");
  EXPECT_EQ(stream_->read_timeout(), absl::Seconds(10));
}

TEST_F(ServerConnectionTest, ClosesASilentConnectionWithoutAWord) {
  stream_->DeliverReadError(kTimeout);
  EXPECT_EQ(stream_->written(), "");
  EXPECT_TRUE(stream_->closed());
  EXPECT_EQ(host_.timeouts, 1);
  EXPECT_EQ(host_.closed, 1);
}

TEST_F(ServerConnectionTest, ClosesABrokenConnection) {
  stream_->DeliverBytes("GET");
  stream_->DeliverReadError(kBroken);
  EXPECT_EQ(stream_->written(), "");
  EXPECT_EQ(host_.closed, 1);
  EXPECT_EQ(host_.timeouts, 0);
}

TEST_F(ServerConnectionTest, ClosesWhenAnAnswerCannotBeWritten) {
  stream_->DeliverBytes(kGet);
  host_.Answer("x");
  stream_->DeliverWritten(kBroken);
  EXPECT_EQ(host_.closed, 1);
  EXPECT_EQ(host_.timeouts, 0);
}

TEST_F(ServerConnectionTest, CountsAWriteThatTookTooLong) {
  stream_->DeliverBytes(kGet);
  host_.Answer("x");
  stream_->DeliverWritten(kTimeout);
  EXPECT_EQ(host_.closed, 1);
  EXPECT_EQ(host_.timeouts, 1);
}

TEST_F(ServerConnectionTest, ClosesWhenContinueCannotBeWritten) {
  stream_->DeliverBytes("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(stream_->written(), "HTTP/1.1 100 Continue\r\n\r\n");
  stream_->DeliverWritten(kBroken);
  EXPECT_EQ(host_.closed, 1);
}

TEST_F(ServerConnectionTest, SaysContinueOnceAndOnlyWhenTheBodyIsMissing) {
  const std::string head = "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
  stream_->DeliverBytes(head);
  stream_->DeliverWritten();
  stream_->DeliverBytes("a");
  stream_->DeliverBytes("b");
  host_.Answer("1");
  stream_->DeliverWritten();
  EXPECT_THAT(stream_->written(), EndsWith("\r\n\r\n1"));
  const size_t before = stream_->written().size();
  stream_->DeliverBytes(head + "cd");
  host_.Answer("2");
  EXPECT_THAT(stream_->written().substr(before), StartsWith("HTTP/1.1 200 "));
  EXPECT_EQ(host_.requests[1].body, "cd");
}

TEST_F(ServerConnectionTest, ReadsNothingWhileItAnswers) {
  stream_->DeliverBytes(std::string(kGet) + std::string(kGet) + "GET ");
  EXPECT_FALSE(stream_->reading());
  EXPECT_EQ(host_.requests.size(), 1U);
  host_.Answer("1");
  stream_->DeliverWritten();
  EXPECT_EQ(host_.requests.size(), 2U);
  EXPECT_FALSE(stream_->reading());
  host_.Answer("2");
  stream_->DeliverWritten();
  // The third one has begun already.
  EXPECT_EQ(stream_->read_timeout(), absl::Seconds(10));
  stream_->DeliverBytes("/3 HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(host_.requests[2].target, "/3");
}

TEST_F(ServerConnectionTest, AnswersBusyAndGoesOn) {
  host_.full = true;
  stream_->DeliverBytes(kGet);
  EXPECT_THAT(stream_->written(), StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(stream_->written(), HasSubstr("Retry-After: 1\r\n"));
  EXPECT_EQ(host_.refused, 1);
  stream_->DeliverWritten();
  host_.full = false;
  stream_->DeliverBytes(kGet);
  EXPECT_EQ(host_.requests.size(), 1U);
}

TEST_F(ServerConnectionTest, DropsAnAnswerThatComesAfterTheEnd) {
  stream_->DeliverBytes(kGet);
  connection_->Abort();
  connection_->Abort();
  EXPECT_EQ(host_.closed, 1);
  host_.Answer("late");
  EXPECT_EQ(stream_->written(), "");
}

TEST_F(ServerConnectionTest, DrainsByWhatItIsDoing) {
  stream_->DeliverBytes("GET / HT");
  connection_->Drain();
  EXPECT_FALSE(stream_->closed());
  stream_->DeliverBytes("TP/1.1\r\nHost: a\r\n\r\n");
  host_.Answer("x");
  EXPECT_THAT(stream_->written(), HasSubstr("Connection: close\r\n"));
  stream_->DeliverWritten();
  EXPECT_TRUE(stream_->closing_gently());
}

TEST_F(ServerConnectionTest, DrainsAtOnceWhenIdle) {
  connection_->Drain();
  EXPECT_TRUE(stream_->closed());
  EXPECT_EQ(host_.closed, 1);
}

}  // namespace
}  // namespace ashlar::net
