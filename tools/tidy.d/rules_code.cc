#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "functions.h"
#include "rules.h"

namespace ashlar::tidy {
namespace {

struct Ban {
  std::string_view word;
  std::string_view instead;
  std::string_view allowed_in = "";  // one path, or a folder with its slash
};

// Called as functions: `word(`, alone or after `std::` or `::`.
constexpr auto kBannedCalls = std::to_array<Ban>({
    {"system", "run a program with os::Subprocess: no shell, a deadline, its output"},
    {"popen", "run a program with os::Subprocess: no shell, a deadline, its output"},
    {"sprintf", "use fmt::format"},
    {"vsprintf", "use fmt::format"},
    {"strcpy", "use std::string"},
    {"strcat", "use std::string"},
    {"strncpy", "use std::string"},
    {"gets", "use the readers of os"},
    {"strtok", "use base::Split"},
    {"atoi", "use base::ParseInt64, which tells an error from 0"},
    {"atol", "use base::ParseInt64, which tells an error from 0"},
    {"atof", "use base::ParseDouble, which tells an error from 0"},
    {"rand", "take randomness through the constructor"},
    {"srand", "take randomness through the constructor"},
    {"tmpnam", "use a temporary directory of os"},
    {"mktemp", "use a temporary directory of os"},
    {"sleep", "wait on a condition with a deadline"},
    {"usleep", "wait on a condition with a deadline"},
    {"nanosleep", "wait on a condition with a deadline"},
    {"sleep_for", "wait on a condition with a deadline"},
    {"sleep_until", "wait on a condition with a deadline"},
    {"SleepFor", "wait on a condition with a deadline"},
});

// Named as types after their namespace.
struct BannedName {
  std::string_view space;
  std::string_view name;
  std::string_view instead;
  std::string_view allowed_in = "";
};
constexpr auto kBannedNames = std::to_array<BannedName>({
    {"std", "regex", "use base's text functions: std::regex recurses over its input"},
    {"std", "mutex", "use base::Mutex", "src/base/mutex.h"},
    {"std", "recursive_mutex", "use base::Mutex, and no lock taken twice"},
    {"std", "shared_mutex", "use base::Mutex"},
    {"std", "lock_guard", "use base::MutexLock", "src/base/mutex.h"},
    {"std", "scoped_lock", "use base::MutexLock", "src/base/mutex.h"},
    {"std", "unique_lock", "use base::MutexLock", "src/base/mutex.h"},
    {"std", "condition_variable", "use base::CondVar", "src/base/mutex.h"},
    {"std", "thread", "use std::jthread, which is joined and can be asked to stop"},
    {"std", "random_device", "take randomness through the constructor", "src/base/"},
    {"absl", "Mutex", "use base::Mutex (docs/adr/0002-words-of-the-house.md)"},
    {"absl", "MutexLock", "use base::MutexLock (docs/adr/0002-words-of-the-house.md)"},
    {"absl", "string_view", "use std::string_view (docs/adr/0002-words-of-the-house.md)"},
    {"absl", "StrCat", "use fmt::format (docs/adr/0002-words-of-the-house.md)"},
});

// Threads that call into libraries which may hang for ever: joining them would hang as well.
constexpr std::array<std::string_view, 2> kMayDetach = {"src/net/resolver.cc", "src/node/gpu/gpu_watch.cc"};

bool MayDetach(const File& file) {
  return std::find(kMayDetach.begin(), kMayDetach.end(), file.path) != kMayDetach.end();
}

bool IsAllowed(const File& file, std::string_view allowed_in) {
  if (allowed_in.empty()) return false;
  return allowed_in.ends_with('/') ? file.IsIn(allowed_in) : file.path == allowed_in;
}

// A call of the C or standard function, not of a member or of another namespace's function of that name, and not the
// declaration of one ("Clock& sleep(").
bool IsCallOf(const File& file, size_t i, std::string_view word) {
  const std::vector<Token>& tokens = file.tokens;
  if (tokens[i].text != word || i + 1 >= tokens.size() || tokens[i + 1].text != "(") return false;
  const std::string_view before = i > 0 ? tokens[i - 1].text : "";
  if (before == "." || before == "->" || before == "&" || before == "*") return false;
  if (before != "::") return true;
  const std::string_view space = i > 1 ? tokens[i - 2].text : "";
  return space == "std" || space == "this_thread" || space == "absl" ||
         std::isalnum(static_cast<unsigned char>(space.empty() ? ' ' : space.back())) == 0;
}

void CheckToken(const File& file, size_t i, Report& report) {
  const Token& token = file.tokens[i];
  for (const Ban& ban : kBannedCalls) {
    if (IsCallOf(file, i, ban.word) && !IsAllowed(file, ban.allowed_in)) {
      report.Add(file, token.line, "banned-call", std::string(ban.word) + "(): " + std::string(ban.instead));
    }
  }
  if (i < 2 || file.tokens[i - 1].text != "::") return;
  for (const BannedName& ban : kBannedNames) {
    if (token.text != ban.name || file.tokens[i - 2].text != ban.space || IsAllowed(file, ban.allowed_in)) continue;
    if (ban.name == "thread" && MayDetach(file)) continue;
    // A static member, as std::thread::hardware_concurrency(), is no object of the type.
    if (i + 1 < file.tokens.size() && file.tokens[i + 1].text == "::") continue;
    report.Add(file, token.line, "banned-name",
               std::string(ban.space) + "::" + std::string(ban.name) + ": " + std::string(ban.instead));
  }
}

void CheckThreadsAndThrows(const File& file, Report& report) {
  const std::vector<Token>& tokens = file.tokens;
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (i > 0 && tokens[i].text == "detach" && tokens[i - 1].text == "." && tokens[i + 1].text == "(" &&
        !MayDetach(file)) {
      report.Add(file, tokens[i].line, "banned-call", "detach(): a thread has an owner that joins it");
    }
    if (tokens[i].text == "throw" && !file.IsTestOnly()) {
      report.Add(file, tokens[i].line, "banned-call", "throw: nothing of ours throws, return a base::Status");
    }
  }
}

// Input is never asserted: it is refused with a message.
void CheckAssertions(const File& file, Report& report) {
  constexpr std::array<std::string_view, 5> kReaders = {"Parse", "Read", "Decode", "Load", "Handle"};
  for (const Function& function : FindFunctions(file.tokens)) {
    const bool reads = std::any_of(kReaders.begin(), kReaders.end(),
                                   [&](std::string_view start) { return function.name.starts_with(start); });
    if (!reads) continue;
    for (size_t i = function.first_token; i < function.last_token; ++i) {
      if (file.tokens[i].text != "assert" || file.tokens[i + 1].text != "(") continue;
      report.Add(file, file.tokens[i].line, "assert-on-input",
                 std::string(function.name) + " reads input: return a status instead of assert");
    }
  }
}

// The text after "//" where a line holds nothing else; empty otherwise.
std::string_view WholeLineComment(std::string_view line) {
  const size_t at = line.find_first_not_of(' ');
  if (at == std::string_view::npos || !line.substr(at).starts_with("//")) return {};
  std::string_view comment = line.substr(at + 2);
  const size_t text = comment.find_first_not_of(' ');
  return text == std::string_view::npos ? std::string_view() : comment.substr(text);
}

// "Call(x);" and not prose "of logs (as published);": in code no blank stands before the parenthesis.
bool HasCall(std::string_view comment) {
  const size_t at = comment.find('(');
  return at != std::string_view::npos && at > 0 && comment[at - 1] != ' ';
}

bool LooksLikeCode(std::string_view comment) {
  if (comment.find('`') != std::string_view::npos) return false;
  if (comment.starts_with("#include")) return true;
  const bool ends_as_code = comment.ends_with(';') || comment.ends_with('{') || comment == "}" || comment == "};";
  return ends_as_code && (HasCall(comment) || comment.find(" = ") != std::string_view::npos ||
                          comment.starts_with("return") || comment.starts_with('}'));
}

bool IsBanner(std::string_view comment) {
  const auto drawn = [](char c) { return c == '-' || c == '=' || c == '*' || c == '/' || c == '#' || c == '~'; };
  return comment.size() > 4 &&
         std::count_if(comment.begin(), comment.end(), drawn) * 2 > static_cast<ptrdiff_t>(comment.size());
}

// Shared ownership needs its reason where it is kept: at the member or the alias.
void CheckSharedPointer(const File& file, size_t index, Report& report) {
  const std::string_view code = file.code_lines[index];
  const bool keeps = code.find("shared_ptr<") != std::string_view::npos && code.find('(') == std::string_view::npos &&
                     code.find(';') != std::string_view::npos;
  if (!keeps || file.IsTestOnly()) return;
  const bool here = file.lines[index].find("//") != std::string_view::npos;
  const bool above = index > 0 && !WholeLineComment(file.lines[index - 1]).empty();
  if (here || above) return;
  report.Add(file, index + 1, "shared-pointer", "say on this line, or above it, why ownership is shared");
}

void CheckOwnHeaderFirst(const Tree& tree, const File& file, Report& report) {
  if (!file.IsSource() || file.IsTestOnly() || !file.IsIn("src/")) return;
  const std::string header = file.path.substr(0, file.path.size() - 3) + ".h";
  if (tree.Find(header) == nullptr) return;
  const std::string wanted = "#include \"" + header.substr(4) + "\"";
  for (size_t i = 0; i < file.lines.size(); ++i) {
    if (!file.lines[i].starts_with("#include")) continue;
    if (!file.lines[i].starts_with(wanted)) {
      report.Add(file, i + 1, "own-header-first", "the first include must be " + wanted);
    }
    return;
  }
}

void CheckHeaderStart(const File& file, Report& report) {
  if (file.lines.empty() || !file.lines.front().starts_with("// ")) {
    report.Add(file, 1, "header-comment", "open with what the header is for, who owns what, which threads may call it");
  }
  if (std::find(file.lines.begin(), file.lines.end(), "#pragma once") == file.lines.end()) {
    report.Add(file, 1, "header-guard", "add #pragma once after the opening comment");
  }
  for (size_t i = 0; i + 1 < file.tokens.size(); ++i) {
    if (file.tokens[i].text == "using" && file.tokens[i + 1].text == "namespace") {
      report.Add(file, file.tokens[i].line, "using-namespace", "a header must not open a namespace for its readers");
    }
  }
  for (size_t i = 0; i < file.lines.size(); ++i) {
    if (file.lines[i].starts_with("#include <absl/strings/") || file.lines[i].starts_with("#include <absl/synchr")) {
      report.Add(file, i + 1, "banned-include", "not in headers (docs/adr/0002-words-of-the-house.md)");
    }
  }
}

// Shared objects that stand in for a vendor's driver in tests: C of theirs, with their faults.
bool IsFakeDriver(const File& file) { return file.path.find("/modules/fake_") != std::string::npos; }

}  // namespace

