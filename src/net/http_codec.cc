#include "net/http_codec.h"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "net/http_syntax.h"

namespace ashlar::net {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// "HTTP/1.0" or "HTTP/1.1".
CodecError ParseVersion(std::string_view text, int& minor_version) {
  constexpr std::string_view kName = "HTTP/";
  if (text.size() != kName.size() + 3 || !text.starts_with(kName) || !IsDigit(text[5]) || text[6] != '.' ||
      !IsDigit(text[7])) {
    return {400, "the HTTP version is malformed"};
  }
  if (text[5] != '1' || text[7] > '1') return {505, "only HTTP/1.0 and HTTP/1.1 are spoken here"};
  minor_version = text[7] - '0';
  return {};
}

// The authority of a target in absolute form; nullopt when the target has another form.
std::optional<std::string_view> AbsoluteAuthority(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (target.size() < scheme.size() || !EqualsIgnoringCase(target.substr(0, scheme.size()), scheme)) continue;
    const std::string_view rest = target.substr(scheme.size());
    return rest.substr(0, rest.find_first_of("/?"));
  }
  return std::nullopt;
}

CodecError CheckTarget(std::string_view method, std::string_view target) {
  if (!IsTargetText(target)) return {400, "the request target is empty or holds a character that it may not hold"};
  if (method == "CONNECT") return {501, "CONNECT is not offered here"};
  if (target.front() == '/' || (target == "*" && method == "OPTIONS")) return {};
  if (AbsoluteAuthority(target).has_value()) return {};
  return {400, "the request target is neither a path nor a http URL"};
}

}  // namespace

size_t MessageParser::Feed(std::string_view bytes) {
  size_t used = 0;
  while (used < bytes.size() && phase_ != Phase::kComplete && phase_ != Phase::kFailed) {
    started_ = true;
    if (phase_ != Phase::kBody) {
      used += FeedLine(bytes.substr(used));
      continue;
    }
    used += body_reader_.Feed(bytes.substr(used), body(), trailers());
    if (!body_reader_.error().ok()) {
      Fail(body_reader_.error());
    } else if (body_reader_.complete()) {
      EndMessage();
    }
  }
  return used;
}

size_t MessageParser::FeedLine(std::string_view bytes) {
  const LineAssembler::Step step = lines_.Next(bytes);
  switch (step.result) {
    case LineAssembler::Result::kMore: break;
    case LineAssembler::Result::kLine: OnLine(step.line); break;
    case LineAssembler::Result::kBadEnd: Fail({400, "a line of the head ends with a line feed alone"}); break;
    case LineAssembler::Result::kTooLong:
      Fail({431, fmt::format("the head is longer than {} bytes", limits_.head_bytes)});
      break;
  }
  return step.consumed;
}

void MessageParser::OnLine(std::string_view line) {
  if (phase_ == Phase::kStartLine) {
    // RFC 9112 section 2.2: one empty line that an old client sent after its last body is let pass.
    if (line.empty() && !blank_line_skipped_) {
      blank_line_skipped_ = true;
      return;
    }
    CodecError error = OnStartLine(line);
    phase_ = Phase::kHeaders;
    if (!error.ok()) Fail(std::move(error));
    return;
  }
  if (line.empty()) {
    EndHead();
    return;
  }
  CodecError error = ParseHeaderLine(line, headers());
  if (error.ok() && headers().size() > kMaxHeaderCount) {
    error = {431, fmt::format("more than {} header lines", kMaxHeaderCount)};
  }
  if (!error.ok()) Fail(std::move(error));
}

void MessageParser::EndHead() {
  Framing framing;
  CodecError error = OnHeadEnd(framing);
  if (error.ok()) error = body_reader_.Start(framing, limits_.body_bytes);
  if (!error.ok()) {
    Fail(std::move(error));
    return;
  }
  phase_ = Phase::kBody;
  if (body_reader_.complete()) EndMessage();
}

void MessageParser::EndMessage() {
  if (StartsOver()) {
    phase_ = Phase::kStartLine;
    blank_line_skipped_ = true;
    lines_.Reset();
    return;
  }
  phase_ = Phase::kComplete;
}

void MessageParser::Fail(CodecError error) {
  error_ = std::move(error);
  phase_ = Phase::kFailed;
  keep_alive_ = false;
}

void MessageParser::ResetBase() {
  phase_ = Phase::kStartLine;
  started_ = false;
  keep_alive_ = false;
  blank_line_skipped_ = false;
  lines_.Reset();
  error_ = {};
}

