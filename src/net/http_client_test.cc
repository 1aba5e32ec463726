#include "net/http_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "net/http_server.h"
#include "net/raw_socket_testing.h"
#include "net/tls_certificate_testing.h"
#include "os/os.h"

namespace ashlar::net {
namespace {

using base::StatusCode;
using testing::HasSubstr;

constexpr absl::Duration kSoon = absl::Milliseconds(50);

Response Echo(const Request& request) {
  Response response = MakeResponse(200, "text/plain", request.method + " " + request.target + " " + request.body);
  response.headers.Add("X-Host", request.headers.Get("Host"));
  response.headers.Add("X-Peer", request.peer);
  return response;
}

std::unique_ptr<Server> StartServer(const ServerOptions& options = {}, const Handler& handler = Echo) {
  base::StatusOr<std::unique_ptr<Server>> server = Server::Start(options, handler);
  EXPECT_TRUE(server.ok()) << server.status();
  return server.ok() ? *std::move(server) : nullptr;
}

Request To(const std::string& url, std::string method = "GET", std::string body = "") {
  Request request;
  request.method = std::move(method);
  request.target = url;
  request.body = std::move(body);
  return request;
}

// A server that the test plays: for each string one connection, answered with it after the head came, then closed.
class Scripted {
 public:
  explicit Scripted(std::vector<std::string> answers)
      : thread_([this, answers = std::move(answers)] {
          for (const std::string& answer : answers) {
            RawSocket socket = listener_.Accept();
            heads_.push_back(socket.ReadUntil("\r\n\r\n"));
            socket.Send(answer);
          }
        }) {}
  std::string url() const { return fmt::format("http://127.0.0.1:{}/", listener_.port()); }
  // The heads that came, once all connections were served.
  const std::vector<std::string>& Heads() {
    if (thread_.joinable()) thread_.join();
    return heads_;
  }

 private:
  RawListener listener_;
  std::vector<std::string> heads_;
  std::jthread thread_;
};

TEST(Fetch, GetsAnAnswer) {
  const std::unique_ptr<Server> server = StartServer();
  const base::StatusOr<Response> response = FetchUrl(server->url() + "/a?b=c");
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->body, "GET /a?b=c ");
  EXPECT_EQ(response->headers.Get("X-Host"), fmt::format("127.0.0.1:{}", server->port()));
}

TEST(Fetch, SendsABodyAndReadsErrorsAsAnswers) {
  const std::unique_ptr<Server> server =
      StartServer({}, [](const Request& request) { return ErrorResponse(404, request.method + request.body); });
  const base::StatusOr<Response> response = Fetch(To(server->url(), "POST", "abc"));
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->status, 404);
  EXPECT_THAT(response->body, HasSubstr("POSTabc"));
  EXPECT_EQ(Fetch(To(server->url(), "HEAD"))->body, "");
}

TEST(Fetch, LooksNamesUp) {
  const std::unique_ptr<Server> server = StartServer();
  const base::StatusOr<Response> response = FetchUrl(fmt::format("http://localhost:{}/", server->port()));
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->headers.Get("X-Host"), fmt::format("localhost:{}", server->port()));
  // RFC 6761 section 6.4: "invalid." has no names.
  EXPECT_EQ(FetchUrl("http://a.invalid/").status().code(), StatusCode::kUnavailable);
}

TEST(Fetch, RefusesBadRequestsBeforeConnecting) {
  EXPECT_EQ(FetchUrl("ftp://a/").status().code(), StatusCode::kInvalidArgument);
  Request request = To("http://127.0.0.1:1/");
  request.headers.Add("A", "b\r\nC: d");
  EXPECT_EQ(Fetch(request).status().code(), StatusCode::kInvalidArgument);
}

TEST(Fetch, SaysWhatIsNotThere) {
  uint16_t port = 0;
  {
    const RawListener gone;
    port = gone.port();
  }
  const base::Status status = FetchUrl(fmt::format("http://127.0.0.1:{}/", port)).status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), HasSubstr(fmt::format("GET http://127.0.0.1:{}/: ", port)));
  EXPECT_THAT(std::string(status.message()), HasSubstr("is the server running there?"));
}

