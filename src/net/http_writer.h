// Messages as bytes for the wire. What could inject a header or a second message is refused, never escaped.
//
// Content-Length and Transfer-Encoding belong to the writer: those of the message are replaced by the ones that fit
// its body (Content-Length; chunked when there are trailers). Any thread may call these.
#pragma once

#include <string>
#include <string_view>

#include "base/base.h"
#include "net/http_message.h"

namespace ashlar::net {

// kInvalidArgument for a method or header name that is no token, a target or a value with a control character.
// A body is framed when there is one or the method usually has one (POST, PUT, PATCH).
base::StatusOr<std::string> WriteRequest(const Request& request);

struct WriteResponseOptions {
  bool to_head = false;   // the answer to HEAD: the head of the answer to GET, without the body
  bool close = false;     // say "Connection: close"
  int minor_version = 1;  // of the request; 0 gets "Connection: keep-alive" unless `close`
  std::string_view date;  // the Date header, unless the response has one; "" for none
};

// kInvalidArgument as above, for a status outside 100 to 599, and for a body where the status has none (1xx, 204, 304).
base::StatusOr<std::string> WriteResponse(const Response& response, const WriteResponseOptions& options = {});

}  // namespace ashlar::net
