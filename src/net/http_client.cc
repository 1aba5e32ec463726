#include "net/http_client.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "net/event_loop.h"
#include "net/http_codec.h"
#include "net/http_syntax.h"
#include "net/http_writer.h"
#include "net/resolver.h"
#include "net/target.h"

namespace ashlar::net {
namespace {

// Where an answer from another thread lands, even when nobody waits for it any more.
struct Lookup {
  base::Mutex mutex;
  EventLoop* loop ABSL_GUARDED_BY(mutex) = nullptr;  // nullptr once the caller gave up
  std::optional<base::StatusOr<std::vector<std::string>>> answer ABSL_GUARDED_BY(mutex);
};

struct IdleConnection {
  std::string key;
  StreamPointer stream;
  absl::Duration since;  // monotonic
};

std::string ConnectionKey(const Url& url) {
  return fmt::format("{}|{}|{}", url.tls ? "tls" : "tcp", url.host, url.port);
}

base::Status ToStatus(const CodecError& error) {
  const bool too_large = error.status == 413 || error.status == 431;
  return base::Error(too_large ? base::StatusCode::kResourceExhausted : base::StatusCode::kDataLoss,
                     "the answer is refused: {}", error.message);
}

// What the wire gets: the path as target, Host first, no other hop's business.
Request ForWire(const Request& request, const Url& url) {
  Request wire = request;
  wire.target = url.target;
  wire.minor_version = 1;
  wire.headers.clear();
  wire.headers.Add("Host", url.authority);
  for (const Header& field : request.headers) {
    if (!EqualsIgnoringCase(field.name, "Host")) wire.headers.Add(field.name, field.value);
  }
  return wire;
}

}  // namespace

class Client::Impl {
 public:
  explicit Impl(const ClientOptions& options) : options_(options) {}

  base::StatusOr<Response> Fetch(const Request& request);
  size_t idle_connections() const { return idle_.size(); }

 private:
  // One try on one connection.
  struct Exchange {
    std::string bytes;
    std::string_view method;
    StreamPointer stream;
    bool reused = false;
    bool answered = false;  // a byte of the answer came
    bool reusable = false;
  };

  base::StatusOr<Response> FetchWithin(const Request& request, const Url& url);
  base::StatusOr<Response> Try(Exchange& exchange);
  base::StatusOr<Response> ReadResponse(Exchange& exchange);
  base::StatusOr<StreamPointer> Connect(const Url& url);
  base::StatusOr<StreamPointer> ConnectTo(const Url& url, const std::string& address, absl::Duration due);
  base::StatusOr<std::vector<std::string>> Resolve(const std::string& host, absl::Duration due);
  StreamPointer TakeIdle(const std::string& key);
  void Keep(const std::string& key, StreamPointer stream);
  base::Status PrepareTls();
  absl::Duration Left(absl::Duration due) const { return due - base::SystemClock().Monotonic(); }

