#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "rules.h"

namespace ashlar::tidy {
namespace {

// Words of work that is not done. The checker itself and its test must spell them.
constexpr std::array<std::string_view, 5> kUnfinishedMarks = {"TODO", "FIXME", "XXX", "HACK", "WIP"};
constexpr std::array<std::string_view, 4> kUnfinishedWords = {"stub", "for now", "placeholder", "simplified"};
constexpr std::array<std::string_view, 2> kSpellsThem = {"tools/tidy.d/", "tools/tidy-test"};

constexpr std::array<std::string_view, 8> kVagueNames = {"util",    "utils", "common",  "helper",
                                                         "helpers", "misc",  "manager", "managers"};
constexpr std::array<std::string_view, 6> kVagueTypes = {"Util", "Utils", "Helper", "Helpers", "Misc", "Manager"};

// Paths that exist on one machine only.
constexpr std::array<std::string_view, 2> kMachinePaths = {"/home/", "/root/"};

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

bool SpellsForbiddenWords(const File& file) {
  return std::any_of(kSpellsThem.begin(), kSpellsThem.end(), [&](std::string_view path) { return file.IsIn(path); });
}

void CheckLineText(const File& file, size_t index, Report& report) {
  const std::string_view line = file.lines[index];
  for (const std::string_view mark : kUnfinishedMarks) {
    if (HasWord(line, mark)) {
      report.Add(file, index + 1, "unfinished", "'" + std::string(mark) + "': finish it, or leave it out");
    }
  }
  const std::string lower = Lower(line);
  for (const std::string_view word : kUnfinishedWords) {
    if (HasWord(lower, word)) {
      report.Add(file, index + 1, "unfinished", "'" + std::string(word) + "': finish it, or say what it really is");
    }
  }
  for (const std::string_view path : kMachinePaths) {
    const size_t at = line.find(path);
    // "/home/" alone may be a mount point; "/home/someone" is somebody's machine.
    if (at == std::string_view::npos || at + path.size() >= line.size()) continue;
    const bool starts = at == 0 || std::isalnum(static_cast<unsigned char>(line[at - 1])) == 0;
    if (starts && std::isalnum(static_cast<unsigned char>(line[at + path.size()])) != 0) {
      report.Add(file, index + 1, "machine-path",
                 "a path below " + std::string(path) + " exists on one machine only: use a path from the caller");
    }
  }
}

void CheckWhiteSpace(const File& file, Report& report) {
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const std::string_view line = file.lines[i];
    if (line.find('\t') != std::string_view::npos) {
      report.Add(file, i + 1, "tab", "a tab character: use blanks");
    }
    if (line.ends_with('\r')) {
      report.Add(file, i + 1, "line-end", "ends with a carriage return: use plain line feeds");
    } else if (line.ends_with(' ')) {
      report.Add(file, i + 1, "line-end", "blanks at the end of the line: remove them");
    }
  }
  if (!file.text.empty() && !file.text.ends_with('\n')) {
    report.Add(file, file.lines.size(), "line-end", "the last line has no line feed: add one");
  }
}

bool IsSnakeCase(std::string_view name) {
  return std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_'; });
}

void CheckPathName(const File& file, Report& report) {
  std::string pieces = Lower(file.path);
  for (const char separator : {'/', '.', '-'}) std::replace(pieces.begin(), pieces.end(), separator, '_');
  for (const std::string_view piece : Split(pieces, '_')) {
    if (std::find(kVagueNames.begin(), kVagueNames.end(), piece) == kVagueNames.end()) continue;
    report.Add(file, 1, "vague-name",
               "'" + std::string(piece) + "' says nothing about what is inside: name the file after its purpose");
  }
}

void CheckTypeNames(const File& file, Report& report) {
  for (size_t i = 1; i < file.tokens.size(); ++i) {
    const std::string_view keyword = file.tokens[i - 1].text;
    if (keyword != "class" && keyword != "struct") continue;
    const std::string_view name = file.tokens[i].text;
    for (const std::string_view ending : kVagueTypes) {
      if (!name.ends_with(ending)) continue;
      report.Add(file, file.tokens[i].line, "vague-name",
                 std::string(name) + ": name the type after what it is, not '" + std::string(ending) + "'");
      break;
    }
  }
}

constexpr std::array<std::string_view, 9> kAlmostEndings = {"_tests", "_unittest", "_benchmark", "_benches", "_fuzzer",
                                                            "_mock",  "_testutil", "_fake",      "_testdata"};

// The end of a name decides which program a source lands in (cmake/AshlarRoom.cmake).
void CheckEnding(const File& file, Report& report) {
  if (file.Room().empty() || file.IsTestdata()) return;
  const std::string_view ending = file.Ending();
  // A module may be C: the ABI that it stands for is.
  const bool module = ending == ".c" && file.path.find("/modules/") != std::string::npos;
  const bool known = file.IsCpp() || module || ending == ".md" || file.path.ends_with("/CMakeLists.txt");
  if (!known) {
    report.Add(file, 1, "file-ending",
               "no room holds '" + std::string(ending) + "' files: data belongs in data/, test input in testdata/");
    return;
  }
  const std::string_view stem = file.Stem();
  if (file.IsCpp() && !IsSnakeCase(stem)) {
    report.Add(file, 1, "file-name", "'" + std::string(stem) + "': file names are snake_case");
  }
  for (const std::string_view almost : kAlmostEndings) {
    if (!file.IsCpp() || !stem.ends_with(almost)) continue;
    report.Add(file, 1, "file-ending",
               "'" + std::string(almost) + "' would land in the product: use _test, _testing, _bench or _fuzz");
  }
}

}  // namespace

void CheckText(const Tree& tree, Report& report) {
  for (const File& file : tree.files) {
    if (file.IsTestdata()) continue;
    CheckWhiteSpace(file, report);
    if (SpellsForbiddenWords(file)) continue;
    for (size_t i = 0; i < file.lines.size(); ++i) CheckLineText(file, i, report);
  }
}

void CheckNames(const Tree& tree, Report& report) {
  for (const File& file : tree.files) {
    CheckPathName(file, report);
    CheckTypeNames(file, report);
    CheckEnding(file, report);
  }
}

void CheckModes(const Tree& tree, Report& report) {
  for (const File& file : tree.files) {
    const bool script = file.text.starts_with("#!");
    if (script && !file.executable) {
      report.Add(file, 1, "file-mode", "starts with #! and cannot be executed: chmod +x " + file.path);
    } else if (!script && file.executable) {
      report.Add(file, 1, "file-mode", "can be executed and is no script: chmod -x " + file.path);
    }
  }
}

}  // namespace ashlar::tidy
