#include "net/server_connection.h"

#include <algorithm>
#include <utility>

#include "net/http_writer.h"

namespace ashlar::net {

using Phase = MessageParser::Phase;

ServerConnection::ServerConnection(std::shared_ptr<Stream> stream, ConnectionHost& host,
                                   const ConnectionSettings& settings)
    : stream_(std::move(stream)), host_(host), settings_(settings), parser_(settings.limits) {}

void ServerConnection::Start() {
  // Who connects has something to say: the first request has the header's deadline, not the idle one.
  BeginRequest(std::min(settings_.deadlines.header_read, settings_.deadlines.idle));
  Read();
}

void ServerConnection::BeginRequest(absl::Duration deadline) {
  state_ = State::kReading;
  phase_ = Phase::kStartLine;
  continue_sent_ = false;
  due_ = settings_.clock->Monotonic() + deadline;
}

void ServerConnection::Drain() {
  draining_ = true;
  if (state_ == State::kReading && !parser_.started()) CloseNow();
}

void ServerConnection::Abort() { CloseNow(); }

absl::Duration ServerConnection::ReadTimeout() const {
  return std::max(absl::ZeroDuration(), due_ - settings_.clock->Monotonic());
}

void ServerConnection::Read() {
  stream_->ReadSome(buffer_, ReadTimeout(),
                    [self = shared_from_this()](const base::StatusOr<size_t>& count) { self->OnRead(count); });
}

void ServerConnection::OnRead(const base::StatusOr<size_t>& count) {
  if (state_ != State::kReading) return;
  if (!count.ok()) {
    OnReadFailure(count.status());
    return;
  }
  if (*count == 0) {
    if (parser_.started()) {
      Refuse(400, "the connection ended before the request did");
    } else {
      CloseNow();
    }
    return;
  }
  pending_ = std::string_view(buffer_.data(), *count);
  Consume();
}

void ServerConnection::OnReadFailure(const base::Status& status) {
  if (status.code() != base::StatusCode::kDeadlineExceeded) {
    CloseNow();
    return;
  }
  host_.OnTimeout();
  if (!parser_.started()) {
    CloseNow();
    return;
  }
  Refuse(408, parser_.phase() == Phase::kBody ? "the body did not come in time" : "the head did not come in time");
}

void ServerConnection::Consume() {
  if (!parser_.started() && !pending_.empty()) {
    // The clock of the head starts with its first byte and is not wound up again by the next ones.
    due_ = settings_.clock->Monotonic() + settings_.deadlines.header_read;
  }
  pending_.remove_prefix(parser_.Feed(pending_));
  switch (parser_.phase()) {
    case Phase::kFailed: Refuse(parser_.error().status, parser_.error().message); return;
    case Phase::kComplete: Answer(); return;
    case Phase::kBody:
      if (phase_ != Phase::kBody) {
        phase_ = Phase::kBody;
        due_ = settings_.clock->Monotonic() + settings_.deadlines.body_read;
      }
      if (parser_.expects_continue() && !continue_sent_) {
        SendContinue();
        return;
      }
      break;
    default: break;
  }
  Read();
}

void ServerConnection::SendContinue() {
  continue_sent_ = true;
  output_ = "HTTP/1.1 100 Continue\r\n\r\n";
  stream_->Write(output_, settings_.deadlines.write, [self = shared_from_this()](const base::Status& status) {
    if (self->state_ != State::kReading) return;
    if (status.ok()) {
      self->Read();
    } else {
      self->CloseNow();
    }
  });
}

void ServerConnection::Answer() {
  state_ = State::kAnswering;
  keep_alive_ = parser_.keep_alive();
  Request request = parser_.Take();
  to_head_ = request.method == "HEAD";
  minor_version_ = request.minor_version;
  request.peer = stream_->peer();
  const bool taken = host_.Dispatch(std::move(request), [self = shared_from_this()](const Response& response) {
    if (self->state_ == State::kAnswering) self->Respond(response, !self->keep_alive_);
  });
  if (!taken) {
    host_.OnRefusedRequest();
    Response busy = ErrorResponse(503, "every worker is busy: try again in a moment");
    busy.headers.Add("Retry-After", "1");
    Respond(busy, !keep_alive_);
  }
}

void ServerConnection::Refuse(int status, std::string_view message) {
  host_.OnRefusedRequest();
  to_head_ = false;
  minor_version_ = 1;
  Respond(ErrorResponse(status, message), true);
}

void ServerConnection::Respond(const Response& response, bool close) {
  state_ = State::kWriting;
  close_after_write_ = close || draining_ || response.headers.HasToken("Connection", "close");
  const std::string date = host_.Date();
  const WriteResponseOptions options{
      .to_head = to_head_, .close = close_after_write_, .minor_version = minor_version_, .date = date};
  base::StatusOr<std::string> bytes = WriteResponse(response, options);
  if (!bytes.ok()) {
    // The handler made something that must not leave: its fault, said without its content.
    bytes = WriteResponse(ErrorResponse(500, base::Message(bytes.status())), options);
  }
  output_ = bytes.ok() ? *std::move(bytes) : std::string("HTTP/1.1 500 \r\nContent-Length: 0\r\n\r\n");
  stream_->Write(output_, settings_.deadlines.write,
                 [self = shared_from_this()](const base::Status& status) { self->OnWritten(status); });
}

void ServerConnection::OnWritten(const base::Status& status) {
  if (state_ != State::kWriting) return;
  if (!status.ok()) {
    if (status.code() == base::StatusCode::kDeadlineExceeded) host_.OnTimeout();
    CloseNow();
    return;
  }
  if (close_after_write_ || draining_) {
    CloseGently();
    return;
  }
  output_.clear();
  BeginRequest(settings_.deadlines.idle);
  if (pending_.empty()) {
    Read();
  } else {
    Consume();
  }
}

void ServerConnection::CloseGently() {
  state_ = State::kClosing;
  stream_->CloseGently([self = shared_from_this()] { self->CloseNow(); });
}

void ServerConnection::CloseNow() {
  if (std::exchange(state_, State::kClosed) == State::kClosed) return;
  stream_->Close();
  host_.OnClosed(*this);
}

}  // namespace ashlar::net
