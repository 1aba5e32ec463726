#include "node/nhc/conf_lines.h"

#include "node/nhc/nhc_limits.h"

namespace ashlar::node {
namespace {

bool IsBlank(char letter) { return letter == ' ' || letter == '\t'; }

// Collects one joined line.
class LineBuilder {
 public:
  explicit LineBuilder(size_t number) { line_.number = number; }

  void Add(char letter, bool escaped) {
    if (letter == '\0') line_.problem = "it holds a zero byte: this is no text file";
    if (line_.text.size() >= kMaxNhcLineBytes) {
      line_.problem = fmt::format("it is longer than {} bytes", kMaxNhcLineBytes);
      return;
    }
    if (line_.text.empty() && IsBlank(letter) && !escaped) return;
    line_.text.push_back(letter);
    // A blank behind a backslash is meant.
    if (escaped) kept_ = line_.text.size();
  }

  ConfLine Finish() {
    std::string& text = line_.text;
    const bool carriage_return = !text.empty() && text.back() == '\r';
    if (carriage_return) text.pop_back();
    while (text.size() > kept_ && IsBlank(text.back())) text.pop_back();
    if (carriage_return && !text.empty() && text.front() != '#') {
      line_.problem =
          "it ends with a carriage return, which bash takes as part of the last word: convert the file "
          "(dos2unix)";
    }
    return std::move(line_);
  }

 private:
  ConfLine line_;
  size_t kept_ = 0;
};

}  // namespace

base::StatusOr<std::vector<ConfLine>> ReadConfLines(std::string_view text) {
  std::vector<ConfLine> lines;
  size_t number = 1;
  size_t at = 0;
  while (at < text.size()) {
    if (lines.size() == kMaxNhcLines) {
      return base::Error(base::StatusCode::kResourceExhausted, "more than {} lines", kMaxNhcLines);
    }
    LineBuilder builder(number);
    for (; at < text.size() && text[at] != '\n'; ++at) {
      const bool escaped = text[at] == '\\';
      if (escaped && ++at == text.size()) break;
      if (escaped && text[at] == '\n') {
        ++number;
        continue;
      }
      builder.Add(text[at], escaped);
    }
    lines.push_back(builder.Finish());
    ++number;
    ++at;
  }
  return lines;
}

ConfSides SplitConfLine(std::string_view line) {
  constexpr std::string_view kBar = "||";
  const size_t bar = line.find(kBar);
  if (bar == std::string_view::npos) return {.target = base::Trim(line)};
  return {
      .target = base::Trim(line.substr(0, bar)), .check = base::Trim(line.substr(bar + kBar.size())), .is_split = true};
}

}  // namespace ashlar::node
