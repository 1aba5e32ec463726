#include "functions.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace ashlar::tidy {
namespace {

enum class Scope { kNamespace, kClass, kFunction, kLambda, kControl, kValues };

template <size_t kSize>
bool IsOneOf(std::string_view text, const std::array<std::string_view, kSize>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

constexpr std::array<std::string_view, 6> kControlWords = {"if", "for", "while", "switch", "catch", "constexpr"};
constexpr std::array<std::string_view, 3> kBlockWords = {"else", "do", "try"};
constexpr std::array<std::string_view, 3> kClassWords = {"class", "struct", "union"};
constexpr std::array<std::string_view, 5> kCodeBefore = {"{", "}", ";", ":", ")"};
constexpr std::array<std::string_view, 3> kLambdaEndings = {"mutable", "noexcept", "constexpr"};
constexpr std::array<std::string_view, 6> kNotAName = {"decltype", "alignas",  "explicit",
                                                       "requires", "noexcept", "__attribute__"};

bool IsWord(std::string_view text) {
  return std::isalpha(static_cast<unsigned char>(text.front())) != 0 || text.front() == '_';
}

// Walks the braces of one file.
class Scanner {
 public:
  explicit Scanner(const std::vector<Token>& tokens) : tokens_(tokens) {}

  std::vector<Function> Run() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      const std::string_view text = Text(at_);
      if (text == "(" || text == "[") {
        ++parentheses_;
      } else if (text == ")" || text == "]") {
        parentheses_ -= parentheses_ > 0 ? 1 : 0;
      } else if (text == ";" && parentheses_ == 0) {
        statement_ = at_ + 1;
      } else if (text == "{") {
        Open();
      } else if (text == "}") {
        Close();
      }
    }
    return std::move(functions_);
  }

 private:
  struct Level {
    Scope scope = Scope::kNamespace;
    size_t statement = 0;    // of the level outside, to go on with
    size_t parentheses = 0;  // of the level outside
    size_t depth = 0;        // of control statements, this one included
    Function function;       // for functions and lambdas
  };

  std::string_view Text(size_t index) const { return tokens_[index].text; }
  std::string_view Before(size_t index) const { return index > 0 ? tokens_[index - 1].text : std::string_view(";"); }
  Scope Parent() const { return levels_.empty() ? Scope::kNamespace : levels_.back().scope; }

  // The opening counterpart of the parenthesis or bracket at `close`.
  size_t Opening(size_t close) const {
    size_t depth = 0;
    for (size_t i = close + 1; i-- > 0;) {
      const std::string_view text = Text(i);
      if (text == ")" || text == "]" || text == "}") ++depth;
      if ((text == "(" || text == "[" || text == "{") && --depth == 0) return i;
    }
    return 0;
  }

  size_t Closing(size_t open) const {
    size_t depth = 0;
    for (size_t i = open; i < tokens_.size(); ++i) {
      const std::string_view text = Text(i);
      if (text == "(" || text == "[" || text == "{") ++depth;
      if ((text == ")" || text == "]" || text == "}") && --depth == 0) return i;
    }
    return tokens_.size() - 1;
  }

  // True when the bracket that closes at `close` is a lambda's capture and not an index or an array.
  bool IsCapture(size_t close) const {
    const std::string_view before = Before(Opening(close));
    return !(IsWord(before) && before != "return" && before != "co_return") && before != ")" && before != "]" &&
           before != "[";
  }

  // The index of the capture's "]" when the brace at at_ opens a lambda's body, 0 otherwise.
  size_t LambdaCapture() const {
    size_t i = at_;
    // Back over a return type.
    size_t type = at_;
    while (type > 0 &&
           (IsWord(Text(type - 1)) || Text(type - 1) == "::" || Text(type - 1) == "<" || Text(type - 1) == ">" ||
            Text(type - 1) == "*" || Text(type - 1) == "&" || Text(type - 1) == ",")) {
      --type;
    }
    if (type > 0 && Text(type - 1) == "->") i = type - 1;
    while (i > 0 && IsOneOf(Text(i - 1), kLambdaEndings)) --i;
    if (i == 0) return 0;
    if (Text(i - 1) == "]") return IsCapture(i - 1) ? i - 1 : 0;
    if (Text(i - 1) != ")") return 0;
    const size_t open = Opening(i - 1);
    return open > 0 && Text(open - 1) == "]" && IsCapture(open - 1) ? open - 1 : 0;
  }

  // The first token of the statement, after access labels and template heads.
  size_t StatementStart() const {
    size_t start = statement_;
    while (start + 1 < at_ && Text(start + 1) == ":" && IsWord(Text(start))) start += 2;
    while (start + 1 < at_ && Text(start) == "template" && Text(start + 1) == "<") {
      size_t depth = 0;
      for (++start; start < at_; ++start) {
        if (Text(start) == "<") ++depth;
        if (Text(start) == ">" && --depth == 0) break;
      }
      ++start;
    }
    return std::min(start, at_);
  }

