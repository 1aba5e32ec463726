#include "net/http_writer.h"

#include <fmt/format.h>

#include <iterator>

#include "net/http_syntax.h"
#include "net/limits.h"

namespace ashlar::net {
namespace {

bool FramesBody(std::string_view name) {
  return EqualsIgnoringCase(name, "Content-Length") || EqualsIgnoringCase(name, "Transfer-Encoding");
}

void AppendField(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

base::Status AppendFields(std::string& out, const Headers& headers) {
  for (const Header& field : headers) {
    if (!IsToken(field.name)) {
      return base::Error(base::StatusCode::kInvalidArgument,
                         "the header name '{}' cannot be sent: use letters, digits and '-'",
                         fmt::join(base::Split(field.name, '\n'), " "));
    }
    // Blanks at the ends would be lost on the way; a line end would start a header of the value's choosing.
    if (!IsFieldValue(field.value) || TrimBlanks(field.value).size() != field.value.size()) {
      return base::Error(base::StatusCode::kInvalidArgument,
                         "the value of the header {} cannot be sent: remove control characters and blanks at its ends",
                         field.name);
    }
    if (!FramesBody(field.name)) AppendField(out, field.name, field.value);
  }
  return base::OkStatus();
}

// The framing header, the empty line and the body.
base::Status AppendBody(std::string& out, std::string_view body, const Headers& trailers, bool with_body) {
  if (trailers.empty()) {
    fmt::format_to(std::back_inserter(out), "Content-Length: {}\r\n\r\n", body.size());
    if (with_body) out.append(body);
    return base::OkStatus();
  }
  out.append("Transfer-Encoding: chunked\r\n\r\n");
  if (!with_body) return base::OkStatus();
  if (!body.empty()) {
    fmt::format_to(std::back_inserter(out), "{:x}\r\n", body.size());
    out.append(body).append("\r\n");
  }
  out.append("0\r\n");
  ASHLAR_RETURN_IF_ERROR(AppendFields(out, trailers));
  out.append("\r\n");
  return base::OkStatus();
}

size_t SizeHint(const Headers& headers, size_t body_bytes) {
  size_t bytes = 256 + body_bytes;
  for (const Header& field : headers) bytes += field.name.size() + field.value.size() + 4;
  return bytes;
}

bool HasNoBody(int status) { return status < 200 || status == 204 || status == 304; }

}  // namespace

base::StatusOr<std::string> WriteRequest(const Request& request) {
  if (!IsToken(request.method) || request.method.size() > kMaxMethodBytes) {
    return base::Error(base::StatusCode::kInvalidArgument, "the method cannot be sent: use one as GET or POST");
  }
  if (!IsTargetText(request.target)) {
    return base::Error(base::StatusCode::kInvalidArgument,
                       "the request target cannot be sent: percent-encode blanks and control characters");
  }
  std::string out;
  out.reserve(SizeHint(request.headers, request.body.size()));
  fmt::format_to(std::back_inserter(out), "{} {} HTTP/1.{}\r\n", request.method, request.target,
                 request.minor_version == 0 ? 0 : 1);
  ASHLAR_RETURN_IF_ERROR(AppendFields(out, request.headers));
  const bool usually_framed = request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
  if (request.body.empty() && request.trailers.empty() && !usually_framed) {
    out.append("\r\n");
    return out;
  }
  ASHLAR_RETURN_IF_ERROR(AppendBody(out, request.body, request.trailers, true));
  return out;
}

base::StatusOr<std::string> WriteResponse(const Response& response, const WriteResponseOptions& options) {
  const int status = response.status;
  if (status < 100 || status > 599) {
    return base::Error(base::StatusCode::kInvalidArgument, "{} is no HTTP status: use one from 100 to 599", status);
  }
  if (HasNoBody(status) && !(response.body.empty() && response.trailers.empty())) {
    return base::Error(base::StatusCode::kInvalidArgument, "a response with status {} has no body: remove it", status);
  }
  const std::string_view reason = response.reason.empty() ? ReasonPhrase(status) : std::string_view(response.reason);
  if (!IsFieldValue(reason)) {
    return base::Error(base::StatusCode::kInvalidArgument, "the reason phrase holds a control character: remove it");
  }
  std::string out;
  out.reserve(SizeHint(response.headers, response.body.size()));
  fmt::format_to(std::back_inserter(out), "HTTP/1.1 {} {}\r\n", status, reason);
  ASHLAR_RETURN_IF_ERROR(AppendFields(out, response.headers));
  if (!options.date.empty() && response.headers.Find("Date") == nullptr) AppendField(out, "Date", options.date);
  if (options.close) {
    if (!response.headers.HasToken("Connection", "close")) AppendField(out, "Connection", "close");
  } else if (options.minor_version == 0) {
    AppendField(out, "Connection", "keep-alive");
  }
  if (HasNoBody(status)) {
    out.append("\r\n");
    return out;
  }
  // HTTP/1.0 knows no chunks, and so no trailers.
  const Headers none;
  const Headers& trailers = options.minor_version == 0 ? none : response.trailers;
  ASHLAR_RETURN_IF_ERROR(AppendBody(out, response.body, trailers, !options.to_head));
  return out;
}

}  // namespace ashlar::net