CodecError RequestParser::OnStartLine(std::string_view line) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return {400, "the request line is not METHOD TARGET VERSION"};
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  if (!IsToken(method)) return {400, "the method is no token"};
  if (method.size() > kMaxMethodBytes) return {501, "the method is longer than any known one"};
  CodecError error = ParseVersion(line.substr(last + 1), request_.minor_version);
  if (!error.ok()) return error;
  if (target.size() > kMaxTargetBytes) return {414, fmt::format("the target is longer than {} bytes", kMaxTargetBytes)};
  error = CheckTarget(method, target);
  if (!error.ok()) return error;
  request_.method = method;
  request_.target = target;
  return {};
}

CodecError RequestParser::CheckHost() const {
  const size_t hosts = request_.headers.Count("Host");
  if (hosts > 1) return {400, "more than one Host header"};
  if (hosts == 0) {
    if (request_.minor_version >= 1) return {400, "no Host header"};
    return {};
  }
  const std::string_view host = request_.headers.Get("Host");
  if (!IsAuthority(host)) return {400, "the Host header is no host"};
  const std::optional<std::string_view> authority = AbsoluteAuthority(request_.target);
  // RFC 9112 section 3.2.2 lets the target win; a request that names two hosts is refused instead.
  if (authority.has_value() && !EqualsIgnoringCase(*authority, host)) {
    return {400, "the target and the Host header name different hosts"};
  }
  return {};
}

CodecError RequestParser::OnHeadEnd(Framing& framing) {
  CodecError error = CheckHost();
  if (error.ok()) error = DecideFraming(request_.headers, request_.minor_version, framing);
  if (!error.ok()) return error;
  const std::string* expectation = request_.headers.Find("Expect");
  if (expectation != nullptr && request_.minor_version >= 1) {
    if (request_.headers.Count("Expect") > 1 || !EqualsIgnoringCase(*expectation, "100-continue")) {
      return {417, "the only expectation met here is 100-continue"};
    }
    expects_continue_ = framing.kind == BodyKind::kChunked || framing.length > 0;
  }
  keep_alive_ = KeepsAlive(request_.headers, request_.minor_version);
  return {};
}

Request RequestParser::Take() {
  Request request = std::exchange(request_, Request{});
  expects_continue_ = false;
  ResetBase();
  return request;
}

CodecError ResponseParser::OnStartLine(std::string_view line) {
  constexpr size_t kVersionBytes = 8;
  constexpr size_t kReasonAt = 13;
  if (line.size() < kReasonAt || line[kVersionBytes] != ' ' || line[kReasonAt - 1] != ' ' || !IsDigit(line[9]) ||
      !IsDigit(line[10]) || !IsDigit(line[11])) {
    return {400, "the status line is malformed"};
  }
  CodecError error = ParseVersion(line.substr(0, kVersionBytes), response_.minor_version);
  if (!error.ok()) return error;
  const std::string_view reason = line.substr(kReasonAt);
  if (!IsFieldValue(reason)) return {400, "the reason phrase holds a control character"};
  response_.status = (line[9] - '0') * 100 + (line[10] - '0') * 10 + (line[11] - '0');
  response_.reason = reason;
  if (response_.status < 100 || response_.status > 599) return {400, "the status is none between 100 and 599"};
  return {};
}

CodecError ResponseParser::OnHeadEnd(Framing& framing) {
  CodecError error = DecideFraming(response_.headers, response_.minor_version, framing);
  if (!error.ok()) return error;
  const int status = response_.status;
  const bool interim = status < 200;
  if (status == 101) return {400, "a switch of protocols that was not asked for"};
  if (interim && ++interim_responses_ > kMaxInterimResponses) return {400, "too many interim responses"};
  if ((interim || status == 204) && (framing.kind == BodyKind::kChunked || framing.length > 0)) {
    return {400, fmt::format("a body is announced in a {} response, which has none", status)};
  }
  if (interim || status == 204 || status == 304 || to_head_) {
    framing = Framing{};
  } else if (framing.kind == BodyKind::kNone) {
    framing.kind = BodyKind::kUntilClose;
  }
  keep_alive_ = framing.kind != BodyKind::kUntilClose && KeepsAlive(response_.headers, response_.minor_version);
  return {};
}

bool ResponseParser::StartsOver() {
  if (response_.status >= 200) return false;
  response_ = Response{};
  return true;
}

void ResponseParser::FinishAtEnd() {
  if (phase_ == Phase::kBody && body_reader_.FinishAtEnd()) {
    phase_ = Phase::kComplete;
    return;
  }
  if (phase_ != Phase::kComplete && phase_ != Phase::kFailed) {
    Fail({400, "the connection ended before the message did"});
  }
}

Response ResponseParser::Take() {
  Response response = std::exchange(response_, Response{});
  interim_responses_ = 0;
  ResetBase();
  return response;
}

}  // namespace ashlar::net
