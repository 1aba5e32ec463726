#include "lexer.h"

#include <algorithm>
#include <cctype>

namespace ashlar::tidy {
namespace {

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class Blanker {
 public:
  explicit Blanker(std::string_view text) : text_(text), out_(text) {}

  std::string Run() {
    while (at_ < text_.size()) Step();
    return std::move(out_);
  }

 private:
  void Step() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("//")) {
      BlankTo(EndOfLine());
    } else if (rest.starts_with("/*")) {
      BlankTo(AfterNext("*/", at_ + 2));
    } else if (rest.front() == '"' && IsRaw()) {
      const std::string close = ")" + std::string(rest.substr(1, rest.find('(') - 1)) + "\"";
      ++at_;
      BlankTo(AfterNext(close, at_) - 1);
      ++at_;
    } else if (rest.front() == '"' || (rest.front() == '\'' && !IsDigitSeparator())) {
      const size_t close = ClosingQuote(rest.front());
      ++at_;
      BlankTo(close);
      at_ = std::min(at_ + 1, text_.size());
    } else {
      ++at_;
    }
  }

  bool IsRaw() const { return at_ > 0 && text_[at_ - 1] == 'R' && (at_ == 1 || !IsWord(text_[at_ - 2])); }

  // 1'000'000, and not the quote of u8'x'.
  bool IsDigitSeparator() const {
    return at_ > 0 && std::isxdigit(static_cast<unsigned char>(text_[at_ - 1])) != 0 && at_ + 1 < text_.size() &&
           std::isxdigit(static_cast<unsigned char>(text_[at_ + 1])) != 0;
  }

  size_t EndOfLine() const { return std::min(text_.find('\n', at_), text_.size()); }

  size_t AfterNext(std::string_view what, size_t from) const {
    const size_t found = text_.find(what, from);
    return found == std::string_view::npos ? text_.size() : found + what.size();
  }

  // An unclosed literal ends with its line, as the compiler would have it.
  size_t ClosingQuote(char quote) const {
    for (size_t i = at_ + 1; i < text_.size() && text_[i] != '\n'; ++i) {
      if (text_[i] == '\\') {
        ++i;
      } else if (text_[i] == quote) {
        return i;
      }
    }
    return EndOfLine();
  }

  void BlankTo(size_t end) {
    for (; at_ < end; ++at_) {
      if (out_[at_] != '\n') out_[at_] = ' ';
    }
  }

  std::string_view text_;
  std::string out_;
  size_t at_ = 0;
};

// The end of a preprocessor line that starts at `at`, with the lines it continues on.
size_t EndOfDirective(std::string_view code, size_t at) {
  while (true) {
    const size_t end = code.find('\n', at);
    if (end == std::string_view::npos) return code.size();
    if (end == at || code[end - 1] != '\\') return end;
    at = end + 1;
  }
}

}  // namespace

std::string BlankCommentsAndLiterals(std::string_view text) { return Blanker(text).Run(); }

std::vector<Token> Tokenize(std::string_view code) {
  std::vector<Token> tokens;
  size_t line = 1;
  bool line_start = true;
  for (size_t at = 0; at < code.size();) {
    const char c = code[at];
    if (c == '#' && line_start) {
      const size_t end = EndOfDirective(code, at);
      line += static_cast<size_t>(
          std::count(code.begin() + static_cast<ptrdiff_t>(at), code.begin() + static_cast<ptrdiff_t>(end), '\n'));
      at = end;
      continue;
    }
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (c == '\n') {
        ++line;
        line_start = true;
      }
      ++at;
      continue;
    }
    line_start = false;
    size_t length = 1;
    if (IsWord(c)) {
      while (at + length < code.size() && IsWord(code[at + length])) ++length;
    } else if (code.substr(at).starts_with("::") || code.substr(at).starts_with("->")) {
      length = 2;
    }
    tokens.push_back({code.substr(at, length), line});
    at += length;
  }
  return tokens;
}

}  // namespace ashlar::tidy