  // The "(" of the parameters in a signature from `start`; at_ when there is none.
  size_t ParametersOpening(size_t start) const {
    for (size_t i = start; i < at_; ++i) {
      if (Text(i) == "=" && Before(i) != "operator" && Before(i) != "=" && Before(i) != "!" && Before(i) != "<" &&
          Before(i) != ">") {
        return at_;
      }
      if (Text(i) == "[") i = Closing(i);
      if (Text(i) != "(") continue;
      const size_t close = Closing(i);
      const bool call_operator = Before(i) == "operator";
      if (!call_operator && !IsOneOf(Before(i), kNotAName)) return i;
      i = close;
    }
    return at_;
  }

  Scope ClassifyDeclaration(Function& function) const {
    const size_t start = StatementStart();
    const std::string_view first = start < at_ ? Text(start) : std::string_view();
    const std::string_view second = start + 1 < at_ ? Text(start + 1) : std::string_view();
    if (first == "namespace" || second == "namespace" || (first == "extern" && Before(at_) == "\"")) {
      return Scope::kNamespace;
    }
    if (first == "enum") return Scope::kValues;
    const size_t open = ParametersOpening(start);
    const bool is_class = IsOneOf(first, kClassWords) || (first == "friend" && IsOneOf(second, kClassWords));
    if (is_class && Before(at_) != ")" && Before(at_) != "const") return Scope::kClass;
    if (open == at_) return Scope::kValues;
    // A constructor's initialisers: the body follows ")" or "}", a brace after a name is an initialiser.
    for (size_t i = Closing(open); i < at_; ++i) {
      if (Text(i) == ":" && Before(at_) != ")" && Before(at_) != "}") return Scope::kValues;
    }
    function.name = Before(open);
    function.first_token = start;
    CountParameters(open, function);
    return Scope::kFunction;
  }

  void CountParameters(size_t open, Function& function) const {
    const size_t close = Closing(open);
    if (close == open + 1) return;
    function.parameters = 1;
    size_t depth = 0;
    for (size_t i = open + 1; i < close; ++i) {
      const std::string_view text = Text(i);
      if (text == "(" || text == "{" || text == "[" || text == "<") ++depth;
      if (text == ")" || text == "}" || text == "]" || text == ">") depth -= depth > 0 ? 1 : 0;
      if (depth == 0 && text == ",") ++function.parameters;
      if (depth == 0 && text == "bool") ++function.bool_parameters;
    }
  }

  Scope ClassifyStatement() const {
    const std::string_view before = Before(at_);
    if (before == ")") {
      const size_t open = Opening(at_ - 1);
      if (IsOneOf(Before(open), kControlWords)) return Scope::kControl;
    }
    if (IsOneOf(before, kBlockWords)) return Scope::kControl;
    if (parentheses_ == 0 && IsOneOf(before, kCodeBefore)) return Scope::kControl;
    const size_t start = StatementStart();
    if (start < at_ && parentheses_ == 0 && IsOneOf(Text(start), kClassWords)) return Scope::kClass;
    return Scope::kValues;
  }

  void Open() {
    Level level;
    level.statement = statement_;
    level.parentheses = parentheses_;
    const Scope parent = Parent();
    const bool in_code = parent == Scope::kFunction || parent == Scope::kLambda || parent == Scope::kControl;
    if (const size_t capture = LambdaCapture(); capture > 0) {
      level.scope = Scope::kLambda;
      level.function.first_token = Opening(capture);
    } else if (in_code) {
      level.scope = ClassifyStatement();
    } else if (parent == Scope::kValues || parentheses_ > 0) {
      level.scope = Scope::kValues;
    } else {
      level.scope = ClassifyDeclaration(level.function);
    }
    if (level.scope == Scope::kControl) {
      level.depth = levels_.back().depth + 1;
      NoteDepth(level.depth);
    } else if (level.scope == Scope::kValues && !levels_.empty()) {
      level.depth = levels_.back().depth;
    }
    levels_.push_back(level);
    statement_ = at_ + 1;
    parentheses_ = 0;
  }

  void NoteDepth(size_t depth) {
    for (size_t i = levels_.size(); i-- > 0;) {
      Level& level = levels_[i];
      if (level.scope != Scope::kFunction && level.scope != Scope::kLambda) continue;
      if (depth > level.function.deepest) {
        level.function.deepest = depth;
        level.function.deepest_line = tokens_[at_].line;
      }
      return;
    }
  }

  void Close() {
    if (levels_.empty()) return;
    Level level = levels_.back();
    levels_.pop_back();
    parentheses_ = level.parentheses;
    // An initialiser is a part of its statement; everything else ends one.
    statement_ = level.scope == Scope::kValues || parentheses_ > 0 ? level.statement : at_ + 1;
    if (level.scope == Scope::kLambda) statement_ = level.statement;
    if (level.scope != Scope::kFunction && level.scope != Scope::kLambda) return;
    level.function.last_token = at_;
    level.function.first_line = tokens_[level.function.first_token].line;
    level.function.last_line = tokens_[at_].line;
    functions_.push_back(level.function);
  }

  const std::vector<Token>& tokens_;
  size_t at_ = 0;
  size_t statement_ = 0;
  size_t parentheses_ = 0;
  std::vector<Level> levels_;
  std::vector<Function> functions_;
};

}  // namespace

std::vector<Function> FindFunctions(const std::vector<Token>& tokens) { return Scanner(tokens).Run(); }

}  // namespace ashlar::tidy
