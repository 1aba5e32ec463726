#include "net/http_server.h"

#include <atomic>
#include <map>
#include <thread>
#include <utility>

#include "net/event_loop.h"
#include "net/http_writer.h"
#include "net/server_connection.h"
#include "net/worker_pool.h"

namespace ashlar::net {
namespace {

base::Status CheckOptions(const ServerOptions& options) {
  const ServerLimits& limits = options.limits;
  if (limits.workers > kMaxWorkers) {
    return base::Error(base::StatusCode::kInvalidArgument, "{} workers are too many: at most {}", limits.workers,
                       kMaxWorkers);
  }
  if (limits.connections == 0 || limits.head_bytes == 0) {
    return base::Error(base::StatusCode::kInvalidArgument, "a server needs room for a connection and a head: raise 0");
  }
  const ServerDeadlines& deadlines = options.deadlines;
  for (const absl::Duration deadline :
       {deadlines.header_read, deadlines.body_read, deadlines.write, deadlines.idle, options.stop_grace}) {
    if (deadline < absl::ZeroDuration() || deadline > absl::Hours(24)) {
      return base::Error(base::StatusCode::kInvalidArgument, "a deadline must be between 0 and 24 hours");
    }
  }
  return base::OkStatus();
}

Response CallHandler(const Handler& handler, const Request& request) {
  try {
    return handler(request);
  } catch (...) {
    return ErrorResponse(500, "the request could not be answered");
  }
}

}  // namespace

class Server::Impl : public ConnectionHost {
 public:
  Impl(const ServerOptions& options, Handler handler)
      : options_(options),
        handler_(std::move(handler)),
        settings_{.deadlines = options.deadlines,
                  .limits = {.head_bytes = options.limits.head_bytes, .body_bytes = options.limits.body_bytes}} {}

  base::Status Start();
  void Stop();
  uint16_t port() const { return port_; }
  bool tls() const { return options_.tls.has_value(); }
  const std::string& address() const { return options_.address; }
  ServerCounters counters() const;

  bool Dispatch(Request request, std::function<void(Response)> done) override;
  std::string Date() override;
  void OnRefusedRequest() override { refused_requests_.fetch_add(1, std::memory_order_relaxed); }
  void OnTimeout() override { timeouts_.fetch_add(1, std::memory_order_relaxed); }
  void OnClosed(ServerConnection& connection) override;

 private:
  bool Admits();
  void OnAccept(StreamPointer stream);
  void BeginStop();
  void AbortAll();
  bool WaitUntilDrained(absl::Duration timeout);
  void NoteIfDrained();

  const ServerOptions options_;
  const Handler handler_;
  const ConnectionSettings settings_;
  std::optional<TlsContext> tls_context_;
  uint16_t port_ = 0;

  // Of the loop's thread.
  std::unique_ptr<Listener> listener_;
  std::map<ServerConnection*, std::shared_ptr<ServerConnection>> connections_;  // shared_ptr: see ServerConnection
  size_t handshakes_ = 0;
  bool stopping_ = false;
  absl::Time date_time_ = absl::InfinitePast();
  std::string date_;

  std::atomic<uint64_t> accepted_{0};
  std::atomic<uint64_t> refused_connections_{0};
  std::atomic<uint64_t> requests_{0};
  std::atomic<uint64_t> refused_requests_{0};
  std::atomic<uint64_t> timeouts_{0};
  std::atomic<size_t> open_{0};

  base::Mutex mutex_;
  base::CondVar changed_;
  bool drained_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;

