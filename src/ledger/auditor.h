// What `verify` concludes from the rows of a ledger: pure, so that every kind of tampering is tested without a
// database.
//
// Feed it the stored subtree hashes, then every row in order, then Finish. For one thread.
//
// Rows are judged in groups of 256, the subtrees whose hash is stored. A row whose bytes do not hash to its stored leaf
// is named at once; one that was changed together with its leaf is found by the hash of its group, or by the right edge
// of the signed head, and the smallest range that the stored hashes allow is named.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/base.h"
#include "ledger/checkpoint.h"
#include "ledger/ledger.h"
#include "ledger/merkle.h"
#include "ledger/store.h"

namespace ashlar::ledger {

// What the rows are held against. `head` has a good signature, or is nullopt; `frontier` has its root, or is nullopt.
struct AuditTarget {
  std::optional<Checkpoint> head;
  std::optional<Frontier> frontier;
  std::optional<Checkpoint> checkpoint;  // kept elsewhere, signature checked
};

class Auditor {
 public:
  Auditor(AuditTarget target, VerifyReport& report) : target_(std::move(target)), report_(report) {}

  void AddNode(const NodeRow& node);
  void AddRow(const EntryRow& row);
  void Finish();

 private:
  // The leaf of a row that is there: from its bytes, and as stored.
  struct Leaf {
    base::Sha256Digest computed{};
    base::Sha256Digest stored{};
  };

  void AddFault(FaultKind kind, std::optional<uint64_t> sequence, std::string message);
  bool IsCovered(uint64_t sequence) const { return !target_.head || sequence < target_.head->tree_size; }
  void SkipTo(uint64_t sequence);
  void CheckBytes(const EntryRow& row);
  void AddLeaf(std::optional<Leaf> leaf);
  void CloseGroup();
  void NameMismatches(bool bytes_are_right);
  void KeepPartials(const std::vector<base::Sha256Digest>& leaves);
  std::vector<base::Sha256Digest> Leaves(bool stored) const;

  std::optional<base::Sha256Digest> RootAt(uint64_t size) const;
  std::optional<base::Sha256Digest> SubtreeAt(uint64_t begin, uint32_t level) const;
  void CheckSignedTree();
  void CheckPeak(uint64_t begin, uint32_t level, const base::Sha256Digest& signed_hash);
  void CheckNodes();
  void CheckCheckpoint();

  AuditTarget target_;
  VerifyReport& report_;
  std::map<uint32_t, std::map<uint64_t, std::string>> upper_nodes_;  // levels above the groups: few
  std::vector<std::optional<base::Sha256Digest>> stored_groups_;     // by position
  std::vector<std::optional<base::Sha256Digest>> groups_;            // as the rows give them, or stored when rows miss
  std::set<uint64_t> named_groups_;                                  // groups with a fault that names an entry
  std::map<uint64_t, std::vector<base::Sha256Digest>> partials_;     // by tree size asked for: leaves of its last group
  std::vector<std::optional<Leaf>> open_group_;
  std::vector<base::Sha256Digest> tail_;  // leaves of the last, incomplete group, once finished
  bool tail_is_whole_ = true;
  bool has_lost_tree_ = false;  // a gap too wide to be followed
  bool has_unsigned_rows_ = false;
  uint64_t next_ = 0;  // the sequence that the next row should have
  std::string last_time_;
};

}  // namespace ashlar::ledger
