// Fuzz target: proofs, checkpoints and verifier keys come from other people's files.
#include <cstdint>
#include <cstdlib>

#include "ledger/checkpoint.h"
#include "ledger/proof.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ashlar::ledger;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const VerifierKey key{.name = "n", .public_key = std::string(32, 'k')};
  // Nobody has the private half of this key.
  if (VerifyProof(text, key).ok() || OpenCheckpoint(text, key).ok()) std::abort();
  if (const auto checkpoint = ParseCheckpoint(text); checkpoint.ok() && checkpoint->note != text) std::abort();
  if (const auto read = ParseVerifierKey(text); read.ok()) {
    const std::string written = WriteVerifierKey(*read);
    if (written != text && written + "\n" != text) std::abort();
  }
  return 0;
}
