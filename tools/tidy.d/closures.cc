#include "closures.h"

#include <cstdint>
#include <iomanip>
#include <set>
#include <string>

namespace ashlar::tidy {
namespace {

// FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/
constexpr uint64_t kOffsetBasis = 0xcbf29ce484222325U;
constexpr uint64_t kPrime = 0x100000001b3U;

uint64_t Hash(std::string_view text, uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  return hash;
}

void Collect(const Tree& tree, const File& file, std::set<const File*>& seen) {
  if (!seen.insert(&file).second) return;
  constexpr std::string_view kStart = "#include \"";
  for (const std::string_view line : file.lines) {
    if (!line.starts_with(kStart)) continue;
    const std::string_view path = line.substr(kStart.size(), line.find('"', kStart.size()) - kStart.size());
    const File* included = tree.Find("src/" + std::string(path));
    if (included != nullptr) Collect(tree, *included, seen);
  }
}

}  // namespace

void PrintClosures(const Tree& tree, std::ostream& out) {
  for (const File& file : tree.files) {
    if (!file.IsCpp() || !file.IsIn("src/") || file.IsTestdata()) continue;
    std::set<const File*> seen;
    Collect(tree, file, seen);
    // In the order of paths, which is the order of the tree: the same on every machine.
    uint64_t hash = kOffsetBasis;
    for (const File* part : seen) {
      hash = Hash(part->path, hash);
      hash = Hash(part->text, hash);
    }
    out << std::hex << std::setw(16) << std::setfill('0') << hash << ' ' << file.path << '\n';
  }
}

}  // namespace ashlar::tidy