TEST(Fetch, KeepsItsDeadline) {
  const RawListener silent;
  const base::Status status =
      FetchUrl(fmt::format("http://127.0.0.1:{}/", silent.port()), {.deadline = kSoon}).status();
  EXPECT_EQ(status.code(), StatusCode::kDeadlineExceeded);
  // A TLS server that never shakes hands is ended by the deadline of connecting.
  EXPECT_EQ(FetchUrl(fmt::format("https://127.0.0.1:{}/", silent.port()), {.connect_deadline = kSoon}).status().code(),
            StatusCode::kDeadlineExceeded);
}

struct AnswerRow {
  std::string name;
  std::string answer;
  StatusCode code;
};

TEST(Fetch, RefusesAnswersThatBreakTheRules) {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  const std::vector<AnswerRow> rows = {
      {"nothing", "", StatusCode::kUnavailable},
      {"half a head", "HTTP/1.1 200", StatusCode::kDataLoss},
      {"cut short", ok + "Content-Length: 5\r\n\r\nab", StatusCode::kDataLoss},
      {"length and chunks", ok + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", StatusCode::kDataLoss},
      {"no HTTP", "220 mail ready\r\n", StatusCode::kDataLoss},
      {"body too long", ok + "Content-Length: 9\r\n\r\n123456789", StatusCode::kResourceExhausted},
      {"body without end too long", ok + "\r\n123456789", StatusCode::kResourceExhausted},
      {"head too long", ok + "X: " + std::string(200, 'x') + "\r\n\r\n", StatusCode::kResourceExhausted},
      {"body at the limit", ok + "Content-Length: 8\r\n\r\n12345678", StatusCode::kOk},
      {"body that the close ends", ok + "\r\n12345678", StatusCode::kOk},
      {"after interim ones", "HTTP/1.1 100 Continue\r\n\r\n" + ok + "Content-Length: 0\r\n\r\n", StatusCode::kOk},
  };
  for (const AnswerRow& row : rows) {
    Scripted server({row.answer});
    const base::StatusOr<Response> response = FetchUrl(server.url(), {.head_bytes = 100, .body_bytes = 8});
    EXPECT_EQ(response.status().code(), row.code) << row.name << ": " << response.status();
  }
}

TEST(Fetch, ReadsARefusalThatComesBeforeTheBodyIsSent) {
  const std::unique_ptr<Server> server = StartServer({.limits = {.body_bytes = 4}});
  const base::StatusOr<Response> response = Fetch(To(server->url(), "PUT", std::string(size_t{2} << 20U, 'x')));
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->status, 413);
}

TEST(Fetch, NeverAsksTheEnvironmentForAProxy) {
  const std::unique_ptr<Server> server = StartServer();
  // Port 9 of loopback: whoever asked that proxy would fail.
  for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"}) {
    ASSERT_EQ(setenv(name, "http://127.0.0.1:9", 1), 0);
  }
  EXPECT_TRUE(FetchUrl(server->url()).ok());
  for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"}) unsetenv(name);
}

TEST(Client, ReusesItsConnection) {
  const std::unique_ptr<Server> server = StartServer();
  Client client;
  const std::string first(client.Fetch(To(server->url()))->headers.Get("X-Peer"));
  EXPECT_EQ(client.idle_connections(), 1U);
  EXPECT_EQ(client.Fetch(To(server->url(), "POST", "a"))->headers.Get("X-Peer"), first);
  EXPECT_EQ(client.Fetch(To(server->url(), "HEAD"))->headers.Get("X-Peer"), first);
  EXPECT_EQ(server->counters().connections, 1U);
}

