#include "net/event_loop.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include <openssl/ssl.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <set>
#include <utility>

#include "net/limits.h"

namespace ashlar::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using ErrorCode = boost::system::error_code;
using SteadyTime = std::chrono::steady_clock::time_point;
using TlsSocket = asio::ssl::stream<tcp::socket>;

constexpr std::chrono::milliseconds kCancelRepeat{5};

std::chrono::steady_clock::duration ToSteady(absl::Duration duration) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(absl::ToChronoNanoseconds(duration));
}

std::string FormatEndpoint(const tcp::endpoint& endpoint) {
  const bool bracketed = endpoint.address().is_v6();
  return fmt::format("{}{}{}:{}", bracketed ? "[" : "", endpoint.address().to_string(), bracketed ? "]" : "",
                     endpoint.port());
}

// Cancels a socket's operation when its time is over. Re-arming a timer for each read costs more than the read: the
// timer is left to fire and then looks whether the deadline has moved.
class Watch {
 public:
  explicit Watch(tcp::socket& socket) : socket_(socket), timer_(socket.get_executor()) {}

  // `owner` keeps this object alive while the timer's callback runs, and no longer.
  void Begin(absl::Duration timeout, const std::weak_ptr<void>& owner) {
    timed_out_ = false;
    active_ = true;
    due_ = std::chrono::steady_clock::now() + ToSteady(std::min(timeout, absl::Hours(24)));
    if (!armed_ || due_ < armed_for_) Arm(due_, owner);
  }
  // Ends the operation; whether it was this watch that cancelled it.
  bool End() {
    active_ = false;
    return std::exchange(timed_out_, false);
  }

 private:
  void Arm(SteadyTime when, const std::weak_ptr<void>& owner) {
    armed_ = true;
    armed_for_ = when;
    timer_.expires_at(when);
    timer_.async_wait([this, owner](const ErrorCode& error) {
      const std::shared_ptr<void> alive = owner.lock();  // shared_ptr: what a weak_ptr gives
      if (error || alive == nullptr) return;
      armed_ = false;
      if (!active_) return;
      const SteadyTime now = std::chrono::steady_clock::now();
      if (now < due_) {
        Arm(due_, owner);
        return;
      }
      timed_out_ = true;
      ErrorCode ignored;
      socket_.cancel(ignored);
      // A write of many steps, or TLS, may be between two steps with nothing to cancel, and go on: again until it ends.
      Arm(now + kCancelRepeat, owner);
    });
  }

  tcp::socket& socket_;
  asio::steady_timer timer_;
  SteadyTime due_;
  SteadyTime armed_for_;
  bool armed_ = false;
  bool active_ = false;
  bool timed_out_ = false;
};

tcp::socket& Lowest(tcp::socket& socket) { return socket; }
tcp::socket& Lowest(TlsSocket& socket) { return socket.next_layer(); }

template <typename Done>
void ShutDown(tcp::socket& socket, Done done) {
  ErrorCode ignored;
  socket.shutdown(tcp::socket::shutdown_send, ignored);
  asio::post(socket.get_executor(), std::move(done));
}
template <typename Done>
void ShutDown(TlsSocket& socket, Done done) {
  socket.async_shutdown(
      [&socket, done = std::move(done)](const ErrorCode&) mutable { ShutDown(socket.next_layer(), std::move(done)); });
}

base::Status OperationError(const ErrorCode& error, bool timed_out, std::string_view peer) {
  if (timed_out) return base::Error(base::StatusCode::kDeadlineExceeded, "{} did not answer in time", peer);
  if (error == asio::error::operation_aborted || error == asio::error::bad_descriptor) {
    return base::Error(base::StatusCode::kCancelled, "the connection to {} was closed on this side", peer);
  }
  if (error == asio::ssl::error::stream_truncated) {
    return base::Error(base::StatusCode::kDataLoss, "{} ended the connection without the TLS close notice", peer);
  }
  return base::Error(base::StatusCode::kUnavailable, "the connection to {} broke: {}", peer, error.message());
}

