#include "ledger/checkpoint.h"

#include <algorithm>
#include <cstring>

#include "ledger/checkpoint_writer.h"
#include "ledger/ed25519.h"
#include "ledger/limits.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;

constexpr char kEd25519Type = 1;                          // C2SP signed note, signature types
constexpr std::string_view kSignaturePrefix = "\u2014 ";  // em dash and a blank
constexpr size_t kKeyHashBytes = 4;
constexpr size_t kPublicKeyBytes = 32;
constexpr size_t kMaxSignatures = 16;  // ours and those that witnesses may have added

// The name of a key is not empty and holds no blank and no plus (C2SP signed note); ours are plain ASCII.
bool IsKeyName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < 0x7F && c != '+'; });
}

// SHA-256(name || 0x0A || type || public key), the first four bytes.
std::string KeyHash(std::string_view name, std::string_view public_key) {
  std::string bytes(name);
  bytes += '\n';
  bytes += kEd25519Type;
  bytes += public_key;
  return std::string(base::AsBytes(base::Sha256(bytes)).substr(0, kKeyHashBytes));
}

// A note cut at its blank line: the text that is signed, with its last newline, and the lines below.
struct NoteParts {
  std::string_view text;
  std::vector<std::string_view> signatures;
};

base::StatusOr<NoteParts> CutNote(std::string_view note) {
  if (note.size() > kMaxNoteBytes) {
    return base::Error(StatusCode::kResourceExhausted, "checkpoint of {} bytes is over the limit of {}", note.size(),
                       kMaxNoteBytes);
  }
  const size_t blank = note.rfind("\n\n");
  if (blank == std::string_view::npos || !note.ends_with('\n')) {
    return base::Error(StatusCode::kInvalidArgument,
                       "checkpoint: want its text, a blank line and the signature, each line ended: copy all of it");
  }
  NoteParts parts;
  parts.text = note.substr(0, blank + 1);
  std::string_view below = note.substr(blank + 2);
  if (!below.empty()) below.remove_suffix(1);
  parts.signatures = base::Split(below, '\n');
  const bool all_signatures = std::all_of(parts.signatures.begin(), parts.signatures.end(),
                                          [](std::string_view line) { return line.starts_with(kSignaturePrefix); });
  if (!all_signatures || parts.signatures.size() > kMaxSignatures) {
    return base::Error(StatusCode::kInvalidArgument,
                       "checkpoint: below the blank line want 1 to {} lines that begin with an em dash and a blank",
                       kMaxSignatures);
  }
  return parts;
}

// True when one of the lines is a signature by `key` over the text.
bool IsSignedBy(const NoteParts& parts, const VerifierKey& key) {
  const std::string hash = KeyHash(key.name, key.public_key);
  for (std::string_view line : parts.signatures) {
    line.remove_prefix(kSignaturePrefix.size());
    const size_t blank = line.find(' ');
    if (blank == std::string_view::npos || line.substr(0, blank) != key.name) continue;
    const auto bytes = base::Base64Decode(line.substr(blank + 1));
    if (!bytes.ok() || !bytes->starts_with(hash)) continue;
    if (SignatureHolds(key.public_key, parts.text, std::string_view(*bytes).substr(kKeyHashBytes))) return true;
  }
  return false;
}

}  // namespace

std::string WriteVerifierKey(const VerifierKey& key) {
  return fmt::format("{}+{}+{}", key.name, base::HexEncode(KeyHash(key.name, key.public_key)),
                     base::Base64Encode(kEd25519Type + key.public_key));
}

base::StatusOr<VerifierKey> ParseVerifierKey(std::string_view text) {
  const auto refuse = [](std::string_view why) {
    return base::Error(StatusCode::kInvalidArgument,
                       "verifier key: {}; want name+hash+key as `ashlar ledger checkpoint --key` prints it", why);
  };
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.size() > kMaxKeyFileBytes) return refuse("it is too long");
  const size_t first = text.find('+');
  const size_t second = first == std::string_view::npos ? first : text.find('+', first + 1);
  if (second == std::string_view::npos) return refuse("it has no three parts");
  VerifierKey key;
  key.name = text.substr(0, first);
  if (!IsKeyName(key.name)) return refuse("its name is malformed");
  const auto bytes = base::Base64Decode(text.substr(second + 1));
  if (!bytes.ok() || bytes->size() != 1 + kPublicKeyBytes || bytes->front() != kEd25519Type) {
    return refuse("its key is not an Ed25519 key in Base64");
  }
  key.public_key = bytes->substr(1);
  if (WriteVerifierKey(key) != text) return refuse("its hash does not belong to the key");
  return key;
}

base::StatusOr<Checkpoint> ParseCheckpoint(std::string_view note) {
  ASHLAR_ASSIGN_OR_RETURN(const NoteParts parts, CutNote(note));
  const auto lines = base::SplitLines(parts.text);
  if (lines.size() != 3) {
    return base::Error(StatusCode::kInvalidArgument, "checkpoint: want 3 lines above the blank one, got {}",
                       lines.size());
  }
  Checkpoint checkpoint;
  checkpoint.origin = lines[0];
  if (!IsKeyName(checkpoint.origin)) {
    return base::Error(StatusCode::kInvalidArgument, "checkpoint: line 1 is no ledger's name");
  }
  const auto size = base::ParseUint64(lines[1]);
  if (!size || *size > kMaxTreeSize || fmt::format("{}", *size) != lines[1]) {
    return base::Error(StatusCode::kInvalidArgument, "checkpoint: line 2 is no tree size");
  }
  checkpoint.tree_size = *size;
  const auto root = base::Base64Decode(lines[2]);
  if (!root.ok() || root->size() != checkpoint.root.size()) {
    return base::Error(StatusCode::kInvalidArgument, "checkpoint: line 3 is no SHA-256 in Base64");
  }
  std::memcpy(checkpoint.root.data(), root->data(), root->size());
  checkpoint.note = note;
  return checkpoint;
}

base::StatusOr<Checkpoint> OpenCheckpoint(std::string_view note, const VerifierKey& key) {
  ASHLAR_ASSIGN_OR_RETURN(Checkpoint checkpoint, ParseCheckpoint(note));
  if (checkpoint.origin != key.name) {
    return base::Error(StatusCode::kDataLoss, "the head is of ledger \"{}\", the key of \"{}\"", checkpoint.origin,
                       key.name);
  }
  ASHLAR_ASSIGN_OR_RETURN(const NoteParts parts, CutNote(note));
  if (!IsSignedBy(parts, key)) {
    return base::Error(StatusCode::kDataLoss, "the signature of the head over {} entries is not by the ledger's key",
                       checkpoint.tree_size);
  }
  return checkpoint;
}

base::StatusOr<std::string> WriteCheckpoint(const std::string& origin, const TreeHead& tree, const SigningKey& key) {
  const std::string text = fmt::format("{}\n{}\n{}\n", origin, tree.size, base::Base64Encode(base::AsBytes(tree.root)));
  ASHLAR_ASSIGN_OR_RETURN(const std::string signature, key.Sign(text));
  return fmt::format("{}\n{}{} {}\n", text, kSignaturePrefix, origin,
                     base::Base64Encode(KeyHash(origin, key.public_key()) + signature));
}

}  // namespace ashlar::ledger
