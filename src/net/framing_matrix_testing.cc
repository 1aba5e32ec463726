#include "net/framing_matrix_testing.h"

#include <vector>

namespace ashlar::net {
namespace {

// A POST with these header lines (each with its end) and what follows the empty line.
std::string Post(std::string_view header_lines, std::string_view rest) {
  std::string bytes = "POST / HTTP/1.1\r\nHost: a\r\n";
  bytes.append(header_lines).append("\r\n").append(rest);
  return bytes;
}

std::string Chunked(std::string_view rest) { return Post("Transfer-Encoding: chunked\r\n", rest); }

constexpr std::string_view kThirteen = "hello, world!";
constexpr std::string_view kOneChunk = "d\r\nhello, world!\r\n0\r\n\r\n";

std::vector<FramingCase> BodyCases() {
  const std::string kChunk(kOneChunk);
  const std::string kBody(kThirteen);
  return {
      {"content length alone", Post("Content-Length: 13\r\n", kBody), 200, false},
      {"chunked alone", Chunked(kChunk), 200, false},
      {"content length and chunked", Post("Content-Length: 13\r\nTransfer-Encoding: chunked\r\n", kChunk)},
      {"content length 0 and chunked", Post("Content-Length: 0\r\nTransfer-Encoding: chunked\r\n", kChunk)},
      {"two equal content lengths", Post("Content-Length: 13\r\nContent-Length: 13\r\n", kBody)},
      {"content length 13, 13", Post("Content-Length: 13, 13\r\n", kBody)},
      {"two different content lengths", Post("Content-Length: 13\r\nContent-Length: 14\r\n", kBody)},
      {"content length +13", Post("Content-Length: +13\r\n", kBody)},
      {"content length 1_3", Post("Content-Length: 1_3\r\n", kBody)},
      {"empty content length", Post("Content-Length:\r\n", kBody)},
      {"content length 2^64 + 13", Post("Content-Length: 18446744073709551629\r\n", kBody)},
      {"blank before the colon", Post("Transfer-Encoding : chunked\r\n", kChunk)},
      {"transfer encoding twice", Post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", kChunk)},
      {"transfer encoding xchunked", Post("Transfer-Encoding: xchunked\r\n", kChunk), 501},
      {"transfer encoding chunked, identity", Post("Transfer-Encoding: chunked, identity\r\n", kChunk)},
      {"transfer encoding ,chunked", Post("Transfer-Encoding: ,chunked\r\n", kChunk)},
      {"transfer encoding in HTTP/1.0", "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + kChunk},
      {"chunk size 0xd", Chunked("0xd\r\nhello, world!\r\n0\r\n\r\n")},
      {"chunk size d_", Chunked("d_\r\nhello, world!\r\n0\r\n\r\n")},
      {"chunk size of 17 digits", Chunked("0000000000000000d\r\nhello, world!\r\n0\r\n\r\n")},
      {"chunk lines with a bare line feed", Chunked("d\nhello, world!\n0\n\n")},
  };
}

std::vector<FramingCase> HeadCases() {
  using std::string_literals::operator""s;
  return {
      {"header lines with a bare line feed", "GET / HTTP/1.1\nHost: a\n\n"},
      {"folded header line", Post("X-Folded: a\r\n b\r\n", "")},
      {"NUL in a header", Post("X-Nul: a\0b\r\n"s, "")},
      {"bare carriage return in a header", Post("X-Return: a\rb\r\n", "")},
      {"blank before the first header", "GET / HTTP/1.1\r\n Host: a\r\n\r\n"},
      {"empty header name", Post(": a\r\n", "")},
      {"two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"},
      {"no host", "GET / HTTP/1.1\r\n\r\n"},
      {"header of 64 KiB", Post("X-Long: " + std::string(size_t{64} << 10U, 'a') + "\r\n", ""), 431},
  };
}

}  // namespace

std::span<const FramingCase> FramingMatrix() {
  static const std::vector<FramingCase> kCases = [] {
    std::vector<FramingCase> cases = BodyCases();
    for (FramingCase& row : HeadCases()) cases.push_back(std::move(row));
    return cases;
  }();
  return kCases;
}

}  // namespace ashlar::net
