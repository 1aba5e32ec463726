#include "ledger/proof.h"

#include <cstring>

#include "ledger/entry_codec.h"
#include "ledger/limits.h"
#include "ledger/merkle.h"
#include "ledger/proof_writer.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;

constexpr const char* kInclusionSchema = "ashlar.ledger.inclusion/1";
constexpr const char* kConsistencySchema = "ashlar.ledger.consistency/1";

std::string Encode(const base::Sha256Digest& hash) { return base::Base64Encode(base::AsBytes(hash)); }

base::JsonArray EncodePath(const ProofPath& path) {
  base::JsonArray hashes;
  for (const base::Sha256Digest& hash : path) hashes.emplace_back(Encode(hash));
  return hashes;
}

base::StatusOr<base::Sha256Digest> DecodeHash(std::string_view text) {
  const auto bytes = base::Base64Decode(text);
  base::Sha256Digest hash;
  if (!bytes.ok() || bytes->size() != hash.size()) {
    return base::Error(StatusCode::kInvalidArgument, "proof: a hash is no SHA-256 in Base64");
  }
  std::memcpy(hash.data(), bytes->data(), hash.size());
  return hash;
}

base::StatusOr<ProofPath> DecodePath(const base::Json& document) {
  const base::Json* hashes = base::Find(document, "hashes");
  if (hashes == nullptr || !hashes->is_array() || hashes->get_array().size() > kMaxProofHashes) {
    return base::Error(StatusCode::kInvalidArgument, "proof: \"hashes\" is not a list of at most {}", kMaxProofHashes);
  }
  ProofPath path;
  for (const base::Json& hash : hashes->get_array()) {
    if (!hash.is_string()) return base::Error(StatusCode::kInvalidArgument, "proof: a hash is not a text");
    ASHLAR_ASSIGN_OR_RETURN(path.emplace_back(), DecodeHash(hash.get_string()));
  }
  return path;
}

base::StatusOr<uint64_t> DecodeSize(const base::Json& document, std::string_view key) {
  ASHLAR_ASSIGN_OR_RETURN(const int64_t size, base::GetInt(document, key));
  if (size < 0 || static_cast<uint64_t>(size) > kMaxTreeSize) {
    return base::Error(StatusCode::kInvalidArgument, "proof: \"{}\" is no size of a ledger", key);
  }
  return static_cast<uint64_t>(size);
}

base::StatusOr<ProvenFact> VerifyInclusion(const base::Json& document, const Checkpoint& checkpoint) {
  ASHLAR_ASSIGN_OR_RETURN(const std::string entry, base::GetString(document, "entry"));
  ASHLAR_ASSIGN_OR_RETURN(const uint64_t sequence, DecodeSize(document, "sequence"));
  ASHLAR_ASSIGN_OR_RETURN(const ProofPath path, DecodePath(document));
  EntryView view;
  if (!ScanEntry(entry, view) || view.sequence != sequence) {
    return base::Error(StatusCode::kDataLoss, "the proof's entry is not the canonical entry {}", sequence);
  }
  const TreeHead tree{.size = checkpoint.tree_size, .root = checkpoint.root};
  if (!PathShowsInclusion(sequence, LeafHash(entry), tree, path)) {
    return base::Error(StatusCode::kDataLoss,
                       "the proof does not hold: entry {} is not in the signed tree of {} entries", sequence,
                       checkpoint.tree_size);
  }
  return ProvenFact{.statement = fmt::format("entry {} ({}, {}) is in ledger {} of {} entries", sequence, view.kind,
                                             view.time, checkpoint.origin, checkpoint.tree_size),
                    .checkpoint = checkpoint};
}

base::StatusOr<ProvenFact> VerifyConsistency(const base::Json& document, const Checkpoint& checkpoint) {
  TreeHead earlier;
  ASHLAR_ASSIGN_OR_RETURN(earlier.size, DecodeSize(document, "from_tree_size"));
  ASHLAR_ASSIGN_OR_RETURN(const std::string root, base::GetString(document, "from_root"));
  ASHLAR_ASSIGN_OR_RETURN(earlier.root, DecodeHash(root));
  ASHLAR_ASSIGN_OR_RETURN(const ProofPath path, DecodePath(document));
  const TreeHead later{.size = checkpoint.tree_size, .root = checkpoint.root};
  if (!PathShowsConsistency(earlier, later, path)) {
    return base::Error(StatusCode::kDataLoss,
                       "the proof does not hold: the signed tree of {} entries does not extend the one of {}",
                       later.size, earlier.size);
  }
  return ProvenFact{.statement = fmt::format("ledger {} of {} entries extends the one of {} entries with root {}",
                                             checkpoint.origin, later.size, earlier.size, root),
                    .checkpoint = checkpoint};
}

}  // namespace

base::Json WriteInclusionProof(const std::string& entry, const ProofPath& path, const Checkpoint& checkpoint) {
  EntryView view;
  ScanEntry(entry, view);
  return base::JsonObject{{"schema", kInclusionSchema},        {"sequence", view.sequence},
                          {"tree_size", checkpoint.tree_size}, {"entry", entry},
                          {"hashes", EncodePath(path)},        {"checkpoint", checkpoint.note}};
}

base::Json WriteConsistencyProof(const EarlierTree& earlier, const ProofPath& path, const Checkpoint& checkpoint) {
  return base::JsonObject{{"schema", kConsistencySchema},      {"from_tree_size", earlier.size},
                          {"from_root", Encode(earlier.root)}, {"tree_size", checkpoint.tree_size},
                          {"hashes", EncodePath(path)},        {"checkpoint", checkpoint.note}};
}

base::StatusOr<ProvenFact> VerifyProof(std::string_view document, const VerifierKey& key) {
  if (document.size() > kMaxProofBytes) {
    return base::Error(StatusCode::kResourceExhausted, "proof of {} bytes is over the limit of {}", document.size(),
                       kMaxProofBytes);
  }
  const auto json = base::ParseJson(document);
  if (!json.ok()) return base::Annotate(json.status(), "proof");
  ASHLAR_ASSIGN_OR_RETURN(const std::string schema, base::GetString(*json, "schema"));
  ASHLAR_ASSIGN_OR_RETURN(const std::string note, base::GetString(*json, "checkpoint"));
  ASHLAR_ASSIGN_OR_RETURN(const uint64_t tree_size, DecodeSize(*json, "tree_size"));
  ASHLAR_ASSIGN_OR_RETURN(const Checkpoint checkpoint, OpenCheckpoint(note, key));
  if (checkpoint.tree_size != tree_size) {
    return base::Error(StatusCode::kDataLoss, "the proof is for {} entries, its checkpoint for {}", tree_size,
                       checkpoint.tree_size);
  }
  if (schema == kInclusionSchema) return VerifyInclusion(*json, checkpoint);
  if (schema == kConsistencySchema) return VerifyConsistency(*json, checkpoint);
  return base::Error(StatusCode::kInvalidArgument, "proof: schema \"{}\" is none that this program knows", schema);
}

}  // namespace ashlar::ledger
