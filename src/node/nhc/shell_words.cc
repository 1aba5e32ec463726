#include "node/nhc/shell_words.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "node/kernel/text_scanner.h"
#include "node/nhc/nhc_limits.h"

namespace ashlar::node {
namespace {

using base::StatusCode;

struct Construct {
  std::string_view start;
  std::string_view name;
};

// Outside of quotes; the first that fits names the refusal.
constexpr std::array kUnquoted = {
    Construct{"||", "a || list"},
    Construct{"|", "a pipe"},
    Construct{"&&", "a && list"},
    Construct{"&", "a command in the background (&)"},
    Construct{";", "a second command (;)"},
    Construct{"<", "a redirection (<)"},
    Construct{">", "a redirection (>)"},
    Construct{"(", "a subshell or function ()"},
    Construct{")", "a subshell or function ()"},
    Construct{"`", "a command substitution (``)"},
    Construct{"$((", "arithmetic ($(()))"},
    Construct{"$[", "arithmetic ($[])"},
    Construct{"$(", "a command substitution ($())"},
    Construct{"$'", "a quote with escapes ($'')"},
    Construct{"$\"", "a translated quote ($\"\")"},
    Construct{"*", "a glob outside of quotes (*)"},
    Construct{"?", "a glob outside of quotes (?)"},
    Construct{"[", "a glob outside of quotes ([])"},
    Construct{"{", "a brace expansion outside of quotes ({})"},
    Construct{"}", "a brace expansion outside of quotes ({})"},
};
// Inside double quotes.
constexpr std::array kQuoted = {
    Construct{"`", "a command substitution (``)"},
    Construct{"$((", "arithmetic ($(()))"},
    Construct{"$[", "arithmetic ($[])"},
    Construct{"$(", "a command substitution ($())"},
};

base::Status Refuse(std::string_view construct) {
  return base::Error(StatusCode::kUnimplemented,
                     "it holds {}, which is for a shell, and no shell is run here: write the value itself, or quote it",
                     construct);
}

bool IsNameStart(char letter) { return letter == '_' || std::isalpha(static_cast<unsigned char>(letter)) != 0; }
bool IsNamePart(char letter) { return letter == '_' || std::isalnum(static_cast<unsigned char>(letter)) != 0; }

size_t NameLength(std::string_view text) {
  if (text.empty() || !IsNameStart(text.front())) return 0;
  const auto end = std::find_if_not(text.begin(), text.end(), IsNamePart);
  return static_cast<size_t>(end - text.begin());
}

struct Word {
  std::string text;
  size_t equals = std::string::npos;  // of `NAME=`, when it was written without quotes
};

class ShellReader {
 public:
  ShellReader(std::string_view text, const NhcVariables& variables) : rest_(text), variables_(variables) {}

  base::StatusOr<std::vector<Word>> Read() {
    while (!rest_.empty() && !(rest_.front() == '#' && !open_)) {
      ASHLAR_RETURN_IF_ERROR(Step());
      if (words_.size() > kMaxNhcWords) {
        return base::Error(StatusCode::kResourceExhausted, "it has more than {} words", kMaxNhcWords);
      }
    }
    CloseWord();
    return std::move(words_);
  }

 private:
  // A value is put in whole, so a line is at most one value longer than this allows.
  base::Status CheckLength() const {
    if (bytes_ <= kMaxNhcLineBytes) return base::OkStatus();
    return base::Error(StatusCode::kResourceExhausted, "with its variables it is longer than {} bytes",
                       kMaxNhcLineBytes);
  }

  // Where bash puts a home folder in.
  bool MayBeHome() const {
    if (!open_) return true;
    const Word& word = words_.back();
    return word.equals != std::string::npos && (word.text.back() == '=' || word.text.back() == ':');
  }

  char Take() {
    const char letter = rest_.front();
    rest_.remove_prefix(1);
    return letter;
  }

  void Add(char letter) {
    if (!open_) words_.emplace_back();
    open_ = true;
    ++bytes_;
    words_.back().text.push_back(letter);
  }

  void CloseWord() {
    open_ = false;
    plain_ = true;
  }

  // A quote begins a word even when nothing is in it.
  void OpenQuoted() {
    if (!open_) words_.emplace_back();
    open_ = true;
    plain_ = false;
  }

  base::Status Step() {
    for (const auto& construct : kUnquoted) {
      if (rest_.starts_with(construct.start)) return Refuse(construct.name);
    }
    const char letter = rest_.front();
    if (letter == '~' && MayBeHome()) return Refuse("a home folder (~)");
    if (letter == '$') return Variable(false);
    Take();
    if (letter == ' ' || letter == '\t') {
      CloseWord();
      return base::OkStatus();
    }
    if (letter == '\'') return SingleQuoted();
    if (letter == '"') return DoubleQuoted();
    if (letter == '\\') {
      if (rest_.empty()) return base::Error(StatusCode::kInvalidArgument, "it ends in a backslash");
      OpenQuoted();
      Add(Take());
      return base::OkStatus();
    }
    if (letter == '=' && open_ && plain_ && words_.back().equals == std::string::npos &&
        NameLength(words_.back().text) == words_.back().text.size()) {
      words_.back().equals = words_.back().text.size();
    }
    Add(letter);
    return base::OkStatus();
  }

