#include "node/kernel/text_scanner.h"

namespace ashlar::node {

std::string Excerpt(std::string_view text) {
  constexpr size_t kLongest = 60;
  std::string shown(text.substr(0, kLongest));
  for (char& character : shown) {
    // Messages go to terminals and into JSON: nothing that steers the one or breaks the other.
    if (character < ' ' || character > '~') character = '?';
  }
  if (text.size() > kLongest) shown += "...";
  return shown;
}

base::Status MalformedLine(std::string_view path, size_t line_number, std::string_view line, std::string_view problem) {
  return base::Error(base::StatusCode::kInvalidArgument, "{} line {}: {} in `{}`", path, line_number, problem,
                     Excerpt(line));
}

}  // namespace ashlar::node
