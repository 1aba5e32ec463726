// The rules of docs/development.md that need no compiler. Each looks at the whole tree and reports what it finds.
//
// To add one: write the function in the file of its subject, add its row to the table in rules.cc, a case to
// tools/tidy-test that plants a violation, and a line to docs/development.md.
#pragma once

#include <span>
#include <string_view>

#include "tree.h"

namespace ashlar::tidy {

struct Rule {
  std::string_view subject;
  void (*check)(const Tree& tree, Report& report);
};

std::span<const Rule> Rules();

// Budgets of files and functions, and how functions are declared (rules_budget.cc).
void CheckBudgets(const Tree& tree, Report& report);

// Text, names and mode bits of every file (rules_text.cc).
void CheckText(const Tree& tree, Report& report);
void CheckNames(const Tree& tree, Report& report);
void CheckModes(const Tree& tree, Report& report);

// What C++ must not hold, and how headers begin (rules_code.cc).
void CheckCalls(const Tree& tree, Report& report);
void CheckComments(const Tree& tree, Report& report);
void CheckHeaders(const Tree& tree, Report& report);

// Rooms: layers, tests beside sources, README (rules_rooms.cc).
void CheckLayers(const Tree& tree, Report& report);
void CheckRooms(const Tree& tree, Report& report);

// Extension tables against files, tests and docs (rules_registries.cc).
void CheckRegistries(const Tree& tree, Report& report);

}  // namespace ashlar::tidy
