#include "net/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "net/framing_matrix_testing.h"
#include "net/raw_socket_testing.h"

namespace ashlar::net {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr absl::Duration kSoon = absl::Milliseconds(50);
constexpr std::string_view kGet = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";
constexpr std::string_view kGetAndClose = "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

Response Echo(const Request& request) {
  return MakeResponse(200, "text/plain", request.method + " " + request.target + " " + request.body + "!");
}

std::unique_ptr<Server> StartServer(const ServerOptions& options = {}, const Handler& handler = Echo) {
  base::StatusOr<std::unique_ptr<Server>> server = Server::Start(options, handler);
  EXPECT_TRUE(server.ok()) << server.status();
  return server.ok() ? *std::move(server) : nullptr;
}

// Sends the bytes and reads until the server closes.
std::string Exchange(const Server& server, std::string_view bytes) {
  RawSocket socket(server.port());
  socket.Send(bytes);
  return socket.ReadAll();
}

// A door that handlers wait at until the test opens it.
class Gate {
 public:
  void Pass() {
    const base::MutexLock lock(mutex_);
    ++waiting_;
    changed_.SignalAll();
    while (!open_) changed_.Wait(mutex_);
  }
  void AwaitWaiting(int count) {
    const base::MutexLock lock(mutex_);
    while (waiting_ < count) changed_.Wait(mutex_);
  }
  void Open() {
    const base::MutexLock lock(mutex_);
    open_ = true;
    changed_.SignalAll();
  }

 private:
  base::Mutex mutex_;
  base::CondVar changed_;
  int waiting_ ABSL_GUARDED_BY(mutex_) = 0;
  bool open_ ABSL_GUARDED_BY(mutex_) = false;
};

TEST(ServerStart, NamesABusyPort) {
  const std::unique_ptr<Server> first = StartServer();
  const base::StatusOr<std::unique_ptr<Server>> second = Server::Start({.port = first->port()}, Echo);
  EXPECT_EQ(second.status().code(), base::StatusCode::kAlreadyExists);
  const std::string message(second.status().message());
  EXPECT_THAT(message, HasSubstr(fmt::format("127.0.0.1:{}", first->port())));
  EXPECT_THAT(message, HasSubstr("choose another port"));
}

TEST(ServerStart, RefusesBadOptions) {
  const auto code = [](const ServerOptions& options) { return Server::Start(options, Echo).status().code(); };
  EXPECT_EQ(code({.address = "localhost"}), base::StatusCode::kInvalidArgument);
  // TEST-NET-1 (RFC 5737): an address that no machine has.
  EXPECT_EQ(code({.address = "192.0.2.1"}), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.limits = {.connections = 0}}), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.limits = {.workers = kMaxWorkers + 1}}), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.deadlines = {.idle = absl::InfiniteDuration()}}), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.deadlines = {.write = -absl::Seconds(1)}}), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.tls = ServerTls{"/nonexistent/a.pem", "/nonexistent/a.key"}}), base::StatusCode::kInvalidArgument);
  EXPECT_TRUE(Server::Start({.limits = {.workers = kMaxWorkers}}, Echo).ok());
}

TEST(Server, AnswersTheFramingMatrixOnTheWire) {
  const std::unique_ptr<Server> server = StartServer();
  uint64_t refused = 0;
  for (const FramingCase& row : FramingMatrix()) {
    RawSocket socket(server->port());
    socket.Send(row.bytes);
    // A second request shows whether the connection lives: only an open one answers it, and then closes.
    if (!row.closes) socket.Send(kGetAndClose);
    const std::string answer = socket.ReadAll();
    EXPECT_THAT(answer, StartsWith(fmt::format("HTTP/1.1 {} ", row.status))) << row.name;
    if (row.closes) {
      ++refused;
      EXPECT_THAT(answer, HasSubstr("\r\nConnection: close\r\n")) << row.name;
      EXPECT_EQ(answer.find("HTTP/1.1", 1), std::string::npos) << row.name;
    } else {
      EXPECT_THAT(answer, EndsWith("GET /x !")) << row.name;
    }
  }
  EXPECT_EQ(server->counters().refused_requests, refused);
  EXPECT_EQ(refused, 28U);
}