  base::Status SingleQuoted() {
    const size_t end = rest_.find('\'');
    if (end == std::string_view::npos) return base::Error(StatusCode::kInvalidArgument, "a ' has no end");
    OpenQuoted();
    for (const char letter : rest_.substr(0, end)) Add(letter);
    rest_.remove_prefix(end + 1);
    return base::OkStatus();
  }

  base::Status DoubleQuoted() {
    constexpr std::string_view kEscaped = "$`\"\\";
    OpenQuoted();
    while (!rest_.empty()) {
      for (const auto& construct : kQuoted) {
        if (rest_.starts_with(construct.start)) return Refuse(construct.name);
      }
      if (rest_.front() == '$') {
        ASHLAR_RETURN_IF_ERROR(Variable(true));
        continue;
      }
      const char letter = Take();
      if (letter == '"') return base::OkStatus();
      const bool escapes = letter == '\\' && !rest_.empty() && kEscaped.find(rest_.front()) != std::string_view::npos;
      Add(escapes ? Take() : letter);
    }
    return base::Error(StatusCode::kInvalidArgument, "a \" has no end");
  }

  // `$NAME`, `${NAME}`; a dollar before anything else stands for itself.
  base::Status Variable(bool quoted) {
    constexpr std::string_view kSpecial = "@*#?-$!";
    Take();
    const bool braces = rest_.starts_with('{');
    const std::string_view text = braces ? rest_.substr(1) : rest_;
    const bool special = !text.empty() && (std::isdigit(static_cast<unsigned char>(text.front())) != 0 ||
                                           kSpecial.find(text.front()) != std::string_view::npos);
    if (special) return Refuse(fmt::format("a parameter of the shell (${})", text.front()));
    const size_t length = NameLength(text);
    if (length == 0 && !braces) {
      Add('$');
      return base::OkStatus();
    }
    if (braces && (length == 0 || !text.substr(length).starts_with('}'))) {
      return Refuse("a parameter expansion with an operator (${...})");
    }
    const std::string name(text.substr(0, length));
    rest_ = text.substr(length + (braces ? 1 : 0));
    // The word that is being read may well use what it is about to set.
    const auto finished = words_.end() - (open_ ? 1 : 0);
    const bool set_here = std::any_of(words_.begin(), finished, [&](const Word& word) {
      return word.equals != std::string::npos && word.text.starts_with(name + "=");
    });
    if (set_here) return Refuse(fmt::format("${}, which the same line sets", name));
    const auto found = variables_.find(name);
    if (found == variables_.end()) {
      return base::Error(StatusCode::kNotFound,
                         "${} is not set by an earlier line for this host, and the environment is not asked: write "
                         "the value itself, or set it above",
                         name);
    }
    AddValue(found->second, quoted);
    return CheckLength();
  }

  void AddValue(std::string_view value, bool quoted) {
    const bool splits = !quoted && !(open_ && words_.back().equals != std::string::npos);
    if (!splits && open_) plain_ = false;
    for (const char letter : value) {
      if (splits && (letter == ' ' || letter == '\t')) {
        CloseWord();
      } else {
        Add(letter);
        plain_ = false;
      }
    }
  }

  std::string_view rest_;
  const NhcVariables& variables_;
  std::vector<Word> words_;
  bool open_ = false;  // the last word goes on
  bool plain_ = true;  // and nothing of it was quoted or a variable
  size_t bytes_ = 0;
};

// `eval $CHECK` splits the line and joins it with single blanks before it reads it, quotes or not.
std::string WithSingleBlanks(std::string_view text) {
  std::string single;
  for (const std::string_view word : base::SplitWords(text)) {
    if (!single.empty()) single += ' ';
    single += word;
  }
  return single;
}

base::StatusOr<ShellLine> ReadAssignments(const std::vector<Word>& words, size_t first) {
  ShellLine line;
  for (size_t index = first; index < words.size(); ++index) {
    const Word& word = words[index];
    if (word.equals != std::string::npos) {
      line.assignments.emplace_back(word.text.substr(0, word.equals), word.text.substr(word.equals + 1));
    } else if (first == 0) {
      return Refuse("a variable for one command only (NAME=value command)");
    } else if (NameLength(word.text) != word.text.size()) {
      return Refuse(fmt::format("an option or name that export does not have here ({})", Excerpt(word.text)));
    }
  }
  return line;
}

}  // namespace

base::StatusOr<ShellLine> ReadShellLine(std::string_view text, const NhcVariables& variables) {
  const std::string single = WithSingleBlanks(text);
  ASHLAR_ASSIGN_OR_RETURN(const std::vector<Word> words, ShellReader(single, variables).Read());
  if (words.empty()) return base::Error(StatusCode::kInvalidArgument, "it holds no check");
  const Word& first = words.front();
  if (first.text == "!") return Refuse("a negation (!)");
  if (first.equals != std::string::npos) return ReadAssignments(words, 0);
  if (first.text == "export") return ReadAssignments(words, 1);
  ShellLine line;
  for (const Word& word : words) line.words.push_back(word.text);
  return line;
}

}  // namespace ashlar::node
