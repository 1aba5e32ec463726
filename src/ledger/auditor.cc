#include "ledger/auditor.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "ledger/entry_codec.h"
#include "ledger/limits.h"

namespace ashlar::ledger {
namespace {

using base::Sha256Digest;

constexpr uint64_t kWidestGap = uint64_t{1} << 24U;   // in rows; beyond it only an edited number is plausible
constexpr uint64_t kMostGroups = uint64_t{1} << 32U;  // a stored position above is no position

std::optional<Sha256Digest> AsDigest(std::string_view bytes) {
  Sha256Digest digest;
  if (bytes.size() != digest.size()) return std::nullopt;
  std::memcpy(digest.data(), bytes.data(), bytes.size());
  return digest;
}

Sha256Digest Fold(const std::vector<Sha256Digest>& hashes) {
  Frontier frontier;
  for (const Sha256Digest& hash : hashes) frontier.Append(hash, nullptr);
  return frontier.Root();
}

std::string Range(uint64_t begin, uint64_t end) {
  return end - begin == 1 ? fmt::format("entry {}", begin) : fmt::format("entries {} to {}", begin, end - 1);
}

}  // namespace

void Auditor::AddFault(FaultKind kind, std::optional<uint64_t> sequence, std::string message) {
  ++report_.fault_count;
  if (report_.faults.size() < kMaxFaults) {
    report_.faults.push_back({.kind = kind, .sequence = sequence, .message = std::move(message)});
  }
}

void Auditor::AddNode(const NodeRow& node) {
  if (node.level != kStoredLevelStep) {
    upper_nodes_[node.level][node.position] = node.hash;
    return;
  }
  // Positions ascend; one that is far out of line is no group of this tree.
  if (node.position > kMostGroups || node.position > stored_groups_.size() + kWidestGap) return;
  stored_groups_.resize(std::max<size_t>(stored_groups_.size(), node.position + 1));
  stored_groups_[node.position] = AsDigest(node.hash);
}

void Auditor::AddRow(const EntryRow& row) {
  ++report_.entries;
  report_.bytes += row.bytes.size();
  if (!IsCovered(row.sequence)) {
    if (!has_unsigned_rows_) {
      AddFault(FaultKind::kUnsigned, row.sequence,
               fmt::format("entry {} and what follows was added by something else: the signed head covers {} entries",
                           row.sequence, target_.head->tree_size));
    }
    has_unsigned_rows_ = true;
    return;
  }
  if (row.sequence < next_) {
    AddFault(FaultKind::kReordered, row.sequence, fmt::format("there are two entries {}", row.sequence));
    return;
  }
  SkipTo(row.sequence);
  CheckBytes(row);
}

void Auditor::SkipTo(uint64_t sequence) {
  if (sequence == next_) return;
  AddFault(FaultKind::kDropped, next_,
           fmt::format("{} missing: removed from the database",
                       Range(next_, sequence) + (sequence - next_ == 1 ? " is" : " are")));
  if (sequence - next_ > kWidestGap) {
    has_lost_tree_ = true;
    next_ = sequence;
    return;
  }
  while (next_ < sequence) AddLeaf(std::nullopt);
}

void Auditor::CheckBytes(const EntryRow& row) {
  const Sha256Digest computed = LeafHash(row.bytes);
  const auto stored = AsDigest(row.leaf);
  EntryView view;
  const uint64_t group = row.sequence / kGroupEntries;
  const bool is_same = stored == computed;
  if (!ScanEntry(row.bytes, view)) {
    // Edited bytes are named when the group is judged; these were appended so.
    if (is_same) {
      named_groups_.insert(group);
      AddFault(FaultKind::kNotCanonical, row.sequence,
               fmt::format("entry {} is no canonical entry (RFC 8785)", row.sequence));
    }
  } else if (view.sequence != row.sequence) {
    named_groups_.insert(group);
    AddFault(FaultKind::kReordered, row.sequence,
             fmt::format("in the place of entry {} stands entry {}", row.sequence, view.sequence));
    AddLeaf(Leaf{.computed = computed, .stored = computed});
    return;
  } else {
    if (view.kind != row.kind || !IsQuoted(view.subject, row.subject)) {
      AddFault(FaultKind::kColumns, row.sequence,
               fmt::format("the columns kind and subject of entry {} are not those of the entry: searches miss it",
                           row.sequence));
    }
    if (view.time < last_time_) {
      if (report_.time_went_back++ == 0) {
        report_.first_time_went_back =
            fmt::format("entry {} is of {}, the one before of {}", row.sequence, view.time, last_time_);
      }
    }
    last_time_ = view.time;
  }
  AddLeaf(Leaf{.computed = computed, .stored = stored.value_or(Sha256Digest{})});
}

void Auditor::AddLeaf(std::optional<Leaf> leaf) {
  ++next_;
  if (has_lost_tree_) return;
  open_group_.push_back(leaf);
  if (open_group_.size() == kGroupEntries) CloseGroup();
}

std::vector<Sha256Digest> Auditor::Leaves(bool stored) const {
  std::vector<Sha256Digest> leaves;
  leaves.reserve(open_group_.size());
  for (const auto& leaf : open_group_) {
    if (leaf) leaves.push_back(stored ? leaf->stored : leaf->computed);
  }
  return leaves;
}

// One fault for each row of the open group whose bytes and stored hash differ.
void Auditor::NameMismatches(bool bytes_are_right) {
  const uint64_t first = next_ - open_group_.size();
  for (size_t i = 0; i < open_group_.size(); ++i) {
    if (!open_group_[i] || open_group_[i]->computed == open_group_[i]->stored) continue;
    const uint64_t sequence = first + i;
    if (bytes_are_right) {
      AddFault(FaultKind::kColumns, sequence,
               fmt::format("the stored hash of entry {} was edited; the entry itself is as appended", sequence));
    } else {
      named_groups_.insert(sequence / kGroupEntries);
      AddFault(FaultKind::kEdited, sequence, fmt::format("entry {} was edited", sequence));
    }
  }
}

void Auditor::CloseGroup() {
  const uint64_t position = groups_.size();
  const auto node = position < stored_groups_.size() ? stored_groups_[position] : std::nullopt;
  const std::vector<Sha256Digest> computed = Leaves(false);
  if (computed.size() < open_group_.size()) {
    named_groups_.insert(position);
    NameMismatches(false);
    groups_.push_back(node);  // rows are missing: trust the stored hash until the root says otherwise
  } else {
    const bool all_same = std::all_of(open_group_.begin(), open_group_.end(),
                                      [](const auto& leaf) { return leaf->computed == leaf->stored; });
    const Sha256Digest hash = Fold(computed);
    const bool bytes_are_right = all_same || (node && hash == *node);
    NameMismatches(bytes_are_right);
    const std::vector<Sha256Digest> leaves = bytes_are_right ? computed : Leaves(true);
    groups_.push_back(bytes_are_right ? hash : Fold(leaves));
    KeepPartials(leaves);
  }
  open_group_.clear();
}

// Remembers the leaves that a root in the middle of this group needs.
void Auditor::KeepPartials(const std::vector<Sha256Digest>& leaves) {
  const uint64_t first = next_ - leaves.size();
  const auto keep = [&](const std::optional<Checkpoint>& at) {
    if (at && at->tree_size >= first && at->tree_size <= next_) {
      partials_[at->tree_size] = {leaves.begin(), leaves.begin() + static_cast<long>(at->tree_size - first)};
    }
  };
  keep(target_.head);
  keep(target_.checkpoint);
}

// The tree hash over the first `size` entries as they are stored; nullopt when rows that it needs are missing.
std::optional<Sha256Digest> Auditor::RootAt(uint64_t size) const {
  if (size > next_ || has_lost_tree_) return std::nullopt;
  Frontier upper;
  for (uint64_t i = 0; i < size / kGroupEntries; ++i) {
    if (!groups_[i]) return std::nullopt;
    upper.Append(*groups_[i], nullptr);
  }
  std::vector<Sha256Digest> peaks = upper.peaks();
  if (size % kGroupEntries != 0) {
    const auto partial = partials_.find(size);
    if (partial == partials_.end()) return std::nullopt;
    Frontier lower;
    for (size_t i = 0; i < size % kGroupEntries; ++i) lower.Append(partial->second[i], nullptr);
    peaks.insert(peaks.end(), lower.peaks().begin(), lower.peaks().end());
  }
  return FoldPeaks(peaks);
}

std::optional<Sha256Digest> Auditor::SubtreeAt(uint64_t begin, uint32_t level) const {
  std::vector<Sha256Digest> hashes;
  if (level >= kStoredLevelStep) {
    const uint64_t first = begin / kGroupEntries;
    const uint64_t count = uint64_t{1} << (level - kStoredLevelStep);
    if (first + count > groups_.size()) return std::nullopt;
    for (uint64_t i = first; i < first + count; ++i) {
      if (!groups_[i]) return std::nullopt;
      hashes.push_back(*groups_[i]);
    }
  } else {
    const uint64_t first = begin - groups_.size() * kGroupEntries;
    const uint64_t count = uint64_t{1} << level;
    if (!tail_is_whole_ || first + count > tail_.size()) return std::nullopt;
    hashes.assign(tail_.begin() + static_cast<long>(first), tail_.begin() + static_cast<long>(first + count));
  }
  return Fold(hashes);
}

// One complete subtree of the signed tree; its hash is beyond doubt.
void Auditor::CheckPeak(uint64_t begin, uint32_t level, const Sha256Digest& signed_hash) {
  const uint64_t end = begin + (uint64_t{1} << level);
  const auto found = SubtreeAt(begin, level);
  if (!found || *found == signed_hash) return;  // rows that are missing have been named
  const uint64_t first = begin / kGroupEntries;
  const uint64_t last = (end - 1) / kGroupEntries;
  bool is_named = false;
  for (uint64_t i = first; i <= last; ++i) {
    if (named_groups_.contains(i)) {
      is_named = true;
    } else if (i < groups_.size() && i < stored_groups_.size() && stored_groups_[i] != groups_[i]) {
      is_named = true;
      AddFault(FaultKind::kEdited, i * kGroupEntries,
               fmt::format("one or more of {} were edited together with their stored hash",
                           Range(i * kGroupEntries, (i + 1) * kGroupEntries)));
    }
  }
  if (!is_named) {
    AddFault(FaultKind::kEdited, begin,
             level == 0
                 ? fmt::format("entry {} was edited together with all stored hashes", begin)
                 : fmt::format("one or more of {} were edited together with all stored hashes", Range(begin, end)));
  }
}

void Auditor::CheckSignedTree() {
  if (!target_.head) return;
  const uint64_t signed_size = target_.head->tree_size;
  if (next_ < signed_size) {
    AddFault(FaultKind::kTruncated, next_,
             fmt::format("{} cut off: the signed head covers {} entries",
                         Range(next_, signed_size) + (signed_size - next_ == 1 ? " is" : " are"), signed_size));
  }
  if (has_lost_tree_) return;
  if (target_.frontier) {
    uint64_t begin = 0;
    for (const Sha256Digest& peak : target_.frontier->peaks()) {
      const auto level = static_cast<uint32_t>(std::bit_width(signed_size - begin) - 1);
      CheckPeak(begin, level, peak);
      begin += uint64_t{1} << level;
    }
    return;
  }
  const auto root = RootAt(signed_size);
  if (root && *root != target_.head->root && named_groups_.empty()) {
    AddFault(FaultKind::kRoot, std::nullopt,
             "entries were edited together with all stored hashes, and the right edge of the tree too: which ones, "
             "only another copy can tell");
  }
}

void Auditor::CheckNodes() {
  if (has_lost_tree_) return;
  for (uint64_t i = 0; i < groups_.size(); ++i) {
    const auto stored = i < stored_groups_.size() ? stored_groups_[i] : std::nullopt;
    if (named_groups_.contains(i) || stored == groups_[i] || report_.fault_count > 0) continue;
    AddFault(FaultKind::kColumns, i * kGroupEntries,
             fmt::format("the stored tree hash over {} is missing or edited; the entries are as appended",
                         Range(i * kGroupEntries, (i + 1) * kGroupEntries)));
  }
  if (report_.fault_count > 0) return;  // what stands above is no longer worth comparing
  for (uint32_t level = 2 * kStoredLevelStep; level < 64 && (next_ >> level) > 0; level += kStoredLevelStep) {
    const auto& stored = upper_nodes_[level];
    for (uint64_t i = 0; i < next_ >> level; ++i) {
      const auto row = stored.find(i);
      if (row != stored.end() && AsDigest(row->second) == SubtreeAt(i << level, level)) continue;
      AddFault(FaultKind::kColumns, i << level,
               fmt::format("the stored tree hash over {} is missing or edited; the entries are as appended",
                           Range(i << level, (i + 1) << level)));
    }
  }
}

void Auditor::CheckCheckpoint() {
  if (!target_.checkpoint) return;
  const Checkpoint& checkpoint = *target_.checkpoint;
  report_.checkpoint =
      fmt::format("{} entries, root {}", checkpoint.tree_size, base::Base64Encode(base::AsBytes(checkpoint.root)));
  if (checkpoint.tree_size > next_) {
    AddFault(FaultKind::kTruncated, next_,
             fmt::format("the checkpoint covers {} entries, the ledger has {}: it was cut off or an old copy put back",
                         checkpoint.tree_size, next_));
    return;
  }
  const auto root = RootAt(checkpoint.tree_size);
  if (root && *root != checkpoint.root) {
    AddFault(FaultKind::kRewritten, std::nullopt,
             fmt::format("the first {} entries are not those of the checkpoint: history was rewritten",
                         checkpoint.tree_size));
  }
}

void Auditor::Finish() {
  const std::vector<Sha256Digest> computed = Leaves(false);
  tail_is_whole_ = computed.size() == open_group_.size();
  tail_ = computed;
  if (tail_is_whole_) {
    KeepPartials(computed);
    const bool bytes_are_right = target_.head && RootAt(target_.head->tree_size) == target_.head->root;
    NameMismatches(bytes_are_right);
    if (!bytes_are_right) {
      tail_ = Leaves(true);
      KeepPartials(tail_);
    }
  } else {
    named_groups_.insert(groups_.size());
    NameMismatches(false);
  }
  if (target_.head) {
    if (const auto root = RootAt(std::min(next_, target_.head->tree_size))) {
      report_.root = base::Base64Encode(base::AsBytes(*root));
    }
  }
  CheckSignedTree();
  CheckCheckpoint();
  CheckNodes();
}

}  // namespace ashlar::ledger
