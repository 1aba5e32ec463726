#include "net/http_message.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/base.h"
#include "net/http_syntax.h"

namespace ashlar::net {
namespace {

struct StatusName {
  int status;
  std::string_view phrase;
};

// RFC 9110 section 15, RFC 6585.
constexpr std::array kStatusNames = std::to_array<StatusName>({
    {100, "Continue"},
    {101, "Switching Protocols"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {203, "Non-Authoritative Information"},
    {204, "No Content"},
    {205, "Reset Content"},
    {206, "Partial Content"},
    {300, "Multiple Choices"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {402, "Payment Required"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {416, "Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {426, "Upgrade Required"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
});

}  // namespace

void Headers::Set(std::string_view name, std::string_view value) {
  const auto first = std::find_if(fields_.begin(), fields_.end(),
                                  [name](const Header& field) { return EqualsIgnoringCase(field.name, name); });
  if (first == fields_.end()) {
    Add(name, value);
    return;
  }
  first->value = std::string(value);
  fields_.erase(std::remove_if(first + 1, fields_.end(),
                               [name](const Header& field) { return EqualsIgnoringCase(field.name, name); }),
                fields_.end());
}

void Headers::Remove(std::string_view name) {
  std::erase_if(fields_, [name](const Header& field) { return EqualsIgnoringCase(field.name, name); });
}

const std::string* Headers::Find(std::string_view name) const {
  for (const Header& field : fields_) {
    if (EqualsIgnoringCase(field.name, name)) return &field.value;
  }
  return nullptr;
}

std::string_view Headers::Get(std::string_view name) const {
  const std::string* value = Find(name);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

size_t Headers::Count(std::string_view name) const {
  return static_cast<size_t>(std::count_if(
      fields_.begin(), fields_.end(), [name](const Header& field) { return EqualsIgnoringCase(field.name, name); }));
}

bool Headers::HasToken(std::string_view name, std::string_view token) const {
  for (const Header& field : fields_) {
    if (!EqualsIgnoringCase(field.name, name)) continue;
    for (const std::string_view element : base::Split(field.value, ',')) {
      if (EqualsIgnoringCase(TrimBlanks(element), token)) return true;
    }
  }
  return false;
}

std::string_view ReasonPhrase(int status) {
  const auto* const found = std::find_if(kStatusNames.begin(), kStatusNames.end(),
                                         [status](const StatusName& row) { return row.status == status; });
  return found == kStatusNames.end() ? std::string_view() : found->phrase;
}

bool IsIdempotent(std::string_view method) {
  constexpr std::array<std::string_view, 6> kMethods = {"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"};
  return std::find(kMethods.begin(), kMethods.end(), method) != kMethods.end();
}

Response MakeResponse(int status, std::string_view content_type, std::string body) {
  Response response;
  response.status = status;
  response.headers.Add("Content-Type", content_type);
  response.body = std::move(body);
  return response;
}

Response ErrorResponse(int status, std::string_view message) {
  return MakeResponse(status, "text/plain; charset=utf-8",
                      fmt::format("{} {}: {}\n", status, ReasonPhrase(status), message));
}

}  // namespace ashlar::net