void CheckCalls(const Tree& tree, Report& report) {
  for (const File& file : tree.files) {
    if (!file.IsCpp() || !file.IsIn("src/") || IsFakeDriver(file)) continue;
    for (size_t i = 0; i < file.tokens.size(); ++i) CheckToken(file, i, report);
    CheckThreadsAndThrows(file, report);
    CheckAssertions(file, report);
  }
}

void CheckComments(const Tree& tree, Report& report) {
  for (const File& file : tree.files) {
    if (!file.IsCpp() || file.IsTestdata()) continue;
    for (size_t i = 0; i < file.lines.size(); ++i) {
      const std::string_view comment = WholeLineComment(file.lines[i]);
      if (LooksLikeCode(comment)) {
        report.Add(file, i + 1, "commented-code", "code in a comment: remove it, the history keeps it");
      }
      if (IsBanner(comment)) report.Add(file, i + 1, "banner", "a drawn line: remove it");
      CheckSharedPointer(file, i, report);
    }
  }
}

void CheckHeaders(const Tree& tree, Report& report) {
  for (const File& file : tree.files) {
    if (file.IsTestdata()) continue;
    if (file.IsHeader()) CheckHeaderStart(file, report);
    CheckOwnHeaderFirst(tree, file, report);
  }
}

}  // namespace ashlar::tidy
