#include "node/nhc/match.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "node/kernel/text_scanner.h"
#include "node/nhc/nhc_limits.h"

namespace ashlar::node {
namespace {

using base::StatusCode;

bool IsDigit(char letter) { return letter >= '0' && letter <= '9'; }
bool IsLetterOrDigit(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0; }
bool IsOfName(char letter) { return IsLetterOrDigit(letter) || letter == '-' || letter == '_'; }
bool IsOfSuffix(char letter) { return IsLetterOrDigit(letter) || letter == '-' || letter == '.'; }

bool AllOf(std::string_view text, bool (*test)(char)) { return std::all_of(text.begin(), text.end(), test); }

size_t IndexOf(char letter) { return static_cast<unsigned char>(letter); }

// A name with a number that is not its first character: "gpu-n1", "n01.cluster".
bool IsNodeName(std::string_view text) {
  for (size_t at = 1; at < text.size(); ++at) {
    if (IsDigit(text[at]) && AllOf(text.substr(0, at), IsOfName) && AllOf(text.substr(at), IsOfSuffix)) return true;
  }
  return false;
}

std::optional<uint64_t> NodeNumber(std::string_view text) {
  if (text.empty() || text.size() > kMaxNhcNodeDigits || !AllOf(text, IsDigit)) return std::nullopt;
  return base::ParseUint64(text);
}

// The regular expression library unrolls repetitions: what they multiply to is the memory that it takes.
base::Status CheckRepetitions(std::string_view expression) {
  uint64_t product = 1;
  for (size_t at = 0; at < expression.size(); ++at) {
    if (expression[at] == '\\') {
      ++at;
      // Each back reference may cost time that grows without bound.
      if (at < expression.size() && IsDigit(expression[at])) {
        return base::Error(StatusCode::kUnimplemented, "/{}/ holds a back reference", Excerpt(expression));
      }
      continue;
    }
    if (expression[at] != '{') continue;
    uint64_t largest = 1;
    const size_t end = std::min(expression.find('}', at), expression.size());
    for (const std::string_view number : base::Split(expression.substr(at + 1, end - at - 1), ',')) {
      const auto count = base::ParseUint64(number);
      if (count) largest = std::max(largest, *count);
    }
    product = largest > kMaxNhcRepetitions ? largest : product * largest;
    if (product > kMaxNhcRepetitions) {
      return base::Error(StatusCode::kResourceExhausted, "/{}/ repeats more than {} times in all", Excerpt(expression),
                         kMaxNhcRepetitions);
    }
  }
  return base::OkStatus();
}

}  // namespace

void NhcMatch::FreeRegex::operator()(regex_t* regex) const {
  regfree(regex);
  delete regex;
}

base::StatusOr<NhcMatch> NhcMatch::Parse(std::string_view expression) {
  if (expression.size() > kMaxNhcExpressionBytes) {
    return base::Error(StatusCode::kResourceExhausted, "\"{}\" is longer than {} bytes", Excerpt(expression),
                       kMaxNhcExpressionBytes);
  }
  NhcMatch match;
  if (expression.starts_with('!')) {
    match.negated_ = true;
    expression.remove_prefix(1);
  }
  const auto between = [&](char open, char close) {
    return expression.size() >= 2 && expression.front() == open && expression.back() == close;
  };
  if (between('/', '/')) {
    ASHLAR_RETURN_IF_ERROR(match.ParseRegex(expression.substr(1, expression.size() - 2)));
  } else if (between('{', '}')) {
    ASHLAR_RETURN_IF_ERROR(match.ParseRanges(expression.substr(1, expression.size() - 2)));
  } else if (between('%', '%') || between('@', '@')) {
    return base::Error(StatusCode::kUnimplemented,
                       "{} asks another program which hosts are meant: name them by glob, /expression/ or {{range}}",
                       Excerpt(expression));
  } else {
    ASHLAR_RETURN_IF_ERROR(match.ParseGlob(expression));
  }
  return match;
}

base::Status NhcMatch::ParseGlob(std::string_view glob) {
  for (size_t at = 0; at < glob.size(); ++at) {
    const bool may_extend = std::string_view("?*+@!").find(glob[at]) != std::string_view::npos;
    if (may_extend && at + 1 < glob.size() && glob[at + 1] == '(') {
      return base::Error(StatusCode::kUnimplemented, "\"{}\" is an extended glob: write /expression/ instead",
                         Excerpt(glob));
    }
    GlobPiece piece;
    if (glob[at] == '*') {
      piece.is_run = true;
    } else if (glob[at] == '?') {
      piece.bytes.set();
    } else if (glob[at] == '[') {
      ASHLAR_ASSIGN_OR_RETURN(const size_t end, ParseGlobSet(glob, at));
      if (end > at) {
        at = end;
        continue;
      }
      piece.bytes.set(IndexOf('['));
    } else {
      if (glob[at] == '\\' && at + 1 < glob.size()) ++at;
      piece.bytes.set(IndexOf(glob[at]));
    }
    glob_.push_back(piece);
  }
  return base::OkStatus();
}

// Adds the set that begins at `open` and gives where it ends; `open` itself when there is no end: then the bracket
// stands for itself.
base::StatusOr<size_t> NhcMatch::ParseGlobSet(std::string_view glob, size_t open) {
  GlobPiece piece;
  size_t at = open + 1;
  const bool inverted = at < glob.size() && (glob[at] == '!' || glob[at] == '^');
  if (inverted) ++at;
  for (size_t first = at; at < glob.size(); ++at) {
    if (glob[at] == ']' && at > first) {
      if (inverted) piece.bytes.flip();
      glob_.push_back(piece);
      return at;
    }
    if (glob[at] == '[' && at + 1 < glob.size() &&
        std::string_view(":.=").find(glob[at + 1]) != std::string_view::npos) {
      return base::Error(StatusCode::kUnimplemented, "\"{}\" holds a class of characters: write /expression/ instead",
                         Excerpt(glob));
    }
    if (glob[at] == '\\' && at + 1 < glob.size()) ++at;
    size_t last = at;
    if (at + 2 < glob.size() && glob[at + 1] == '-' && glob[at + 2] != ']') last = at + 2;
    for (size_t byte = IndexOf(glob[at]); byte <= IndexOf(glob[last]); ++byte) piece.bytes.set(byte);
    at = last;
  }
  return open;
}

base::Status NhcMatch::ParseRegex(std::string_view expression) {
  if (expression.find('\0') != std::string_view::npos) {
    return base::Error(StatusCode::kInvalidArgument, "a regular expression holds a zero byte");
  }
  ASHLAR_RETURN_IF_ERROR(CheckRepetitions(expression));
  auto regex = std::make_unique<regex_t>();
  const int error = regcomp(regex.get(), std::string(expression).c_str(), REG_EXTENDED | REG_NOSUB);
  if (error != 0) {
    std::array<char, 128> reason{};
    regerror(error, regex.get(), reason.data(), reason.size());
    return base::Error(StatusCode::kInvalidArgument, "/{}/ is no regular expression: {}", Excerpt(expression),
                       reason.data());
  }
  regex_.reset(regex.release());
  return base::OkStatus();
}

base::Status NhcMatch::ParseRanges(std::string_view list) {
  for (const std::string_view group : base::Split(list, ',')) {
    if (IsNodeName(group)) {
      ranges_.push_back({.prefix = std::string(group), .is_name = true});
      continue;
    }
    const size_t open = group.find('[');
    const size_t dash = group.find('-', std::min(open, group.size()));
    const size_t close = group.find(']', std::min(dash, group.size()));
    const auto refuse = [&] {
      return base::Error(StatusCode::kInvalidArgument,
                         "\"{}\" in {{{}}} is neither a name with a number nor one range as n[01-16]; commas inside "
                         "the brackets are not NHC's",
                         Excerpt(group), Excerpt(list));
    };
    if (close == std::string_view::npos) return refuse();
    const std::string_view first = group.substr(open + 1, dash - open - 1);
    const std::string_view last = group.substr(dash + 1, close - dash - 1);
    NodeRange range{.prefix = std::string(group.substr(0, open)), .suffix = std::string(group.substr(close + 1))};
    const auto low = NodeNumber(first);
    const auto high = NodeNumber(last);
    if (!low || !high || range.prefix.empty()) return refuse();
    if (!AllOf(range.prefix, IsOfName) || !AllOf(range.suffix, IsOfSuffix)) return refuse();
    range.first = std::min(*low, *high);
    range.last = std::max(*low, *high);
    range.width = std::max(first.size(), last.size());
    ranges_.push_back(std::move(range));
  }
  return base::OkStatus();
}

bool NhcMatch::MatchesGlob(std::string_view text) const {
  size_t piece = 0;
  size_t at = 0;
  size_t run = glob_.size();  // the last run that was passed, and where the text stood
  size_t run_at = 0;
  while (at < text.size()) {
    if (piece < glob_.size() && glob_[piece].is_run) {
      run = piece++;
      run_at = at;
    } else if (piece < glob_.size() && glob_[piece].bytes.test(IndexOf(text[at]))) {
      ++piece;
      ++at;
    } else if (run < glob_.size()) {
      piece = run + 1;
      at = ++run_at;
    } else {
      return false;
    }
  }
  while (piece < glob_.size() && glob_[piece].is_run) ++piece;
  return piece == glob_.size();
}

bool NhcMatch::MatchesRange(const NodeRange& range, std::string_view text) {
  if (range.is_name) return text == range.prefix;
  if (!text.starts_with(range.prefix)) return false;
  text.remove_prefix(range.prefix.size());
  if (!text.ends_with(range.suffix)) return false;
  text.remove_suffix(range.suffix.size());
  const auto number = NodeNumber(text);
  return number && text.size() == range.width && *number >= range.first && *number <= range.last;
}

bool NhcMatch::Matches(const std::string& text) const {
  bool matches = false;
  if (regex_) {
    matches = regexec(regex_.get(), text.c_str(), 0, nullptr, 0) == 0;
  } else if (!ranges_.empty()) {
    matches =
        std::any_of(ranges_.begin(), ranges_.end(), [&](const NodeRange& range) { return MatchesRange(range, text); });
  } else {
    matches = MatchesGlob(text);
  }
  return matches != negated_;
}

base::StatusOr<bool> MatchesNhc(std::string_view expression, const std::string& text) {
  ASHLAR_ASSIGN_OR_RETURN(const NhcMatch match, NhcMatch::Parse(expression));
  return match.Matches(text);
}

}  // namespace ashlar::node
