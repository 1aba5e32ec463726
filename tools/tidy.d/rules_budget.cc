#include <string>

#include "functions.h"
#include "rules.h"

namespace ashlar::tidy {
namespace {

constexpr size_t kMaxSourceLines = 500;
constexpr size_t kMaxHeaderLines = 300;
constexpr size_t kMaxTestLines = 800;
constexpr size_t kMaxFunctionLines = 70;
constexpr size_t kMaxParameters = 5;
constexpr size_t kMaxNesting = 4;
constexpr size_t kMaxLineWidth = 120;

// Their strings cannot be broken.
bool IsBuildScript(const File& file) { return file.Ending() == ".cmake" || file.path.ends_with("CMakeLists.txt"); }

bool HasLineBudget(const File& file) {
  return file.IsCpp() || file.Ending() == ".sh" || IsBuildScript(file) || file.text.starts_with("#!");
}

size_t LineBudget(const File& file) {
  if (file.Stem().ends_with("_test") || file.IsIn("tests/")) return kMaxTestLines;
  return file.IsHeader() ? kMaxHeaderLines : kMaxSourceLines;
}

// Characters, not bytes: the first byte of each UTF-8 character counts.
size_t Width(std::string_view line) {
  size_t width = 0;
  for (const char c : line) width += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return width;
}

void CheckFunctions(const File& file, Report& report) {
  for (const Function& function : FindFunctions(file.tokens)) {
    const std::string name = function.name.empty() ? "this lambda" : std::string(function.name);
    const size_t line = function.first_line;
    if (function.Lines() > kMaxFunctionLines) {
      report.Add(file, line, "function-lines",
                 name + " has " + std::to_string(function.Lines()) + " lines, allowed are " +
                     std::to_string(kMaxFunctionLines) + ": split it by what its parts do");
    }
    if (function.parameters > kMaxParameters) {
      report.Add(file, line, "function-parameters",
                 name + " takes " + std::to_string(function.parameters) + " parameters, allowed are " +
                     std::to_string(kMaxParameters) + ": pass an options struct");
    }
    if (function.bool_parameters > 1) {
      report.Add(file, line, "bool-parameters",
                 name + " takes more than one bool, and a call does not say which is which: pass an options struct");
    }
    if (function.deepest > kMaxNesting) {
      report.Add(file, function.deepest_line, "nesting",
                 name + " nests " + std::to_string(function.deepest) + " deep here, allowed are " +
                     std::to_string(kMaxNesting) + ": leave early or make a function of the inner part");
    }
  }
}

}  // namespace

void CheckBudgets(const Tree& tree, Report& report) {
  for (const File& file : tree.files) {
    if (file.IsTestdata() || !HasLineBudget(file)) continue;
    if (file.lines.size() > LineBudget(file)) {
      report.Add(file, file.lines.size(), "file-lines",
                 std::to_string(file.lines.size()) + " lines, allowed are " + std::to_string(LineBudget(file)) +
                     ": split the file by purpose");
    }
    for (size_t i = 0; i < file.lines.size() && !IsBuildScript(file); ++i) {
      if (Width(file.lines[i]) <= kMaxLineWidth) continue;
      report.Add(file, i + 1, "line-width",
                 "more than " + std::to_string(kMaxLineWidth) + " characters: break the line");
    }
    CheckFunctions(file, report);
  }
}

}  // namespace ashlar::tidy
