#include "node/kernel/os_release.h"

#include "node/kernel/text_scanner.h"

namespace ashlar::node {
namespace {

// Removes quotes and the shell's escapes; nullopt when a quote stays open.
std::optional<std::string> Unquote(std::string_view text) {
  std::string plain;
  char quote = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char character = text[at];
    if (quote == 0 && (character == '"' || character == '\'')) {
      quote = character;
    } else if (character == quote) {
      quote = 0;
    } else if (character == '\\' && quote != '\'' && at + 1 < text.size()) {
      plain.push_back(text[++at]);
    } else {
      plain.push_back(character);
    }
  }
  if (quote != 0) return std::nullopt;
  return plain;
}

}  // namespace

base::StatusOr<OsRelease> ParseOsRelease(std::string_view text) {
  OsRelease release;
  LineScanner lines(text);
  std::string_view line;
  while (lines.Next(line)) {
    const std::string_view trimmed = base::Trim(line);
    if (trimmed.empty() || trimmed.front() == '#') continue;
    const size_t equals = trimmed.find('=');
    if (equals == 0 || equals == std::string_view::npos) {
      return MalformedLine("os-release", lines.number(), line, "no assignment");
    }
    const std::string_view key = trimmed.substr(0, equals);
    auto value = Unquote(trimmed.substr(equals + 1));
    if (!value) return MalformedLine("os-release", lines.number(), line, "an open quote");
    if (key == "ID")
      release.id = std::move(value);
    else if (key == "VERSION_ID")
      release.version_id = std::move(value);
    else if (key == "PRETTY_NAME")
      release.pretty_name = std::move(value);
  }
  return release;
}

}  // namespace ashlar::node
