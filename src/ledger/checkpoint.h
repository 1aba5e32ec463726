// A signed head of the ledger: what to keep elsewhere, and what anybody can check with the public key alone.
//
// Format: C2SP tlog-checkpoint in a C2SP signed note (https://c2sp.org/tlog-checkpoint, https://c2sp.org/signed-note),
// Ed25519 (RFC 8032); docs/formats/ledger.md repeats the exact bytes. Any thread may call these.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/base.h"

namespace ashlar::ledger {

struct Checkpoint {
  std::string origin;         // the ledger's name, also that of its key: "ashlar.ledger/0123456789abcdef"
  uint64_t tree_size = 0;     // entries that the head covers
  base::Sha256Digest root{};  // RFC 6962 Merkle tree hash over them
  std::string note;           // the signed note, as stored and printed
};

// The public half of a ledger's key.
struct VerifierKey {
  std::string name;        // the origin
  std::string public_key;  // 32 bytes
};

// "name+hash+key" of C2SP signed note: hash is 8 hexadecimal digits, key is Base64 of 0x01 and the public key.
std::string WriteVerifierKey(const VerifierKey& key);
// kInvalidArgument for anything that WriteVerifierKey would not have written (one newline at the end is allowed).
base::StatusOr<VerifierKey> ParseVerifierKey(std::string_view text);

// Reads a note's text without checking its signature. kInvalidArgument naming the line, kResourceExhausted over
// kMaxNoteBytes.
base::StatusOr<Checkpoint> ParseCheckpoint(std::string_view note);

// Reads a note and checks that `key` signed it and that it is of the ledger that the key names. kDataLoss when not,
// else as ParseCheckpoint.
base::StatusOr<Checkpoint> OpenCheckpoint(std::string_view note, const VerifierKey& key);

}  // namespace ashlar::ledger