TEST(Client, DoesNotReuseWhatTheServerClosesOrPollutes) {
  const std::string ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n";
  for (const std::string& answer : {ok + "Connection: close\r\n\r\n", ok + "\r\nHTTP/1.1 200 OK\r\n",
                                    std::string("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n")}) {
    Scripted server({answer});
    Client client;
    EXPECT_TRUE(client.Fetch(To(server.url())).ok()) << answer;
    EXPECT_EQ(client.idle_connections(), 0U) << answer;
  }
}

TEST(Client, NoticesAClosedIdleConnection) {
  Scripted server({"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n2"});
  Client client;
  EXPECT_EQ(client.Fetch(To(server.url()))->body, "1");
  // The peer closed right after its answer; whether that is seen before or after sending, a GET is repeated.
  EXPECT_EQ(client.Fetch(To(server.url()))->body, "2");
  EXPECT_EQ(server.Heads().size(), 2U);
}

// Serves one answer, reads one more head on the same connection and hangs up; then answers on a second connection.
std::string FetchTwiceAcrossAHangUp(const std::string& method) {
  RawListener listener;
  std::jthread server([&listener] {
    {
      RawSocket socket = listener.Accept();
      socket.ReadUntil("\r\n\r\n");
      socket.Send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1");
      socket.ReadUntil("\r\n\r\n");
    }
    RawSocket socket = listener.Accept();
    socket.ReadUntil("\r\n\r\n");
    socket.Send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n2");
  });
  const std::string url = fmt::format("http://127.0.0.1:{}/", listener.port());
  Client client;
  EXPECT_EQ(client.Fetch(To(url))->body, "1");
  const base::StatusOr<Response> second = client.Fetch(To(url, method));
  if (second.ok()) return second->body;
  EXPECT_EQ(second.status().code(), StatusCode::kUnavailable) << second.status();
  EXPECT_EQ(client.Fetch(To(url))->body, "2");
  return "refused";
}

TEST(Client, RepeatsOnlyWhatMayBeRepeated) {
  EXPECT_EQ(FetchTwiceAcrossAHangUp("GET"), "2");
  EXPECT_EQ(FetchTwiceAcrossAHangUp("PUT"), "2");
  EXPECT_EQ(FetchTwiceAcrossAHangUp("POST"), "refused");
  EXPECT_EQ(FetchTwiceAcrossAHangUp("PATCH"), "refused");
}

TEST(Client, RepeatsOnlyOnce) {
  RawListener listener;
  std::jthread server([&listener] {
    {
      RawSocket socket = listener.Accept();
      socket.ReadUntil("\r\n\r\n");
      socket.Send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1");
      socket.ReadUntil("\r\n\r\n");
    }
    RawSocket socket = listener.Accept();
    socket.ReadUntil("\r\n\r\n");
  });
  const std::string url = fmt::format("http://127.0.0.1:{}/", listener.port());
  Client client;
  EXPECT_TRUE(client.Fetch(To(url)).ok());
  EXPECT_EQ(client.Fetch(To(url)).status().code(), StatusCode::kUnavailable);
}

TEST(ClientLimits, KeepAtMostSoManyConnections) {
  std::vector<std::unique_ptr<Server>> servers;
  Client client;
  for (size_t i = 0; i <= kMaxIdleConnections; ++i) {
    servers.push_back(StartServer({.limits = {.workers = 0}}));
    EXPECT_TRUE(client.Fetch(To(servers.back()->url())).ok());
    EXPECT_EQ(client.idle_connections(), std::min(i + 1, kMaxIdleConnections));
  }
}

TEST(Client, MayBeMoved) {
  const std::unique_ptr<Server> server = StartServer();
  Client first;
  EXPECT_TRUE(first.Fetch(To(server->url())).ok());
  Client second = std::move(first);
  EXPECT_TRUE(second.Fetch(To(server->url())).ok());
  EXPECT_EQ(server->counters().connections, 1U);
}

