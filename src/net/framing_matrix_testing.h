// Thirty requests that servers frame differently, and what ours must answer: shared by the codec's and the server's
// tests, and by whoever relays requests.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ashlar::net {

struct FramingCase {
  std::string_view name;
  std::string bytes;
  int status = 400;    // what the server answers
  bool closes = true;  // and whether it closes the connection then
};

std::span<const FramingCase> FramingMatrix();

}  // namespace ashlar::net