template <typename Socket>
class SocketStream : public Stream, public std::enable_shared_from_this<SocketStream<Socket>> {
 public:
  template <typename... Args>
  explicit SocketStream(tcp::socket socket, Args&... context)
      : socket_(std::move(socket), context...), watch_(Lowest(socket_)) {
    ErrorCode error;
    Lowest(socket_).set_option(tcp::no_delay(true), error);
    const tcp::endpoint remote = Lowest(socket_).remote_endpoint(error);
    peer_ = error ? "a peer that is gone" : FormatEndpoint(remote);
  }

  Socket& socket() { return socket_; }
  Watch& watch() { return watch_; }

  void ReadSome(std::span<char> buffer, absl::Duration timeout, ReadDone done) override {
    watch_.Begin(timeout, this->weak_from_this());
    socket_.async_read_some(
        asio::buffer(buffer.data(), buffer.size()),
        [self = this->shared_from_this(), done = std::move(done)](const ErrorCode& error, size_t count) {
          const bool timed_out = self->watch_.End();
          if (!error) {
            done(count);
          } else if (error == asio::error::eof) {
            done(size_t{0});
          } else {
            done(OperationError(error, timed_out, self->peer_));
          }
        });
  }

  void Write(std::string_view bytes, absl::Duration timeout, WriteDone done) override {
    watch_.Begin(timeout, this->weak_from_this());
    asio::async_write(socket_, asio::buffer(bytes.data(), bytes.size()),
                      [self = this->shared_from_this(), done = std::move(done)](const ErrorCode& error, size_t) {
                        const bool timed_out = self->watch_.End();
                        done(error ? OperationError(error, timed_out, self->peer_) : base::OkStatus());
                      });
  }

  void Close() override {
    ErrorCode ignored;
    Lowest(socket_).close(ignored);
  }

  void CloseGently(std::function<void()> done) override {
    watch_.Begin(kLingerDeadline, this->weak_from_this());
    ShutDown(socket_, [self = this->shared_from_this(), done = std::move(done)]() mutable {
      if (self->watch_.End()) {
        self->EndGently(done);
      } else {
        self->discard_until_ = std::chrono::steady_clock::now() + ToSteady(kLingerDeadline);
        self->Discard(std::move(done));
      }
    });
  }

  bool IsQuiet() override {
    char byte = 0;
    const ssize_t count = recv(Lowest(socket_).native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }

  const std::string& peer() const override { return peer_; }

 private:
  // Reads below TLS: what still comes is dropped, not understood.
  void Discard(std::function<void()> done) {
    const auto left = discard_until_ - std::chrono::steady_clock::now();
    watch_.Begin(absl::FromChrono(left), this->weak_from_this());
    Lowest(socket_).async_read_some(asio::buffer(discarded_), [self = this->shared_from_this(), done = std::move(done)](
                                                                  const ErrorCode& error, size_t count) mutable {
      const bool timed_out = self->watch_.End();
      self->discarded_bytes_ += count;
      if (error || timed_out || self->discarded_bytes_ > kMaxLingerBytes) {
        self->EndGently(done);
      } else {
        self->Discard(std::move(done));
      }
    });
  }
  void EndGently(const std::function<void()>& done) {
    Close();
    done();
  }

  Socket socket_;
  Watch watch_;
  std::string peer_;
  SteadyTime discard_until_;
  size_t discarded_bytes_ = 0;
  std::array<char, 4096> discarded_{};
};

using PlainStream = SocketStream<tcp::socket>;
using TlsStream = SocketStream<TlsSocket>;

// Asio's context wraps the native one for the length of this call; the stream keeps only OpenSSL's session.
std::shared_ptr<TlsStream> MakeTlsStream(tcp::socket socket, const TlsContext& tls) {
  SSL_CTX_up_ref(tls.native());
  asio::ssl::context borrowed(tls.native());
  return std::make_shared<TlsStream>(std::move(socket), borrowed);
}

// shared_ptr: an accept or a handshake under way outlives the listener that started it.
class Acceptor : public std::enable_shared_from_this<Acceptor> {
 public:
  Acceptor(asio::io_context& context, ListenOptions options)
      : options_(std::move(options)), acceptor_(context), pause_(context) {}

