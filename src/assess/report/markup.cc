#include "assess/report/markup.h"

#include "base/base.h"

namespace ashlar::assess {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Length of the well-formed UTF-8 character that starts at `text`, 1 when it is none.
size_t CharacterLength(std::string_view text) {
  for (const size_t length : {2U, 3U, 4U}) {
    if (length <= text.size() && base::IsUtf8(text.substr(0, length))) return length;
  }
  return 1;
}

}  // namespace

std::string EscapeMarkup(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const char c = text.front();
    size_t length = 1;
    if (static_cast<unsigned char>(c) >= 0x80) {
      length = CharacterLength(text);
      const std::string_view character = text.substr(0, length);
      // U+FFFE and U+FFFF are UTF-8 but no XML characters.
      const bool allowed = length > 1 && character != "\xEF\xBF\xBE" && character != "\xEF\xBF\xBF";
      out += allowed ? character : kReplacement;
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\'') {
      out += "&#39;";
    } else if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') {
      out += kReplacement;
    } else {
      out += c;
    }
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace ashlar::assess
