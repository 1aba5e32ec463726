// The files that tools/tidy looks at, read once, and where its rules put what they find.
//
// A Tree owns the text of every file; tokens and views point into it and live as long as it does. One thread.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ashlar::tidy {

// One word, number or punctuator of C++ ("::" and "->" are one), outside comments, literals and preprocessor lines.
struct Token {
  std::string_view text;
  size_t line = 0;  // from 1
};

struct File {
  std::string path;  // relative to the root, "/" between folders
  std::string text;
  bool executable = false;
  std::vector<std::string_view> lines;  // without their line feed

  // For C++ only; empty otherwise.
  std::string code;                          // as long as text; comments and literals' contents are blanks
  std::vector<std::string_view> code_lines;  // of `code`
  std::vector<Token> tokens;

  bool IsHeader() const { return path.ends_with(".h"); }
  bool IsSource() const { return path.ends_with(".cc"); }
  bool IsCpp() const { return IsHeader() || IsSource(); }
  // Only for tests, benchmarks and fuzzing: never part of the product.
  bool IsTestOnly() const;
  bool IsIn(std::string_view folder) const { return path.starts_with(folder); }
  // File name without folder and without its last ending.
  std::string_view Stem() const;
  std::string_view Folder() const;  // "src/os"
  std::string_view Ending() const;  // ".cc", or the whole name when there is no dot
  // "os" for "src/os/x.cc"; empty outside src/.
  std::string_view Room() const;
  bool IsTestdata() const { return path.find("/testdata/") != std::string::npos; }
};

struct Tree {
  std::vector<File> files;  // sorted by path
  std::map<std::string, const File*, std::less<>> by_path;

  const File* Find(std::string_view path) const;
};

// Reads the files named by `paths`, relative to the current folder. Files that are no text keep an empty text.
Tree ReadTree(std::vector<std::string> paths);

// What a rule found, written as "path:line: rule: message".
struct Finding {
  std::string path;
  size_t line = 0;
  std::string rule;
  std::string message;  // says what to do
};

class Report {
 public:
  void Add(const File& file, size_t line, std::string_view rule, std::string message) {
    findings_.push_back({file.path, line, std::string(rule), std::move(message)});
  }
  void Add(std::string_view path, size_t line, std::string_view rule, std::string message) {
    findings_.push_back({std::string(path), line, std::string(rule), std::move(message)});
  }
  // In the order of path and line.
  std::vector<Finding> Sorted() const;

 private:
  std::vector<Finding> findings_;
};

// Pieces between separators, empty ones kept.
std::vector<std::string_view> Split(std::string_view text, char separator);

// True when `text` holds `word` with no letter, digit or underscore beside it.
bool HasWord(std::string_view text, std::string_view word);

}  // namespace ashlar::tidy