  ClientOptions options_;
  EventLoop loop_;
  std::optional<TlsContext> tls_;
  std::deque<IdleConnection> idle_;  // the oldest first; gone before the loop
  absl::Duration due_;               // monotonic, of the fetch under way
};

base::StatusOr<Response> Client::Impl::Fetch(const Request& request) {
  ASHLAR_ASSIGN_OR_RETURN(const Url url, ParseUrl(request.target));
  due_ = base::SystemClock().Monotonic() + std::clamp(options_.deadline, absl::ZeroDuration(), absl::Hours(24));
  base::StatusOr<Response> response = FetchWithin(request, url);
  if (response.ok()) return response;
  return base::Annotate(response.status(), fmt::format("{} {}", request.method, request.target));
}

base::StatusOr<Response> Client::Impl::FetchWithin(const Request& request, const Url& url) {
  Exchange exchange;
  ASHLAR_ASSIGN_OR_RETURN(exchange.bytes, WriteRequest(ForWire(request, url)));
  exchange.method = request.method;
  if (url.tls) ASHLAR_RETURN_IF_ERROR(PrepareTls());
  const std::string key = ConnectionKey(url);
  exchange.stream = TakeIdle(key);
  exchange.reused = exchange.stream != nullptr;
  if (!exchange.reused) {
    ASHLAR_ASSIGN_OR_RETURN(exchange.stream, Connect(url));
  }
  base::StatusOr<Response> response = Try(exchange);
  const bool stale = !response.ok() && exchange.reused && !exchange.answered &&
                     response.status().code() == base::StatusCode::kUnavailable;
  if (stale && IsIdempotent(request.method)) {
    exchange.stream->Close();
    exchange.reused = false;
    ASHLAR_ASSIGN_OR_RETURN(exchange.stream, Connect(url));
    response = Try(exchange);
  }
  if (response.ok() && exchange.reusable) {
    Keep(key, std::move(exchange.stream));
  } else {
    exchange.stream->Close();
  }
  return response;
}

base::StatusOr<Response> Client::Impl::Try(Exchange& exchange) {
  std::optional<base::Status> written;
  exchange.stream->Write(exchange.bytes, Left(due_), [&written](base::Status status) { written = std::move(status); });
  // The stream's own deadline ends the wait; the loop's is a second line.
  if (!loop_.RunUntil([&written] { return written.has_value(); }, Left(due_) + kConnectDeadline)) {
    exchange.stream->Close();
    loop_.RunUntil([&written] { return written.has_value(); }, kConnectDeadline);
    return base::Error(base::StatusCode::kDeadlineExceeded, "the request could not be sent in time");
  }
  if (!written->ok() && written->code() != base::StatusCode::kUnavailable) return *written;
  // A server that refuses early closes while the request is being sent: its answer may be there.
  base::StatusOr<Response> response = ReadResponse(exchange);
  if (!response.ok() && !written->ok()) return *written;
  return response;
}

base::StatusOr<Response> Client::Impl::ReadResponse(Exchange& exchange) {
  ResponseParser parser(exchange.method, {.head_bytes = options_.head_bytes, .body_bytes = options_.body_bytes});
  std::array<char, kReadBufferBytes> buffer;
  for (;;) {
    std::optional<base::StatusOr<size_t>> count;
    exchange.stream->ReadSome(buffer, Left(due_), [&count](base::StatusOr<size_t> done) { count = std::move(done); });
    if (!loop_.RunUntil([&count] { return count.has_value(); }, Left(due_) + kConnectDeadline)) {
      exchange.stream->Close();
      loop_.RunUntil([&count] { return count.has_value(); }, kConnectDeadline);
      return base::Error(base::StatusCode::kDeadlineExceeded, "the answer did not come in time");
    }
    if (!count->ok()) return count->status();
    if (**count == 0) {
      if (!parser.started()) {
        return base::Error(base::StatusCode::kUnavailable, "the server closed the connection without an answer");
      }
      parser.FinishAtEnd();
    }
    exchange.answered = exchange.answered || **count > 0;
    const size_t used = parser.Feed(std::string_view(buffer.data(), **count));
    if (parser.phase() == MessageParser::Phase::kFailed) return ToStatus(parser.error());
    if (parser.phase() != MessageParser::Phase::kComplete) continue;
    // Bytes after the answer belong to no request of ours: nothing on this connection can be trusted after them.
    exchange.reusable = parser.keep_alive() && used == **count;
    return parser.Take();
  }
}

base::StatusOr<StreamPointer> Client::Impl::Connect(const Url& url) {
  const absl::Duration due = std::min(due_, base::SystemClock().Monotonic() + options_.connect_deadline);
  ASHLAR_ASSIGN_OR_RETURN(const std::vector<std::string> addresses, Resolve(url.host, due));
  base::StatusOr<StreamPointer> stream = base::Error(base::StatusCode::kUnavailable, "no address");
  for (const std::string& address : addresses) {
    stream = ConnectTo(url, address, due);
    if (stream.ok() || stream.status().code() != base::StatusCode::kUnavailable) return stream;
  }
  return stream;
}

base::StatusOr<StreamPointer> Client::Impl::ConnectTo(const Url& url, const std::string& address, absl::Duration due) {
  const ConnectOptions options{.endpoint = {address, url.port},
                               .tls = url.tls ? &*tls_ : nullptr,
                               .host = url.host,
                               .timeout = std::max(absl::ZeroDuration(), Left(due))};
  // shared_ptr: a late answer finds it after this call.
  auto connected = std::make_shared<std::optional<base::StatusOr<StreamPointer>>>();
  loop_.Connect(options, [connected](base::StatusOr<StreamPointer> done) { *connected = std::move(done); });
  if (!loop_.RunUntil([&connected] { return connected->has_value(); }, Left(due) + kConnectDeadline)) {
    return base::Error(base::StatusCode::kDeadlineExceeded, "cannot connect to {} in time", url.authority);
  }
  return **std::move(connected);
}

base::StatusOr<std::vector<std::string>> Client::Impl::Resolve(const std::string& host, absl::Duration due) {
  if (IsNumericAddress(host)) return std::vector<std::string>{host};
  auto lookup = std::make_shared<Lookup>();  // shared_ptr: the lookup's thread may outlive this call
  {
    const base::MutexLock lock(lookup->mutex);
    lookup->loop = &loop_;
  }
  ASHLAR_RETURN_IF_ERROR(ResolveInBackground(host, [lookup](base::StatusOr<std::vector<std::string>> addresses) {
    const base::MutexLock lock(lookup->mutex);
    lookup->answer = std::move(addresses);
    if (lookup->loop != nullptr) lookup->loop->Post([] {});  // wakes the loop
  }));
  const auto answered = [&lookup] {
    const base::MutexLock lock(lookup->mutex);
    return lookup->answer.has_value();
  };
  loop_.RunUntil(answered, std::max(absl::ZeroDuration(), Left(due)));
  const base::MutexLock lock(lookup->mutex);
  lookup->loop = nullptr;
  if (lookup->answer.has_value()) return *std::move(lookup->answer);
  return base::Error(base::StatusCode::kDeadlineExceeded, "the name {} was not looked up in time: check the DNS", host);
}

StreamPointer Client::Impl::TakeIdle(const std::string& key) {
  const absl::Duration oldest = base::SystemClock().Monotonic() - kMaxIdleAge;
  std::erase_if(idle_, [oldest](const IdleConnection& connection) {
    const bool usable = connection.since >= oldest && connection.stream->IsQuiet();
    if (!usable) connection.stream->Close();
    return !usable;
  });
  const auto found = std::find_if(idle_.rbegin(), idle_.rend(),
                                  [&key](const IdleConnection& connection) { return connection.key == key; });
  if (found == idle_.rend()) return nullptr;
  StreamPointer stream = std::move(found->stream);
  idle_.erase(std::next(found).base());
  return stream;
}

void Client::Impl::Keep(const std::string& key, StreamPointer stream) {
  idle_.push_back({key, std::move(stream), base::SystemClock().Monotonic()});
  if (idle_.size() <= kMaxIdleConnections) return;
  idle_.front().stream->Close();
  idle_.pop_front();
}

base::Status Client::Impl::PrepareTls() {
  if (tls_.has_value()) return base::OkStatus();
  ASHLAR_ASSIGN_OR_RETURN(tls_, TlsContext::ForClient(options_.tls));
  return base::OkStatus();
}

Client::Client(const ClientOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Client::~Client() = default;
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;

base::StatusOr<Response> Client::Fetch(const Request& request) { return impl_->Fetch(request); }

size_t Client::idle_connections() const { return impl_->idle_connections(); }

base::StatusOr<Response> Fetch(const Request& request, const ClientOptions& options) {
  Client client(options);
  return client.Fetch(request);
}

base::StatusOr<Response> FetchUrl(std::string_view url, const ClientOptions& options) {
  Request request;
  request.target = url;
  return Fetch(request, options);
}

}  // namespace ashlar::net