  base::Status Open() {
    const Endpoint& wanted = options_.endpoint;
    ErrorCode error;
    const asio::ip::address address = asio::ip::make_address(wanted.address, error);
    if (error) {
      return base::Error(base::StatusCode::kInvalidArgument,
                         "cannot listen on '{}': give a numeric address, as 127.0.0.1", wanted.address);
    }
    const tcp::endpoint endpoint(address, wanted.port);
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(kListenBacklog, error);
    if (error) return OpenError(error, FormatEndpoint(endpoint));
    port_ = acceptor_.local_endpoint(error).port();
    Accept();
    return base::OkStatus();
  }

  void Close() {
    closed_ = true;
    ErrorCode ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    for (const StreamPointer& stream : unfinished_) stream->Close();
    unfinished_.clear();
  }

  uint16_t port() const { return port_; }

 private:
  static base::Status OpenError(const ErrorCode& error, std::string_view where) {
    if (error == asio::error::address_in_use) {
      return base::Error(base::StatusCode::kAlreadyExists,
                         "{} is taken by another program: stop that one, or choose another port", where);
    }
    if (error == asio::error::access_denied) {
      return base::Error(base::StatusCode::kPermissionDenied,
                         "not allowed to listen on {}: choose a port from 1024 up, or run with the right to", where);
    }
    if (error == boost::system::errc::address_not_available) {
      return base::Error(base::StatusCode::kInvalidArgument,
                         "cannot listen on {}: this machine does not have that address", where);
    }
    return base::Error(base::StatusCode::kUnavailable, "cannot listen on {}: {}", where, error.message());
  }

  void Accept() {
    acceptor_.async_accept([self = shared_from_this()](const ErrorCode& error, tcp::socket socket) {
      if (self->closed_) return;
      if (!error) {
        self->OnSocket(std::move(socket));
        self->Accept();
        return;
      }
      // Out of descriptors or memory: accepting again at once would spin.
      self->pause_.expires_after(ToSteady(kAcceptPause));
      self->pause_.async_wait([self](const ErrorCode&) {
        if (!self->closed_) self->Accept();
      });
    });
  }

  void OnSocket(tcp::socket socket) {
    if (!options_.admits()) {
      if (options_.tls == nullptr) Refuse(std::make_shared<PlainStream>(std::move(socket)));
      return;
    }
    if (options_.tls == nullptr) {
      options_.on_accept(std::make_shared<PlainStream>(std::move(socket)));
      return;
    }
    const std::shared_ptr<TlsStream> stream = MakeTlsStream(std::move(socket), *options_.tls);
    unfinished_.insert(stream);
    stream->watch().Begin(options_.handshake_deadline, stream);
    stream->socket().async_handshake(asio::ssl::stream_base::server,
                                     [self = shared_from_this(), stream](const ErrorCode& error) {
                                       const bool timed_out = stream->watch().End();
                                       if (self->closed_) return;
                                       self->unfinished_.erase(stream);
                                       self->options_.on_accept(error || timed_out ? nullptr : stream);
                                     });
  }

  void Refuse(const std::shared_ptr<PlainStream>& stream) {
    if (refusals_ >= kMaxPoliteRefusals || options_.refusal.empty()) return;
    ++refusals_;
    unfinished_.insert(stream);
    stream->Write(options_.refusal, kLingerDeadline, [self = shared_from_this(), stream](const base::Status&) {
      stream->CloseGently([self, stream] {
        --self->refusals_;
        self->unfinished_.erase(stream);
      });
    });
  }

  ListenOptions options_;
  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  uint16_t port_ = 0;
  bool closed_ = false;
  size_t refusals_ = 0;
  std::set<StreamPointer> unfinished_;  // shaking hands or being refused: nobody else knows them yet
};

class SocketListener : public Listener {
 public:
  explicit SocketListener(std::shared_ptr<Acceptor> acceptor) : acceptor_(std::move(acceptor)) {}
  ~SocketListener() override { acceptor_->Close(); }
  uint16_t port() const override { return acceptor_->port(); }

