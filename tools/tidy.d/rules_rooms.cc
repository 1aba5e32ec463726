#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "rules.h"

namespace ashlar::tidy {
namespace {

constexpr std::string_view kLayers = "tools/layers.txt";
constexpr size_t kMinReadmeLines = 15;
constexpr size_t kMaxReadmeLines = 60;
constexpr size_t kMaxSourcesInFolder = 25;

using Edge = std::pair<std::string, std::string>;  // from, to

struct Layers {
  std::map<Edge, size_t> edges;  // line in tools/layers.txt
  std::map<std::string, size_t> rooms;
};

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  for (const std::string_view word : Split(text, ' ')) {
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

Layers ReadLayers(const Tree& tree, Report& report) {
  Layers layers;
  const File* file = tree.Find(kLayers);
  if (file == nullptr) {
    report.Add(kLayers, 1, "layers", "missing: it states which room may include which");
    return layers;
  }
  for (size_t i = 0; i < file->lines.size(); ++i) {
    const std::string_view line = file->lines[i];
    const size_t colon = line.find(':');
    if (line.empty() || line.starts_with('#')) continue;
    if (colon == std::string_view::npos) {
      report.Add(*file, i + 1, "layers", "write a room, a colon and the rooms that it may include");
      continue;
    }
    const std::string room(line.substr(0, colon));
    for (const std::string& lower : Words(line.substr(colon + 1))) {
      if (!layers.rooms.contains(lower)) {
        report.Add(*file, i + 1, "layers", room + " may include only rooms that stand above it, not " + lower);
      }
      layers.edges.emplace(Edge(room, lower), i + 1);
    }
    layers.rooms.emplace(room, i + 1);
  }
  return layers;
}

// The path between the quotes of an #include "..." line.
std::optional<std::string_view> QuotedInclude(std::string_view line) {
  constexpr std::string_view kStart = "#include \"";
  if (!line.starts_with(kStart)) return std::nullopt;
  line.remove_prefix(kStart.size());
  return line.substr(0, line.find('"'));
}

class IncludeCheck {
 public:
  IncludeCheck(const Tree& tree, const Layers& layers, Report& report)
      : tree_(tree), layers_(layers), report_(report) {}

  void Check(const File& file, size_t index) {
    const std::optional<std::string_view> path = QuotedInclude(file.lines[index]);
    if (!path.has_value()) return;
    const std::string from(file.Room());
    const size_t slash = path->find('/');
    const std::string to(path->substr(0, slash));
    if (slash == std::string_view::npos || (tree_.Find("src/" + std::string(*path)) == nullptr)) {
      report_.Add(file, index + 1, "include",
                  "no file src/" + std::string(*path) + ": include files of the house by their path below src/");
      return;
    }
    const bool double_of_test = path->ends_with("_testing.h");
    if (double_of_test && !file.IsTestOnly()) {
      report_.Add(file, index + 1, "include", "test doubles are for tests: the product must not include them");
    }
    if (from == to || from.empty()) return;
    used_.insert(Edge(from, to));
    if (!layers_.edges.contains(Edge(from, to))) {
      report_.Add(file, index + 1, "layers",
                  "tools/layers.txt does not let " + from + " include " + to + ": move the code, or state the edge");
    }
    const std::string facade = to + "/" + to + ".h";
    if (*path != facade && !double_of_test) {
      report_.Add(file, index + 1, "facade", "include \"" + facade + "\": other rooms see only the facade");
    }
  }

  void ReportUnused(const std::set<std::string>& rooms) {
    for (const auto& [edge, line] : layers_.edges) {
      if (used_.contains(edge) || !rooms.contains(edge.first)) continue;
      report_.Add(kLayers, line, "layers",
                  "no file of " + edge.first + " includes " + edge.second + ": remove the edge");
    }
  }

 private:
  const Tree& tree_;
  const Layers& layers_;
  Report& report_;
  std::set<Edge> used_;
};

bool NeedsTest(const File& file) {
  return file.IsSource() && !file.IsTestOnly() && !file.IsTestdata() && file.Stem() != "main" &&
         !file.Stem().ends_with("_module");
}

// A line with `wanted` in the CMakeLists.txt of a room that only a module or a fake driver needs is the room's affair;
// here it is the one line that ashlar_room() reads.
void CheckBuildEdges(const Tree& tree, const Layers& layers, Report& report) {
  for (const auto& [room, line] : layers.rooms) {
    const File* cmake = tree.Find("src/" + room + "/CMakeLists.txt");
    if (cmake == nullptr) continue;
    const std::string_view text = cmake->text;
    std::string_view call = text.substr(std::min(text.find("ashlar_room("), text.size()));
    call = call.substr(0, call.find(')'));
    for (const auto& [edge, at] : layers.edges) {
      if (edge.first != room || HasWord(call, edge.second)) continue;
      report.Add(*cmake, 1, "layers", "name " + edge.second + " after ROOMS, as tools/layers.txt has it");
    }
  }
}

void CheckReadme(const Tree& tree, const std::string& room, Report& report) {
  const std::string path = "src/" + room + "/README.md";
  const File* readme = tree.Find(path);
  if (readme == nullptr) {
    report.Add(path, 1, "room-readme", "missing: what the room is for and not, files in reading order, how to test it");
    return;
  }
  const size_t lines = readme->lines.size();
  if (lines >= kMinReadmeLines && lines <= kMaxReadmeLines) return;
  report.Add(*readme, 1, "room-readme",
             std::to_string(lines) + " lines: a room's README has " + std::to_string(kMinReadmeLines) + " to " +
                 std::to_string(kMaxReadmeLines));
}

// One file pair for each row of a table: as many as there are rows.
bool IsExtensionFolder(const Tree& tree, const std::string& folder) {
  const File* registries = tree.Find("tools/registries.txt");
  if (registries == nullptr) return false;
  return std::any_of(registries->lines.begin(), registries->lines.end(), [&](std::string_view line) {
    return !line.starts_with('#') && line.find("| " + folder + " |") != std::string_view::npos;
  });
}

struct RoomCount {
  size_t sources = 0;
  std::vector<const File*> untested;
};

}  // namespace

void CheckLayers(const Tree& tree, Report& report) {
  const Layers layers = ReadLayers(tree, report);
  std::set<std::string> rooms;
  IncludeCheck includes(tree, layers, report);
  for (const File& file : tree.files) {
    if (!file.IsCpp() || !file.IsIn("src/") || file.IsTestdata()) continue;
    rooms.insert(std::string(file.Room()));
    for (size_t i = 0; i < file.lines.size(); ++i) includes.Check(file, i);
  }
  for (const std::string& room : rooms) {
    if (!layers.rooms.contains(room)) report.Add(kLayers, 1, "layers", "add a line for the room " + room);
  }
  includes.ReportUnused(rooms);
  CheckBuildEdges(tree, layers, report);
}

void CheckRooms(const Tree& tree, Report& report) {
  std::map<std::string, RoomCount> rooms;
  std::map<std::string, size_t> folders;
  for (const File& file : tree.files) {
    if (file.Room().empty()) continue;
    RoomCount& room = rooms[std::string(file.Room())];
    if (!NeedsTest(file)) continue;
    ++room.sources;
    ++folders[std::string(file.Folder())];
    if (tree.Find(file.path.substr(0, file.path.size() - 3) + "_test.cc") == nullptr) room.untested.push_back(&file);
  }
  for (const auto& [name, room] : rooms) {
    CheckReadme(tree, name, report);
    if (room.sources > 0 && tree.Find("src/" + name + "/" + name + ".h") == nullptr && name != "cli") {
      report.Add("src/" + name, 1, "facade", "add the facade " + name + ".h: what other rooms may include");
    }
    // At least nine in ten sources have a test beside them.
    if (room.untested.size() * 10 <= room.sources) continue;
    for (const File* file : room.untested) {
      report.Add(*file, 1, "test-beside", "no " + std::string(file->Stem()) + "_test.cc beside it: add one");
    }
  }
  for (const auto& [folder, sources] : folders) {
    if (sources <= kMaxSourcesInFolder || IsExtensionFolder(tree, folder)) continue;
    report.Add(folder, 1, "folder-size",
               std::to_string(sources) + " sources, allowed are " + std::to_string(kMaxSourcesInFolder) +
                   ": split the folder by purpose");
  }
}

}  // namespace ashlar::tidy
