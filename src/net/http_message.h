// HTTP messages as plain values: headers with their order and duplicates kept, requests and responses.
//
// A message owns its bytes; it is for one thread at a time. Names of headers compare without regard to case (RFC 9110
// section 5.1). Nothing here validates: the codec does, when it reads and when it writes.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ashlar::net {

struct Header {
  std::string name;
  std::string value;
  friend bool operator==(const Header&, const Header&) = default;
};

class Headers {
 public:
  Headers() = default;
  Headers(std::initializer_list<Header> fields) : fields_(fields) {}

  // Appends a field; equal names stay side by side.
  void Add(std::string_view name, std::string_view value) {
    fields_.push_back({std::string(name), std::string(value)});
  }
  // Replaces every field of that name by one.
  void Set(std::string_view name, std::string_view value);
  void Remove(std::string_view name);
  // The value of the first field of that name; nullptr when there is none. Valid until the next change.
  const std::string* Find(std::string_view name) const;
  // The value of the first field of that name, "" when there is none.
  std::string_view Get(std::string_view name) const;
  size_t Count(std::string_view name) const;
  // True when a comma-separated list in any field of that name holds `token`, whatever its case.
  bool HasToken(std::string_view name, std::string_view token) const;

  bool empty() const { return fields_.empty(); }
  size_t size() const { return fields_.size(); }
  void clear() { fields_.clear(); }
  std::vector<Header>::const_iterator begin() const { return fields_.begin(); }
  std::vector<Header>::const_iterator end() const { return fields_.end(); }
  // Same fields in the same order, byte for byte.
  friend bool operator==(const Headers&, const Headers&) = default;

 private:
  std::vector<Header> fields_;
};

// In a server: what the peer sent. For a client: what to send, with the whole URL as target.
struct Request {
  std::string method = "GET";
  std::string target = "/";  // as on the wire; ParseTarget() takes it apart
  int minor_version = 1;     // of HTTP/1.x
  Headers headers;
  std::string body;  // without its framing
  Headers trailers;  // after a chunked body; never merged into the headers
  std::string peer;  // server: "address:port" of the other side
};

struct Response {
  int status = 200;
  std::string reason;  // "" is written as the registered phrase
  int minor_version = 1;
  Headers headers;
  std::string body;
  Headers trailers;
};

// "Not Found" for 404; "" for a status that is not registered (RFC 9110 section 15).
std::string_view ReasonPhrase(int status);

// True for GET, HEAD, OPTIONS, TRACE, PUT and DELETE: sending it twice is as good as once (RFC 9110 section 9.2.2).
bool IsIdempotent(std::string_view method);

// A response with a body of that media type.
Response MakeResponse(int status, std::string_view content_type, std::string body);

// A refusal for people: "404 Not Found: MESSAGE\n" as text/plain.
Response ErrorResponse(int status, std::string_view message);

}  // namespace ashlar::net