  // Destroyed first, in this order: the thread of the loop, the workers, the loop.
  EventLoop loop_;
  std::unique_ptr<WorkerPool> workers_;
  std::jthread thread_;
};

base::Status Server::Impl::Start() {
  ASHLAR_RETURN_IF_ERROR(CheckOptions(options_));
  if (options_.tls.has_value()) {
    ASHLAR_ASSIGN_OR_RETURN(tls_context_, TlsContext::ForServer(*options_.tls));
  }
  ListenOptions listen{.endpoint = {options_.address, options_.port},
                       .tls = tls_context_.has_value() ? &*tls_context_ : nullptr,
                       .handshake_deadline = options_.deadlines.header_read,
                       .admits = [this] { return Admits(); },
                       .refusal = "",
                       .on_accept = [this](StreamPointer stream) { OnAccept(std::move(stream)); }};
  Response busy = ErrorResponse(503, "the server has too many connections: try again in a moment");
  busy.headers.Add("Retry-After", "1");
  ASHLAR_ASSIGN_OR_RETURN(listen.refusal, WriteResponse(busy, {.close = true}));
  ASHLAR_ASSIGN_OR_RETURN(listener_, loop_.Listen(listen));
  port_ = listener_->port();
  if (options_.limits.workers > 0) {
    workers_ = std::make_unique<WorkerPool>(options_.limits.workers, options_.limits.queued_requests);
  }
  thread_ = std::jthread([this] { loop_.Run(); });
  return base::OkStatus();
}

bool Server::Impl::Admits() {
  if (connections_.size() + handshakes_ >= options_.limits.connections) {
    refused_connections_.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  if (options_.tls.has_value()) ++handshakes_;
  accepted_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

void Server::Impl::OnAccept(StreamPointer stream) {
  if (options_.tls.has_value()) --handshakes_;
  if (stream == nullptr) return;
  auto connection = std::make_shared<ServerConnection>(std::move(stream), *this, settings_);
  connections_.emplace(connection.get(), connection);
  open_.store(connections_.size(), std::memory_order_relaxed);
  connection->Start();
}

void Server::Impl::OnClosed(ServerConnection& connection) {
  connections_.erase(&connection);
  open_.store(connections_.size(), std::memory_order_relaxed);
  NoteIfDrained();
}

bool Server::Impl::Dispatch(Request request, std::function<void(Response)> done) {
  if (workers_ == nullptr) {
    requests_.fetch_add(1, std::memory_order_relaxed);
    // Posted, so that the connection has left its own call before it is called.
    loop_.Post([done = std::move(done), response = CallHandler(handler_, request)] { done(response); });
    return true;
  }
  // shared_ptr: std::function must be copyable.
  auto shared = std::make_shared<Request>(std::move(request));
  const bool taken = workers_->TrySubmit([this, shared, done = std::move(done)]() mutable {
    auto response = std::make_shared<Response>(CallHandler(handler_, *shared));
    loop_.Post([done = std::move(done), response] { done(std::move(*response)); });
  });
  if (taken) requests_.fetch_add(1, std::memory_order_relaxed);
  return taken;
}

std::string Server::Impl::Date() {
  const absl::Time now = settings_.clock->Now();
  if (now < date_time_ || now >= date_time_ + absl::Seconds(1)) {
    date_time_ = absl::FromUnixSeconds(absl::ToUnixSeconds(now));
    date_ = absl::FormatTime("%a, %d %b %Y %H:%M:%S GMT", now, absl::UTCTimeZone());
  }
  return date_;
}

ServerCounters Server::Impl::counters() const {
  return {.connections = accepted_.load(std::memory_order_relaxed),
          .refused_connections = refused_connections_.load(std::memory_order_relaxed),
          .requests = requests_.load(std::memory_order_relaxed),
          .refused_requests = refused_requests_.load(std::memory_order_relaxed),
          .timeouts = timeouts_.load(std::memory_order_relaxed),
          .open_connections = open_.load(std::memory_order_relaxed)};
}

void Server::Impl::BeginStop() {
  stopping_ = true;
  listener_.reset();
  // Draining may close a connection and take it out of the map.
  const auto open = connections_;
  for (const auto& [key, connection] : open) connection->Drain();
  NoteIfDrained();
}

void Server::Impl::AbortAll() {
  const auto open = connections_;
  for (const auto& [key, connection] : open) connection->Abort();
}

void Server::Impl::NoteIfDrained() {
  if (!stopping_ || !connections_.empty()) return;
  const base::MutexLock lock(mutex_);
  drained_ = true;
  changed_.SignalAll();
}

bool Server::Impl::WaitUntilDrained(absl::Duration timeout) {
  const absl::Duration due = base::SystemClock().Monotonic() + timeout;
  const base::MutexLock lock(mutex_);
  while (!drained_) {
    const absl::Duration left = due - base::SystemClock().Monotonic();
    if (left <= absl::ZeroDuration()) return false;
    changed_.WaitFor(mutex_, left);
  }
  return true;
}

void Server::Impl::Stop() {
  {
    const base::MutexLock lock(mutex_);
    if (std::exchange(stopped_, true)) return;
  }
  if (!thread_.joinable()) return;
  loop_.Post([this] { BeginStop(); });
  if (!WaitUntilDrained(options_.stop_grace)) {
    loop_.Post([this] { AbortAll(); });
    // Only a handler that runs on the loop's thread can delay this.
    while (!WaitUntilDrained(kStopGrace)) {
    }
  }
  // Without connections nothing is dispatched any more. Workers first: what they post still finds the loop.
  workers_.reset();
  loop_.Post([this] { loop_.Stop(); });
  thread_.join();
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() { Stop(); }

base::StatusOr<std::unique_ptr<Server>> Server::Start(const ServerOptions& options, Handler handler) {
  auto impl = std::make_unique<Impl>(options, std::move(handler));
  ASHLAR_RETURN_IF_ERROR(impl->Start());
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

uint16_t Server::port() const { return impl_->port(); }

std::string Server::url() const {
  const bool bracketed = impl_->address().find(':') != std::string::npos;
  return fmt::format("{}://{}{}{}:{}", impl_->tls() ? "https" : "http", bracketed ? "[" : "", impl_->address(),
                     bracketed ? "]" : "", impl_->port());
}

ServerCounters Server::counters() const { return impl_->counters(); }

void Server::Stop() { impl_->Stop(); }

}  // namespace ashlar::net
