#include "tree.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <sstream>
#include <tuple>
#include <utility>

#include "lexer.h"

namespace ashlar::tidy {
namespace {

bool IsWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string ReadText(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  std::string text = out.str();
  // Pictures and the like: no rule reads them.
  if (text.find('\0') != std::string::npos) text.clear();
  return text;
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines = Split(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

}  // namespace

bool File::IsTestOnly() const {
  const std::string_view stem = Stem();
  constexpr std::array<std::string_view, 4> kEndings = {"_test", "_testing", "_bench", "_fuzz"};
  return IsIn("tests/") ||
         std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view end) { return stem.ends_with(end); });
}

std::string_view File::Stem() const {
  std::string_view name = path;
  name.remove_prefix(name.rfind('/') + 1);
  return name.substr(0, name.rfind('.'));
}

std::string_view File::Folder() const {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string_view() : std::string_view(path).substr(0, slash);
}

std::string_view File::Ending() const {
  std::string_view name = path;
  name.remove_prefix(name.rfind('/') + 1);
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot);
}

std::string_view File::Room() const {
  const std::vector<std::string_view> parts = Split(path, '/');
  return parts.size() > 2 && parts[0] == "src" ? parts[1] : std::string_view();
}

const File* Tree::Find(std::string_view path) const {
  const auto found = by_path.find(path);
  return found == by_path.end() ? nullptr : found->second;
}

Tree ReadTree(std::vector<std::string> paths) {
  std::sort(paths.begin(), paths.end());
  Tree tree;
  tree.files.reserve(paths.size());
  for (std::string& path : paths) {
    File& file = tree.files.emplace_back();
    file.text = ReadText(path);
    file.executable = access(path.c_str(), X_OK) == 0;
    file.path = std::move(path);
  }
  // Views are made when no string moves any more.
  for (File& file : tree.files) {
    file.lines = LinesOf(file.text);
    if (file.IsCpp()) {
      file.code = BlankCommentsAndLiterals(file.text);
      file.code_lines = LinesOf(file.code);
      file.tokens = Tokenize(file.code);
    }
    tree.by_path.emplace(file.path, &file);
  }
  return tree;
}

std::vector<Finding> Report::Sorted() const {
  std::vector<Finding> sorted = findings_;
  std::sort(sorted.begin(), sorted.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.path, a.line, a.rule, a.message) < std::tie(b.path, b.line, b.rule, b.message);
  });
  return sorted;
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (true) {
    const size_t at = text.find(separator);
    pieces.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return pieces;
    text.remove_prefix(at + 1);
  }
}

bool HasWord(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool starts = at == 0 || !IsWordCharacter(text[at - 1]);
    const size_t end = at + word.size();
    if (starts && (end == text.size() || !IsWordCharacter(text[end]))) return true;
  }
  return false;
}

}  // namespace ashlar::tidy