TEST(Server, AnswersPipelinedRequestsInOrder) {
  const std::unique_ptr<Server> server = StartServer();
  std::string bytes;
  for (int i = 0; i < 50; ++i) {
    bytes += fmt::format("POST /{} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{:02}", i, i);
  }
  const std::string answer = Exchange(*server, bytes + std::string(kGetAndClose));
  size_t at = 0;
  for (int i = 0; i < 50; ++i) {
    at = answer.find(fmt::format("POST /{} {:02}!", i, i), at);
    ASSERT_NE(at, std::string::npos) << i;
  }
  EXPECT_EQ(server->counters().requests, 51U);
  EXPECT_EQ(server->counters().connections, 1U);
}

TEST(Server, AnswersHeadWithoutABody) {
  const std::unique_ptr<Server> server = StartServer();
  const std::string answer = Exchange(*server, "HEAD /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, HasSubstr("Content-Length: 9\r\n"));  // "HEAD /x !"
  EXPECT_THAT(answer, EndsWith("\r\n\r\n"));
}

TEST(Server, SpeaksWithOldClients) {
  const std::unique_ptr<Server> server = StartServer();
  EXPECT_THAT(Exchange(*server, "GET / HTTP/1.0\r\n\r\n"), HasSubstr("Connection: close\r\n"));
  RawSocket socket(server->port());
  socket.Send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_THAT(socket.ReadUntil("!"), HasSubstr("Connection: keep-alive\r\n"));
  socket.Send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_THAT(socket.ReadAll(), EndsWith("GET / !"));
}

TEST(Server, TellsTheClientToContinue) {
  const std::unique_ptr<Server> server = StartServer();
  RawSocket socket(server->port());
  socket.Send("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(socket.ReadUntil("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  socket.Send("ab");
  EXPECT_THAT(socket.ReadAll(), EndsWith("PUT / ab!"));
}

TEST(Server, RefusesATooLargeBodyInsteadOfAskingForIt) {
  const std::unique_ptr<Server> server = StartServer({.limits = {.body_bytes = 4}});
  const std::string put = "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\n";
  EXPECT_THAT(Exchange(*server, put + "Content-Length: 5\r\n\r\n"), StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(Exchange(*server, put + "Content-Length: 4\r\n\r\nabcd"), EndsWith("PUT / abcd!"));
}

TEST(Server, LetsARefusalBeReadWhileTheBodyIsStillComing) {
  const std::unique_ptr<Server> server = StartServer({.limits = {.body_bytes = 4}});
  // More than both socket buffers hold: without a gentle close the answer would be lost in a reset.
  const std::string body(size_t{2} << 20U, 'x');
  RawSocket socket(server->port());
  socket.Send(fmt::format("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n\r\n", body.size()));
  socket.Send(body);
  EXPECT_THAT(socket.ReadAll(), StartsWith("HTTP/1.1 413 "));
}

TEST(Server, AnswersAClientThatHasHalfClosed) {
  const std::unique_ptr<Server> server = StartServer();
  RawSocket socket(server->port());
  socket.Send(kGet);
  socket.HalfClose();
  EXPECT_THAT(socket.ReadAll(), EndsWith("GET /x !"));
}

TEST(Server, RefusesARequestThatEndsEarly) {
  const std::unique_ptr<Server> server = StartServer();
  RawSocket socket(server->port());
  socket.Send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab");
  socket.HalfClose();
  EXPECT_THAT(socket.ReadAll(), StartsWith("HTTP/1.1 400 "));
}

TEST(ServerDeadlines, EndASlowHead) {
  const std::unique_ptr<Server> server =
      StartServer({.deadlines = {.header_read = kSoon}, .limits = {.head_bytes = size_t{1} << 30U}});
  RawSocket socket(server->port());
  socket.Send("GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ");
  // One byte after the other does not wind the clock up again: the server ends it while bytes keep coming.
  std::jthread drip([&socket](const std::stop_token& stop) {
    while (!stop.stop_requested() && socket.Send("a")) {
    }
  });
  EXPECT_THAT(socket.ReadAll(), StartsWith("HTTP/1.1 408 "));
}

TEST(ServerDeadlines, AnswerAHeadThatStops) {
  const std::unique_ptr<Server> server = StartServer({.deadlines = {.header_read = kSoon}});
  EXPECT_THAT(Exchange(*server, "GET / HTTP/1.1\r\nHost:"), StartsWith("HTTP/1.1 408 "));
  EXPECT_EQ(server->counters().timeouts, 1U);
}

TEST(ServerDeadlines, AnswerABodyThatStops) {
  const std::unique_ptr<Server> server = StartServer({.deadlines = {.body_read = kSoon}});
  EXPECT_THAT(Exchange(*server, "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab"),
              StartsWith("HTTP/1.1 408 "));
}

TEST(ServerDeadlines, CloseASilentConnection) {
  const std::unique_ptr<Server> server = StartServer({.deadlines = {.idle = kSoon}});
  EXPECT_EQ(Exchange(*server, ""), "");
  // And one that fell silent after a request.
  EXPECT_THAT(Exchange(*server, kGet), EndsWith("GET /x !"));
  EXPECT_EQ(server->counters().timeouts, 2U);
}

TEST(ServerDeadlines, CloseOnAClientThatDoesNotRead) {
  const std::unique_ptr<Server> server = StartServer({.deadlines = {.write = kSoon}}, [](const Request&) {
    return MakeResponse(200, "text/plain", std::string(size_t{32} << 20U, 'x'));
  });
  RawSocket socket(server->port());
  socket.Send(kGet);
  // The server gives up on its own; what it could not send is missing.
  while (server->counters().timeouts == 0) std::this_thread::yield();
  EXPECT_LT(socket.ReadAll().size(), size_t{32} << 20U);
}

TEST(ServerLimits, RefuseOneConnectionTooMany) {
  const std::unique_ptr<Server> server = StartServer({.limits = {.connections = 2}});
  RawSocket first(server->port());
  RawSocket second(server->port());
  first.Send(kGet);
  second.Send(kGet);
  EXPECT_THAT(first.ReadUntil("!"), EndsWith("GET /x !"));
  EXPECT_THAT(second.ReadUntil("!"), EndsWith("GET /x !"));
  const std::string refusal = Exchange(*server, kGet);
  EXPECT_THAT(refusal, StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(refusal, HasSubstr("Retry-After: 1\r\n"));
  EXPECT_EQ(server->counters().refused_connections, 1U);
  EXPECT_EQ(server->counters().open_connections, 2U);
  first.HalfClose();
  EXPECT_EQ(first.ReadAll(), "");
  EXPECT_THAT(Exchange(*server, kGetAndClose), EndsWith("GET /x !"));
}

TEST(ServerLimits, RefuseOneRequestTooMany) {
  Gate gate;
  const std::unique_ptr<Server> server =
      StartServer({.limits = {.workers = 1, .queued_requests = 1}}, [&gate](const Request& request) {
        gate.Pass();
        return Echo(request);
      });
  RawSocket working(server->port());
  working.Send(kGetAndClose);
  gate.AwaitWaiting(1);
  RawSocket queued(server->port());
  queued.Send(kGetAndClose);
  while (server->counters().requests < 2) std::this_thread::yield();
  const std::string refusal = Exchange(*server, kGetAndClose);
  EXPECT_THAT(refusal, StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(refusal, HasSubstr("Retry-After: 1\r\n"));
  gate.Open();
  EXPECT_THAT(working.ReadAll(), EndsWith("GET /x !"));
  EXPECT_THAT(queued.ReadAll(), EndsWith("GET /x !"));
}

TEST(ServerHandler, MayFailWithoutHarm) {
  for (const size_t workers : {size_t{0}, size_t{2}}) {
    const std::unique_ptr<Server> server = StartServer({.limits = {.workers = workers}}, [](const Request& request) {
      if (request.target == "/throw") throw std::runtime_error("secret detail");
      Response response = Echo(request);
      if (request.target == "/inject") response.headers.Add("A", "b\r\nC: d");
      if (request.target == "/none") response.status = 204;
      return response;
    });
    for (const char* target : {"/throw", "/inject", "/none"}) {
      const std::string answer =
          Exchange(*server, fmt::format("GET {} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", target));
      EXPECT_THAT(answer, StartsWith("HTTP/1.1 500 ")) << target;
      EXPECT_THAT(answer, Not(HasSubstr("secret"))) << target;
    }
    EXPECT_THAT(Exchange(*server, kGetAndClose), EndsWith("GET /x !"));
  }
}

TEST(ServerHandler, MayCloseTheConnection) {
  const std::unique_ptr<Server> server = StartServer({}, [](const Request& request) {
    Response response = Echo(request);
    response.headers.Add("Connection", "close");
    return response;
  });
  EXPECT_THAT(Exchange(*server, kGet), EndsWith("GET /x !"));
}

TEST(ServerHandler, SeesThePeerAndTheDateIsSent) {
  const std::unique_ptr<Server> server =
      StartServer({}, [](const Request& request) { return MakeResponse(200, "text/plain", request.peer); });
  const std::string answer = Exchange(*server, kGetAndClose);
  EXPECT_THAT(answer, testing::ContainsRegex("Date: [A-Z][a-z][a-z], [0-9][0-9] [A-Z][a-z][a-z] 20.* GMT\r\n"));
  EXPECT_THAT(answer, testing::ContainsRegex("127\\.0\\.0\\.1:[0-9]+$"));
}

TEST(ServerStop, FinishesARequestInFlight) {
  Gate gate;
  const std::unique_ptr<Server> server =
      StartServer({.stop_grace = absl::Seconds(60)}, [&gate](const Request& request) {
        gate.Pass();
        return Echo(request);
      });
  RawSocket idle(server->port());
  RawSocket busy(server->port());
  busy.Send(kGet);
  gate.AwaitWaiting(1);
  std::future<void> stopped = std::async(std::launch::async, [&server] { server->Stop(); });
  // The idle connection is closed while the busy one is still waited for; then nothing listens any more.
  EXPECT_EQ(idle.ReadAll(), "");
  gate.Open();
  const std::string answer = busy.ReadAll();
  EXPECT_THAT(answer, HasSubstr("Connection: close\r\n"));
  EXPECT_THAT(answer, EndsWith("GET /x !"));
  stopped.get();
  EXPECT_TRUE(Server::Start({.port = server->port()}, Echo).ok());
}

TEST(ServerStop, ClosesWhatOutlastsTheGrace) {
  const std::unique_ptr<Server> server = StartServer({.stop_grace = kSoon});
  RawSocket socket(server->port());
  socket.Send(std::string(kGet) + "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab");
  EXPECT_THAT(socket.ReadUntil("!"), EndsWith("GET /x !"));
  server->Stop();
  EXPECT_EQ(socket.ReadAll(), "");
  server->Stop();
}

TEST(ServerStop, WaitsForAHandlerWhoseConnectionIsGone) {
  Gate gate;
  std::atomic<bool> finished = false;
  const std::unique_ptr<Server> server =
      StartServer({.stop_grace = absl::ZeroDuration()}, [&gate, &finished](const Request& request) {
        gate.Pass();
        finished = true;
        return Echo(request);
      });
  RawSocket socket(server->port());
  socket.Send(kGet);
  gate.AwaitWaiting(1);
  std::future<void> stopped = std::async(std::launch::async, [&server] { server->Stop(); });
  EXPECT_EQ(socket.ReadAll(), "");
  EXPECT_FALSE(finished);
  gate.Open();
  stopped.get();
  EXPECT_TRUE(finished);
}

TEST(Server, TellsItsAddress) {
  EXPECT_EQ(StartServer()->url().substr(0, 17), "http://127.0.0.1:");
  const base::StatusOr<std::unique_ptr<Server>> six = Server::Start({.address = "::1"}, Echo);
  if (six.ok()) {
    EXPECT_EQ((*six)->url().substr(0, 13), "http://[::1]:");
  }
}

}  // namespace
}  // namespace ashlar::net