class TlsTest : public testing::Test {
 protected:
  TlsTest() : folder_(*os::TemporaryDirectory::Create()) {
    base::StatusOr<TestCertificates> made =
        MakeTestCertificates(folder_.path(), "DNS:localhost,DNS:*.wild.example,IP:127.0.0.1");
    EXPECT_TRUE(made.ok()) << made.status();
    certificates_ = *made;
    trusting_.tls.ca_path = certificates_.ca_path;
    server_ = StartServer({.tls = ServerTls{certificates_.certificate_path, certificates_.key_path}});
  }
  std::string Url(std::string_view host) const { return fmt::format("https://{}:{}/", host, server_->port()); }

  os::TemporaryDirectory folder_;
  TestCertificates certificates_;
  ClientOptions trusting_;
  std::unique_ptr<Server> server_;
};

TEST_F(TlsTest, FetchesFromANameAndAnAddress) {
  for (const char* host : {"localhost", "127.0.0.1"}) {
    const base::StatusOr<Response> response = FetchUrl(Url(host), trusting_);
    ASSERT_TRUE(response.ok()) << response.status();
    EXPECT_EQ(response->body, "GET / ");
  }
  EXPECT_EQ(server_->url().substr(0, 8), "https://");
}

TEST_F(TlsTest, RefusesAnUnknownAuthority) {
  const base::Status status = FetchUrl(Url("localhost")).status();
  EXPECT_EQ(status.code(), StatusCode::kUnauthenticated) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("name the trusted roots"));
  EXPECT_TRUE(FetchUrl(Url("localhost"), {.tls = {.verify_certificate = false}}).ok());
}

TEST_F(TlsTest, RefusesAWrongHostName) {
  const base::StatusOr<TestCertificates> other = MakeTestCertificates(folder_.path(), "DNS:other.example,IP:127.0.0.2");
  ASSERT_TRUE(other.ok());
  const std::unique_ptr<Server> server = StartServer({.tls = ServerTls{other->certificate_path, other->key_path}});
  for (const char* host : {"localhost", "127.0.0.1"}) {
    const base::Status status = FetchUrl(fmt::format("https://{}:{}/", host, server->port()), trusting_).status();
    EXPECT_EQ(status.code(), StatusCode::kUnauthenticated) << host << ": " << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("mismatch")) << host;
  }
}

TEST_F(TlsTest, ReusesItsConnection) {
  Client client(trusting_);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(client.Fetch(To(Url("localhost"))).ok());
  EXPECT_EQ(server_->counters().connections, 1U);
}

TEST_F(TlsTest, SaysWhenOneSideDoesNotSpeakTls) {
  const std::unique_ptr<Server> plain = StartServer();
  const std::string url = fmt::format("https://127.0.0.1:{}/", plain->port());
  EXPECT_THAT(std::string(FetchUrl(url, trusting_).status().message()), HasSubstr("is the port a TLS port?"));
  EXPECT_FALSE(FetchUrl(fmt::format("http://127.0.0.1:{}/", server_->port())).ok());
}

TEST_F(TlsTest, SendsALargeBodyBothWays) {
  const std::string body(size_t{3} << 20U, 'x');
  const base::StatusOr<Response> response = Fetch(To(Url("localhost"), "PUT", body), trusting_);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->body, "PUT / " + body);
}

TEST_F(TlsTest, StopsWithOpenConnectionsAndRefusesSilently) {
  Client client(trusting_);
  EXPECT_TRUE(client.Fetch(To(Url("localhost"))).ok());
  RawSocket silent(server_->port());
  server_->Stop();
  EXPECT_EQ(silent.ReadAll(), "");
  EXPECT_EQ(client.Fetch(To(Url("localhost"))).status().code(), StatusCode::kUnavailable);
}

TEST_F(TlsTest, ReadsARefusalOverTls) {
  const std::unique_ptr<Server> small = StartServer(
      {.limits = {.body_bytes = 4}, .tls = ServerTls{certificates_.certificate_path, certificates_.key_path}});
  const base::StatusOr<Response> response = Fetch(
      To(fmt::format("https://localhost:{}/", small->port()), "PUT", std::string(size_t{2} << 20U, 'x')), trusting_);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->status, 413);
}

}  // namespace
}  // namespace ashlar::net
