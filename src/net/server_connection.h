// One connection of the server: reads requests, has them answered, writes the answers, one after the other.
//
// A state machine on the loop's thread over a Stream; it knows neither sockets nor threads. Owned by its host and by
// the operation under way.
#pragma once

#include <absl/time/time.h>

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "base/base.h"
#include "net/http_codec.h"
#include "net/http_server.h"
#include "net/stream.h"

namespace ashlar::net {

class ServerConnection;

// What the connection needs of the server. All calls on the loop's thread.
class ConnectionHost {
 public:
  virtual ~ConnectionHost() = default;
  // Has the request answered: `done` is called later on the loop's thread, exactly once. False, and `done` never
  // called, when there is no room for it.
  virtual bool Dispatch(Request request, std::function<void(Response)> done) = 0;
  // The Date header (RFC 9110 section 5.6.7).
  virtual std::string Date() = 0;
  virtual void OnRefusedRequest() = 0;
  virtual void OnTimeout() = 0;
  // The last call: the connection is closed.
  virtual void OnClosed(ServerConnection& connection) = 0;
};

struct ConnectionSettings {
  ServerDeadlines deadlines;
  CodecLimits limits;
  const base::Clock* clock = &base::SystemClock();
};

class ServerConnection : public std::enable_shared_from_this<ServerConnection> {
 public:
  // `host` and `settings` outlive the connection.
  ServerConnection(std::shared_ptr<Stream> stream, ConnectionHost& host, const ConnectionSettings& settings);

  // Begins to read.
  void Start();
  // A request that has begun gets its answer, then the connection closes; without one it closes now.
  void Drain();
  // Closes now.
  void Abort();

 private:
  enum class State { kReading, kAnswering, kWriting, kClosing, kClosed };

  void Read();
  absl::Duration ReadTimeout() const;
  void OnRead(const base::StatusOr<size_t>& count);
  void OnReadFailure(const base::Status& status);
  void Consume();
  void Answer();
  void SendContinue();
  void Respond(const Response& response, bool close);
  void Refuse(int status, std::string_view message);
  void OnWritten(const base::Status& status);
  void BeginRequest(absl::Duration deadline);
  void CloseGently();
  void CloseNow();

  std::shared_ptr<Stream> stream_;  // shared_ptr: operations under way keep it alive
  ConnectionHost& host_;
  const ConnectionSettings& settings_;
  RequestParser parser_;
  State state_ = State::kReading;
  bool draining_ = false;
  bool close_after_write_ = false;
  bool continue_sent_ = false;
  bool to_head_ = false;
  int minor_version_ = 1;
  bool keep_alive_ = false;
  MessageParser::Phase phase_ = MessageParser::Phase::kStartLine;  // whose deadline runs
  absl::Duration due_;        // monotonic time at which the part being read must be there
  std::string_view pending_;  // bytes in the buffer that were not parsed yet
  std::string output_;        // being written
  std::array<char, kReadBufferBytes> buffer_;
};

}  // namespace ashlar::net
