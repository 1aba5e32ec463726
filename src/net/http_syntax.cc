#include "net/http_syntax.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ashlar::net {
namespace {

enum CharacterClass : uint8_t { kTokenClass = 1, kFieldClass = 2, kTargetClass = 4, kAuthorityClass = 8 };

constexpr std::string_view kTokenMarks = "!#$%&'*+-.^_`|~";
constexpr std::string_view kAuthorityMarks = "-._~!$&'()*+,;=%:[]";

constexpr bool IsAlphanumeric(int c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// One look-up a byte: these run over every byte of every head.
constexpr std::array<uint8_t, 256> MakeClasses() {
  std::array<uint8_t, 256> classes{};
  for (int c = 0; c < 256; ++c) {
    const char character = static_cast<char>(c);
    unsigned bits = 0;
    const bool visible = c > 0x20 && c < 0x7F;
    if (IsAlphanumeric(c) || kTokenMarks.find(character) != std::string_view::npos) bits |= kTokenClass;
    if (visible || c == ' ' || c == '\t' || c >= 0x80) bits |= kFieldClass;
    if (visible && c != '#') bits |= kTargetClass;
    if (IsAlphanumeric(c) || kAuthorityMarks.find(character) != std::string_view::npos) bits |= kAuthorityClass;
    classes[static_cast<size_t>(c)] = static_cast<uint8_t>(bits);
  }
  return classes;
}

constexpr std::array<uint8_t, 256> kClasses = MakeClasses();

bool AllOf(std::string_view text, CharacterClass wanted) {
  return std::all_of(text.begin(), text.end(), [wanted](char c) {
    return (kClasses[static_cast<unsigned char>(c)] & static_cast<unsigned>(wanted)) != 0;
  });
}

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

}  // namespace

bool IsToken(std::string_view text) { return !text.empty() && AllOf(text, kTokenClass); }

bool IsFieldValue(std::string_view text) { return AllOf(text, kFieldClass); }

bool IsTargetText(std::string_view text) { return !text.empty() && AllOf(text, kTargetClass); }

bool IsAuthority(std::string_view text) { return !text.empty() && text.front() != ':' && AllOf(text, kAuthorityClass); }

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return Lower(x) == Lower(y); });
}

std::string_view TrimBlanks(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace ashlar::net
