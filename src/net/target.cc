#include "net/target.h"

#include <boost/url/parse.hpp>
#include <boost/url/parse_query.hpp>
#include <boost/url/url_view.hpp>

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "net/http_syntax.h"

namespace ashlar::net {
namespace {

namespace urls = boost::urls;

// Boost has views of its own.
template <typename Text>
std::string_view View(const Text& text) {
  return {text.data(), text.size()};
}

base::Status BadTarget(std::string_view why) {
  return base::Error(base::StatusCode::kInvalidArgument, "the request target {}", why);
}

// Steps above the root in a decoded path ("/a/../../b", also written "%2e%2e").
bool HasParentStep(std::string_view path) {
  for (const std::string_view segment : base::Split(path, '/')) {
    if (segment == "..") return true;
  }
  return false;
}

// Decodes %XX, and '+' as a blank when `plus_is_blank`; nullopt when the encoding is malformed.
std::optional<std::string> Decode(std::string_view text, bool plus_is_blank) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_blank) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      const base::StatusOr<std::string> byte = base::HexDecode(text.substr(i + 1, 2));
      if (!byte.ok() || byte->size() != 1) return std::nullopt;
      out += *byte;
      i += 2;
    }
  }
  return out;
}

}  // namespace

std::string_view Target::Query(std::string_view key) const {
  for (const auto& [name, value] : query) {
    if (name == key) return value;
  }
  return {};
}

base::StatusOr<Target> ParseTarget(std::string_view target) {
  if (!IsTargetText(target)) return BadTarget("is empty or holds a blank, '#' or a control character");
  if (const size_t scheme = target.find("://"); target.front() != '/' && scheme != std::string_view::npos) {
    const size_t path = target.find_first_of("/?", scheme + 3);
    target = path == std::string_view::npos ? std::string_view("/") : target.substr(path);
  }
  const size_t mark = target.find('?');
  std::optional<std::string> path = Decode(target.substr(0, mark), false);
  if (!path.has_value()) return BadTarget("holds a '%' that two hexadecimal digits do not follow");
  if (path->empty()) path = "/";
  if (path->find('\0') != std::string::npos) return BadTarget("holds a NUL");
  if (HasParentStep(*path)) return BadTarget("steps upwards with '..': name the resource directly");
  Target parsed;
  parsed.path = *std::move(path);
  if (parsed.path.front() != '/' && parsed.path != "*") return BadTarget("does not start with '/'");
  if (mark == std::string_view::npos || mark + 1 == target.size()) return parsed;
  for (const std::string_view pair : base::Split(target.substr(mark + 1), '&')) {
    const size_t equals = pair.find('=');
    std::optional<std::string> key = Decode(pair.substr(0, equals), true);
    std::optional<std::string> value =
        Decode(equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1), true);
    if (!key.has_value() || !value.has_value()) return BadTarget("has a query with malformed percent-encoding");
    parsed.query.emplace_back(*std::move(key), *std::move(value));
  }
  return parsed;
}

base::StatusOr<Url> ParseUrl(std::string_view url) {
  const auto bad = [url](std::string_view why) {
    return base::Error(base::StatusCode::kInvalidArgument, "{} is no URL to fetch: {}",
                       IsFieldValue(url) ? url : std::string_view("the text"), why);
  };
  const boost::system::result<urls::url_view> parsed =
      urls::parse_uri(boost::core::string_view(url.data(), url.size()));
  if (!parsed.has_value()) return bad("write it as http://host:port/path, special characters percent-encoded");
  const urls::url_view& view = *parsed;
  // Boost 1.81 takes "http://a:x/" for a host without a port and a path: both must see the same authority.
  const size_t slashes = url.find("//");
  if (slashes == std::string_view::npos) return bad("write it as http://host:port/path");
  const std::string_view rest = url.substr(slashes + 2);
  if (View(view.encoded_authority()) != rest.substr(0, rest.find_first_of("/?#"))) {
    return bad("write it as http://host:port/path, the port as a number");
  }
  Url out;
  if (EqualsIgnoringCase(View(view.scheme()), "https")) {
    out.tls = true;
  } else if (!EqualsIgnoringCase(View(view.scheme()), "http")) {
    return bad("the scheme must be http or https");
  }
  if (view.has_userinfo()) {
    return base::Error(base::StatusCode::kInvalidArgument,
                       "a URL with a user name or password is not fetched: put credentials in an Authorization header");
  }
  out.host = base::Lowercase(View(view.encoded_host_address()));
  if (out.host.empty()) return bad("the host is missing");
  if (out.host.find('%') != std::string::npos) return bad("the host must not be percent-encoded");
  const uint16_t own_port = out.tls ? 443 : 80;
  out.port = own_port;
  if (view.has_port() && !view.port().empty()) {
    const std::optional<uint64_t> port = base::ParseUint64(View(view.port()));
    if (!port.has_value() || *port == 0 || *port > 65535) return bad("the port must be between 1 and 65535");
    out.port = static_cast<uint16_t>(*port);
  }
  const bool bracketed = view.host_type() == urls::host_type::ipv6;
  out.authority = bracketed ? fmt::format("[{}]", out.host) : out.host;
  if (out.port != own_port) out.authority += fmt::format(":{}", out.port);
  out.target = View(view.encoded_path());
  if (out.target.empty()) out.target = "/";
  if (view.has_query()) out.target += fmt::format("?{}", View(view.encoded_query()));
  return out;
}

}  // namespace ashlar::net
