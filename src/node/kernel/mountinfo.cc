#include "node/kernel/mountinfo.h"

#include <algorithm>

#include "node/kernel/text_scanner.h"
#include "node/limits.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kPath = "/proc/self/mountinfo";

bool IsOctal(char character) { return character >= '0' && character <= '7'; }

void AddOptions(std::string_view text, std::vector<std::string>& options, bool& read_only) {
  for (const std::string_view option : base::Split(text, ',')) {
    if (option == "ro") read_only = true;
    if (!option.empty() && std::find(options.begin(), options.end(), option) == options.end()) {
      options.emplace_back(option);
    }
  }
}

// 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
bool ReadLine(std::string_view line, MountLine& mount) {
  WordScanner words(line);
  uint64_t ignored = 0;
  if (!words.NextUint64(ignored) || !words.NextUint64(ignored)) return false;  // mount and parent identifier
  if (words.Next().find(':') == std::string_view::npos) return false;          // major:minor
  if (words.Next().empty()) return false;                                      // root within the file system
  const auto mount_point = UnescapeMountField(words.Next());
  const std::string_view mount_options = words.Next();
  std::string_view word = words.Next();
  while (!word.empty() && word != "-") word = words.Next();  // optional fields
  const std::string_view type = words.Next();
  const auto device = UnescapeMountField(words.Next());
  if (word != "-" || type.empty() || !mount_point || mount_point->empty() || !device) return false;
  mount = {*mount_point, *device, std::string(type), {}, false};
  AddOptions(mount_options, mount.options, mount.read_only);
  AddOptions(words.Next(), mount.options, mount.read_only);
  return true;
}

}  // namespace

std::optional<std::string> UnescapeMountField(std::string_view text) {
  std::string plain;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\') {
      plain.push_back(text[at]);
      continue;
    }
    const std::string_view digits = text.substr(at + 1, 3);
    if (digits.size() < 3 || !std::all_of(digits.begin(), digits.end(), IsOctal) || digits[0] > '3') {
      return std::nullopt;
    }
    plain.push_back(static_cast<char>((digits[0] - '0') * 64 + (digits[1] - '0') * 8 + (digits[2] - '0')));
    at += digits.size();
  }
  return plain;
}

base::StatusOr<std::vector<MountLine>> ParseMountinfo(std::string_view text) {
  std::vector<MountLine> mounts;
  LineScanner lines(text);
  std::string_view line;
  while (lines.Next(line)) {
    if (mounts.size() == kMaxMounts) {
      return base::Error(base::StatusCode::kResourceExhausted, "{}: more than {} mounts", kPath, kMaxMounts);
    }
    MountLine mount;
    if (!ReadLine(line, mount)) return MalformedLine(kPath, lines.number(), line, "no mount");
    mounts.push_back(std::move(mount));
  }
  return mounts;
}

}  // namespace ashlar::node