 private:
  std::shared_ptr<Acceptor> acceptor_;  // shared_ptr: see Acceptor
};

void Handshake(const std::shared_ptr<TlsStream>& stream, const ConnectOptions& options,
               const EventLoop::Connected& done) {
  SSL* session = stream->socket().native_handle();
  const base::Status prepared = SetExpectedHost(session, options.host);
  if (!prepared.ok()) {
    done(prepared);
    return;
  }
  stream->watch().Begin(options.timeout, stream);
  stream->socket().async_handshake(asio::ssl::stream_base::client, [stream, done](const ErrorCode& error) {
    const bool timed_out = stream->watch().End();
    if (!error) {
      done(StreamPointer(stream));
    } else if (timed_out) {
      done(OperationError(error, true, stream->peer()));
    } else {
      done(HandshakeError(stream->socket().native_handle(), error.message()));
    }
  });
}

// A socket on its way to being connected, with its deadline.
struct Attempt {
  explicit Attempt(asio::io_context& context) : socket(context), watch(socket) {}
  tcp::socket socket;
  Watch watch;
};

}  // namespace

class EventLoop::Impl {
 public:
  asio::io_context context{1};
  // Keeps Run() from returning while there is nothing to do.
  asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
};

EventLoop::EventLoop() : impl_(std::make_unique<Impl>()) {}
EventLoop::~EventLoop() = default;

base::StatusOr<std::unique_ptr<Listener>> EventLoop::Listen(const ListenOptions& options) {
  auto acceptor = std::make_shared<Acceptor>(impl_->context, options);  // shared_ptr: see Acceptor
  ASHLAR_RETURN_IF_ERROR(acceptor->Open());
  return std::make_unique<SocketListener>(std::move(acceptor));
}

void EventLoop::Connect(const ConnectOptions& options, Connected done) {
  ErrorCode error;
  const asio::ip::address address = asio::ip::make_address(options.endpoint.address, error);
  if (error) {
    Post([done = std::move(done), where = options.endpoint.address] {
      done(base::Error(base::StatusCode::kInvalidArgument, "'{}' is no numeric address", where));
    });
    return;
  }
  const tcp::endpoint endpoint(address, options.endpoint.port);
  auto attempt = std::make_shared<Attempt>(impl_->context);  // shared_ptr: lives until its callback
  const SteadyTime due = std::chrono::steady_clock::now() + ToSteady(options.timeout);
  attempt->watch.Begin(options.timeout, attempt);
  attempt->socket.async_connect(
      endpoint, [attempt, options, endpoint, due, done = std::move(done)](const ErrorCode& failure) {
        const bool timed_out = attempt->watch.End();
        if (failure && (timed_out || failure == asio::error::operation_aborted)) {
          done(OperationError(failure, timed_out, FormatEndpoint(endpoint)));
        } else if (failure) {
          done(base::Error(base::StatusCode::kUnavailable, "cannot connect to {} ({}): is the server running there?",
                           FormatEndpoint(endpoint), failure.message()));
        } else if (options.tls == nullptr) {
          done(StreamPointer(std::make_shared<PlainStream>(std::move(attempt->socket))));
        } else {
          ConnectOptions rest = options;
          rest.timeout = absl::FromChrono(due - std::chrono::steady_clock::now());
          Handshake(MakeTlsStream(std::move(attempt->socket), *options.tls), rest, done);
        }
      });
}

void EventLoop::Post(std::function<void()> work) { asio::post(impl_->context, std::move(work)); }

void EventLoop::Run() { impl_->context.run(); }

bool EventLoop::RunUntil(const std::function<bool()>& done, absl::Duration timeout) {
  const SteadyTime due = std::chrono::steady_clock::now() + ToSteady(timeout);
  while (!done()) {
    if (impl_->context.run_one_until(due) == 0 && !done()) return false;
  }
  return true;
}

void EventLoop::Stop() { impl_->context.stop(); }

}  // namespace ashlar::net
