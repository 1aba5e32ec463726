#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rules.h"

namespace ashlar::tidy {
namespace {

constexpr std::string_view kRegistries = "tools/registries.txt";

struct Registry {
  std::string what;
  std::string table;
  std::string folder;
  std::string docs;
  bool only_rows = false;          // every source below the folder is a row
  std::vector<std::string> files;  // of all rows together; empty when each row has its own pair
};

struct Row {
  std::string name;  // snake_case
  size_t line = 0;
};

std::string Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

std::string SnakeFromPascal(std::string_view pascal) {
  std::string snake;
  for (const char c : pascal) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isupper(letter) != 0 && !snake.empty()) snake += '_';
    snake += static_cast<char>(std::tolower(letter));
  }
  return snake;
}

std::string SnakeFromKebab(std::string_view kebab) {
  std::string snake(kebab);
  std::replace(snake.begin(), snake.end(), '-', '_');
  return snake;
}

std::string KebabFromSnake(std::string_view snake) {
  std::string kebab(snake);
  std::replace(kebab.begin(), kebab.end(), '_', '-');
  return kebab;
}

bool IsKebab(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
  });
}

// The rows that a line of a table holds: `{"some-id", ...` or any number of `&kSomeId`.
std::vector<std::string> RowNames(std::string_view line) {
  const size_t brace = line.find("{\"");
  if (brace != std::string_view::npos) {
    const std::string_view id = line.substr(brace + 2, line.find('"', brace + 2) - brace - 2);
    return IsKebab(id) ? std::vector<std::string>{SnakeFromKebab(id)} : std::vector<std::string>();
  }
  std::vector<std::string> names;
  for (size_t at = line.find("&k"); at != std::string_view::npos; at = line.find("&k", at + 1)) {
    size_t end = at + 2;
    while (end < line.size() && std::isalnum(static_cast<unsigned char>(line[end])) != 0) ++end;
    names.push_back(SnakeFromPascal(line.substr(at + 2, end - at - 2)));
  }
  return names;
}

std::vector<Registry> ReadRegistries(const Tree& tree, Report& report) {
  std::vector<Registry> registries;
  const File* file = tree.Find(kRegistries);
  if (file == nullptr) {
    report.Add(kRegistries, 1, "registry", "missing: it lists the tables of extensions");
    return registries;
  }
  for (size_t i = 0; i < file->lines.size(); ++i) {
    if (file->lines[i].empty() || file->lines[i].starts_with('#')) continue;
    const std::vector<std::string_view> cells = Split(file->lines[i], '|');
    if (cells.size() != 5) {
      report.Add(*file, i + 1, "registry", "write five cells, as the head of the file says");
      continue;
    }
    const std::string mode = Trim(cells[4]);
    Registry registry = {Trim(cells[0]), Trim(cells[1]), Trim(cells[2]), Trim(cells[3]), mode == "only-rows", {}};
    if (mode != "only-rows" && mode != "others-too") {
      for (const std::string_view name : Split(mode, ' ')) registry.files.emplace_back(name);
    }
    registries.push_back(std::move(registry));
  }
  return registries;
}

// The only file named `name` below the registry's folder; nullptr when there is none.
const File* FindBelow(const Tree& tree, const Registry& registry, const std::string& name) {
  for (const File& file : tree.files) {
    if (file.IsIn(registry.folder + "/") && file.path.ends_with("/" + name)) return &file;
  }
  return nullptr;
}

// Headings of a Markdown file that hold an id: "## memory-amount: ..." or "### `memory-amount`".
bool HasHeading(const File& docs, const std::string& id) {
  return std::any_of(docs.lines.begin(), docs.lines.end(), [&](std::string_view line) {
    if (!line.starts_with("#")) return false;
    for (size_t at = line.find(id); at != std::string_view::npos; at = line.find(id, at + 1)) {
      const size_t end = at + id.size();
      const auto outside = [&](size_t i) {
        return i >= line.size() || (std::isalnum(static_cast<unsigned char>(line[i])) == 0 && line[i] != '-');
      };
      if (outside(at - 1) && outside(end)) return true;
    }
    return false;
  });
}

void CheckRow(const Tree& tree, const Registry& registry, const Row& row, Report& report) {
  const std::string id = KebabFromSnake(row.name);
  std::vector<std::string> files = registry.files;
  if (files.empty()) files = {row.name + ".cc", row.name + "_test.cc"};
  for (const std::string& name : files) {
    if (FindBelow(tree, registry, name) != nullptr) continue;
    report.Add(registry.table, row.line, "registry",
               "the " + registry.what + " " + id + " has no file " + name + " below " + registry.folder + ": add it");
  }
  const File* docs = tree.Find(registry.docs);
  if (docs == nullptr || !HasHeading(*docs, id)) {
    report.Add(
        registry.table, row.line, "registry",
        "the " + registry.what + " " + id + " has no section in " + registry.docs + ": add a heading with its id");
  }
}

void CheckTable(const Tree& tree, const Registry& registry, Report& report) {
  const File* table = tree.Find(registry.table);
  if (table == nullptr) {
    report.Add(kRegistries, 1, "registry", "no file " + registry.table + ": correct the path");
    return;
  }
  std::set<std::string> names;
  for (size_t i = 0; i < table->lines.size(); ++i) {
    for (const std::string& name : RowNames(table->lines[i])) {
      if (!names.insert(name).second) report.Add(*table, i + 1, "registry", name + " stands here twice");
      CheckRow(tree, registry, {name, i + 1}, report);
    }
  }
  if (names.empty()) report.Add(*table, 1, "registry", "no row found: write {\"id\", ... or &kId");
  if (!registry.only_rows) return;
  for (const File& file : tree.files) {
    const bool source = file.IsSource() && !file.IsTestOnly() && !file.IsTestdata();
    if (!source || !file.IsIn(registry.folder + "/") || file.path == registry.table) continue;
    if (names.contains(std::string(file.Stem()))) continue;
    report.Add(file, 1, "registry", "no row in " + registry.table + ": add it, or remove the file");
  }
}

}  // namespace

void CheckRegistries(const Tree& tree, Report& report) {
  for (const Registry& registry : ReadRegistries(tree, report)) CheckTable(tree, registry, report);
}

}  // namespace ashlar::tidy
