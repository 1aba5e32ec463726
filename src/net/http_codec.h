// Incremental, allocation-bounded parsers of HTTP/1.1 requests and responses (RFC 9112), strict on purpose: whatever
// two readers could frame differently is refused, so that nothing can be smuggled between them.
//
// Feed bytes as they come, in pieces of any size: the outcome does not depend on the cuts. A parser owns the message
// until it is taken; it is for one thread. No sockets here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/body_reader.h"
#include "net/http_framing.h"
#include "net/http_message.h"
#include "net/limits.h"
#include "net/line_assembler.h"

namespace ashlar::net {

struct CodecLimits {
  size_t head_bytes = kMaxHeadBytes;
  size_t body_bytes = kMaxRequestBodyBytes;
};

// What request and response have in common: a start line, headers, a body.
class MessageParser {
 public:
  enum class Phase { kStartLine, kHeaders, kBody, kComplete, kFailed };

  virtual ~MessageParser() = default;

  // Takes bytes up to the end of the message, and no byte of the next one. Returns how many were taken; after
  // kComplete and kFailed that is none.
  size_t Feed(std::string_view bytes);

  Phase phase() const { return phase_; }
  // True once a byte of the message was taken.
  bool started() const { return started_; }
  // After kFailed: why, and the status to answer with. The connection must be closed: where the next message starts is
  // unknown.
  const CodecError& error() const { return error_; }
  // After kComplete: whether the connection may carry another message. False after kFailed.
  bool keep_alive() const { return keep_alive_; }

 protected:
  explicit MessageParser(const CodecLimits& limits) : limits_(limits), lines_(limits.head_bytes) {}

  virtual CodecError OnStartLine(std::string_view line) = 0;
  // Called at the empty line; decides the framing.
  virtual CodecError OnHeadEnd(Framing& framing) = 0;
  // Called when the body is done; true starts over with the next head (after an interim response).
  virtual bool StartsOver() { return false; }
  virtual Headers& headers() = 0;
  virtual std::string& body() = 0;
  virtual Headers& trailers() = 0;

  void ResetBase();
  void Fail(CodecError error);

  CodecLimits limits_;
  Phase phase_ = Phase::kStartLine;
  bool started_ = false;
  bool keep_alive_ = false;
  BodyReader body_reader_;

 private:
  size_t FeedLine(std::string_view bytes);
  void OnLine(std::string_view line);
  void EndHead();
  void EndMessage();

  bool blank_line_skipped_ = false;
  LineAssembler lines_;
  CodecError error_;
};

class RequestParser : public MessageParser {
 public:
  explicit RequestParser(const CodecLimits& limits = {}) : MessageParser(limits) {}

  const Request& request() const { return request_; }
  // The complete message; the parser is ready for the next one.
  Request Take();
  // The peer waits for "100 Continue" before it sends the body. Known from the end of the head on.
  bool expects_continue() const { return expects_continue_; }

 private:
  CodecError OnStartLine(std::string_view line) override;
  CodecError OnHeadEnd(Framing& framing) override;
  CodecError CheckHost() const;
  Headers& headers() override { return request_.headers; }
  std::string& body() override { return request_.body; }
  Headers& trailers() override { return request_.trailers; }

  Request request_;
  bool expects_continue_ = false;
};

class ResponseParser : public MessageParser {
 public:
  // `request_method` decides whether there is a body: an answer to HEAD has none.
  ResponseParser(std::string_view request_method, const CodecLimits& limits)
      : MessageParser(limits), to_head_(request_method == "HEAD") {}

  const Response& response() const { return response_; }
  Response Take();
  // The peer closed the connection: the end of a body that nothing else ends, else a failure.
  void FinishAtEnd();

 private:
  CodecError OnStartLine(std::string_view line) override;
  CodecError OnHeadEnd(Framing& framing) override;
  bool StartsOver() override;
  Headers& headers() override { return response_.headers; }
  std::string& body() override { return response_.body; }
  Headers& trailers() override { return response_.trailers; }

  bool to_head_;
  int interim_responses_ = 0;
  Response response_;
};

}  // namespace ashlar::net
