// Requests per second of the parser beside copying the same bytes, and of the server beside a bare echo of the same
// bytes on loopback: the ceilings.
#include <benchmark/benchmark.h>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <thread>

#include "net/http_client.h"
#include "net/http_codec.h"
#include "net/http_server.h"
#include "net/http_writer.h"

namespace ashlar::net {
namespace {

constexpr int kRoundTrips = 20'000;

// A request as a browser sends it: 9 headers, 412 bytes.
std::string BrowserRequest() {
  return "GET /api/v1/scorecard?since=2026-01-02T03:04:05Z HTTP/1.1\r\n"
         "Host: 127.0.0.1:8080\r\n"
         "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 "
         "Safari/537.36\r\n"
         "Accept: application/json, text/plain, */*\r\n"
         "Accept-Language: en-GB,en;q=0.9\r\n"
         "Accept-Encoding: gzip, deflate\r\n"
         "Referer: http://127.0.0.1:8080/\r\n"
         "Cache-Control: no-cache\r\n"
         "Connection: keep-alive\r\n"
         "If-None-Match: \"5f2c-1a2b\"\r\n\r\n";
}

void CopyBytes(benchmark::State& state) {
  const std::string bytes = BrowserRequest();
  std::string copy(bytes.size(), '\0');
  for (auto _ : state) {
    std::memcpy(copy.data(), bytes.data(), bytes.size());
    benchmark::DoNotOptimize(copy.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes.size()));
}
BENCHMARK(CopyBytes);

void ParseRequest(benchmark::State& state) {
  const std::string bytes = BrowserRequest();
  RequestParser parser;
  for (auto _ : state) {
    parser.Feed(bytes);
    if (parser.phase() != MessageParser::Phase::kComplete) state.SkipWithError("not parsed");
    benchmark::DoNotOptimize(parser.Take());
  }
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes.size()));
}
BENCHMARK(ParseRequest);

void ParseBody(benchmark::State& state) {
  const std::string bytes = *WriteRequest({.method = "PUT",
                                           .headers = Headers({{"Host", "a"}}),
                                           .body = std::string(static_cast<size_t>(state.range(0)), 'x')});
  RequestParser parser;
  for (auto _ : state) {
    parser.Feed(bytes);
    benchmark::DoNotOptimize(parser.Take());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes.size()));
}
BENCHMARK(ParseBody)->Arg(1 << 10)->Arg(1 << 20);

void WriteAnswer(benchmark::State& state) {
  const Response response = MakeResponse(200, "application/json", std::string(1024, 'x'));
  for (auto _ : state) benchmark::DoNotOptimize(WriteResponse(response, {.date = "Fri, 02 Jan 2026 03:04:05 GMT"}));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(WriteAnswer);

// The ceiling of one connection: the same number of bytes there and back through a socket pair, no HTTP.
void BareRoundTrip(benchmark::State& state) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) {
    state.SkipWithError("no socket pair");
    return;
  }
  std::jthread echo([descriptor = ends[1]] {
    std::array<char, 4096> buffer{};
    ssize_t count = 0;
    while ((count = read(descriptor, buffer.data(), buffer.size())) > 0) {
      if (write(descriptor, buffer.data(), static_cast<size_t>(count)) != count) break;
    }
  });
  const std::string bytes = BrowserRequest();
  std::array<char, 4096> buffer{};
  for (auto _ : state) {
    if (write(ends[0], bytes.data(), bytes.size()) < 0) state.SkipWithError("write");
    size_t back = 0;
    while (back < bytes.size()) back += static_cast<size_t>(read(ends[0], buffer.data(), buffer.size()));
  }
  state.SetItemsProcessed(state.iterations());
  shutdown(ends[0], SHUT_RDWR);
  echo.join();
  close(ends[0]);
  close(ends[1]);
}
BENCHMARK(BareRoundTrip)->Iterations(kRoundTrips)->UseRealTime();

// One kept connection, one request after the other; the argument is the number of workers.
void ServeRequests(benchmark::State& state) {
  ServerOptions options;
  options.limits.workers = static_cast<size_t>(state.range(0));
  base::StatusOr<std::unique_ptr<Server>> server = Server::Start(
      options, [](const Request&) { return MakeResponse(200, "application/json", std::string(256, 'x')); });
  if (!server.ok()) {
    state.SkipWithError("no server");
    return;
  }
  Client client;
  Request request;
  request.target = (*server)->url() + "/api/v1/scorecard";
  for (auto _ : state) {
    if (!client.Fetch(request).ok()) state.SkipWithError("no answer");
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(ServeRequests)->Arg(0)->Arg(2)->Iterations(kRoundTrips)->UseRealTime();

// Connects to a server on loopback; -1 when that fails.
int ConnectTo(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) return descriptor;
  close(descriptor);
  return -1;
}

// What a request costs the server when wake-ups are shared: 64 requests are sent at once, 64 answers are read.
void ServePipelined(benchmark::State& state) {
  constexpr size_t kBatch = 64;
  base::StatusOr<std::unique_ptr<Server>> server =
      Server::Start({.limits = {.workers = 0}}, [](const Request&) { return MakeResponse(200, "text/plain", "ok"); });
  const int descriptor = server.ok() ? ConnectTo((*server)->port()) : -1;
  if (descriptor < 0) {
    state.SkipWithError("no server");
    return;
  }
  std::string batch;
  for (size_t i = 0; i < kBatch; ++i) batch += BrowserRequest();
  std::array<char, 65536> buffer{};
  for (auto _ : state) {
    if (write(descriptor, batch.data(), batch.size()) < 0) state.SkipWithError("write");
    size_t answers = 0;
    while (answers < kBatch) {
      const ssize_t count = read(descriptor, buffer.data(), buffer.size());
      if (count <= 0) {
        state.SkipWithError("read");
        break;
      }
      // Every answer ends with "ok", and 'k' stands nowhere else in one.
      answers += static_cast<size_t>(std::count(buffer.begin(), buffer.begin() + count, 'k'));
    }
  }
  close(descriptor);
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kBatch));
}
BENCHMARK(ServePipelined)->Iterations(500)->UseRealTime();

}  // namespace
}  // namespace ashlar::net
