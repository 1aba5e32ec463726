// The auditor without a database; tampering with real tables is in verify_test.cc.
#include "ledger/auditor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <tuple>

#include "ledger/entry_codec.h"
#include "ledger/limits.h"

namespace ashlar::ledger {
namespace {

// Above 2^16, so that a subtree hash of level 16 is stored too: 65,536 + 300 entries.
constexpr uint64_t kEntries = (uint64_t{1} << 16U) + 300;

struct Row {
  uint64_t sequence;
  std::string kind;
  std::string bytes;
  base::Sha256Digest leaf;
};

// What a database would hold, changed by a test before it is audited.
struct Tables {
  std::vector<Row> rows;
  std::vector<TreeNode> nodes;
  AuditTarget target;
};

const Tables& GoodTables() {
  static const Tables tables = [] {
    Tables made;
    Frontier tree;
    const auto prepared = PrepareDraft({.kind = "k", .subject = "s", .actor = "a", .body = nullptr});
    for (uint64_t i = 0; i < kEntries; ++i) {
      Row row{
          .sequence = i, .kind = "k", .bytes = CompleteEntry(*prepared, i, "2026-01-02T03:04:05.000006Z"), .leaf = {}};
      row.leaf = LeafHash(row.bytes);
      tree.Append(row.leaf, &made.nodes);
      made.rows.push_back(std::move(row));
    }
    std::sort(made.nodes.begin(), made.nodes.end(), [](const TreeNode& a, const TreeNode& b) {
      return std::tie(a.level, a.position) < std::tie(b.level, b.position);
    });
    made.target.head = Checkpoint{.origin = "n", .tree_size = kEntries, .root = tree.Root(), .note = ""};
    made.target.frontier = tree;
    return made;
  }();
  return tables;
}

VerifyReport Audit(const Tables& tables) {
  VerifyReport report;
  Auditor auditor(tables.target, report);
  for (const TreeNode& node : tables.nodes) {
    auditor.AddNode({.level = node.level, .position = node.position, .hash = base::AsBytes(node.hash)});
  }
  for (const Row& row : tables.rows) {
    auditor.AddRow({.sequence = row.sequence,
                    .kind = row.kind,
                    .subject = "s",
                    .leaf = base::AsBytes(row.leaf),
                    .bytes = row.bytes});
  }
  auditor.Finish();
  return report;
}

Checkpoint CheckpointAt(uint64_t size) {
  Frontier tree;
  for (uint64_t i = 0; i < size; ++i) tree.Append(GoodTables().rows[i].leaf, nullptr);
  return {.origin = "n", .tree_size = size, .root = tree.Root(), .note = ""};
}

void Edit(Row& row) { row.bytes.replace(row.bytes.find("null"), 4, "true"); }

void EditWithLeaf(Row& row) {
  Edit(row);
  row.leaf = LeafHash(row.bytes);
}

struct Case {
  const char* name;
  std::function<void(Tables&)> change;
  std::vector<FaultKind> kinds;
  std::vector<std::optional<uint64_t>> sequences;
};

TEST(AuditorTest, GoodTablesHaveNoFault) {
  const VerifyReport report = Audit(GoodTables());
  EXPECT_EQ(report.fault_count, 0U) << report.faults.front().message;
  EXPECT_EQ(report.entries, kEntries);
}

TEST(AuditorTest, CheckpointsAtAnySizeAreExtended) {
  for (const uint64_t size : {uint64_t{0}, uint64_t{1}, uint64_t{255}, uint64_t{256}, uint64_t{257}, uint64_t{65535},
                              uint64_t{65536}, uint64_t{65537}, kEntries - 1, kEntries}) {
    Tables tables = GoodTables();
    tables.target.checkpoint = CheckpointAt(size);
    EXPECT_EQ(Audit(tables).fault_count, 0U) << size;
    if (size == 0) continue;
    tables.target.checkpoint->root[0] ^= 1U;
    const VerifyReport report = Audit(tables);
    ASSERT_EQ(report.fault_count, 1U) << size;
    EXPECT_EQ(report.faults.front().kind, FaultKind::kRewritten) << size;
  }
}

const Case kCases[] = {
    {"upper tree hash edited", [](Tables& tables) { tables.nodes.back().hash[0] ^= 1U; }, {FaultKind::kColumns}, {0}},
    {"upper tree hash missing", [](Tables& tables) { tables.nodes.pop_back(); }, {FaultKind::kColumns}, {0}},
    {"group hash missing",
     [](Tables& tables) { tables.nodes.erase(tables.nodes.begin() + 3); },
     {FaultKind::kColumns},
     {768}},
    {"hash far out of line",
     [](Tables& tables) { tables.nodes.push_back({.level = 8, .position = ~uint64_t{0}}); },
     {},
     {}},
    {"one edit with its leaf in a large group",
     [](Tables& tables) { EditWithLeaf(tables.rows[1000]); },
     {FaultKind::kEdited},
     {768}},
    {"an edit, and another with its leaf in the same group: the first is named",
     [](Tables& tables) {
       Edit(tables.rows[1000]);
       EditWithLeaf(tables.rows[1001]);
     },
     {FaultKind::kEdited},
     {1000}},
    {"last entry edited with its leaf",
     [](Tables& tables) { EditWithLeaf(tables.rows.back()); },
     {FaultKind::kEdited},
     {kEntries - 4}},  // 300 = 256 + 32 + 8 + 4: the last subtree has 4 entries
    {"first and last dropped",
     [](Tables& tables) {
       tables.rows.erase(tables.rows.begin());
       tables.rows.pop_back();
     },
     {FaultKind::kDropped, FaultKind::kTruncated},
     {0, kEntries - 1}},
    {"a row twice",
     [](Tables& tables) { tables.rows.insert(tables.rows.begin() + 8, tables.rows[7]); },
     {FaultKind::kReordered},
     {7}},
    {"not canonical, but signed so",
     [](Tables& tables) {
       // Nothing but a faulty writer could have made this: hash and head fit.
       tables.rows.resize(1);
       tables.nodes.clear();
       tables.rows[0].bytes += " ";
       tables.rows[0].leaf = LeafHash(tables.rows[0].bytes);
       Frontier tree;
       tree.Append(tables.rows[0].leaf, nullptr);
       tables.target.head = Checkpoint{.origin = "n", .tree_size = 1, .root = tree.Root(), .note = ""};
       tables.target.frontier = tree;
     },
     {FaultKind::kNotCanonical},
     {0}},
    {"edited, without a right edge to tell where",
     [](Tables& tables) {
       EditWithLeaf(tables.rows.back());
       tables.target.frontier.reset();
     },
     {FaultKind::kRoot},
     {std::nullopt}},
    {"a gap too wide to follow",
     [](Tables& tables) {
       tables.target.head->tree_size = uint64_t{1} << 40U;
       tables.target.frontier.reset();
       tables.rows.back().sequence = (uint64_t{1} << 40U) - 1;
     },
     {FaultKind::kDropped, FaultKind::kReordered},
     {kEntries - 1, (uint64_t{1} << 40U) - 1}},
    {"no rows at all", [](Tables& tables) { tables.rows.clear(); }, {FaultKind::kTruncated}, {0}},
    {"checkpoint beyond the end",
     [](Tables& tables) {
       tables.target.checkpoint = CheckpointAt(kEntries);
       tables.target.checkpoint->tree_size = kEntries + 1;
     },
     {FaultKind::kTruncated},
     {kEntries}},
};

TEST(AuditorTest, FaultsAreNamed) {
  for (const Case& row : kCases) {
    Tables tables = GoodTables();
    row.change(tables);
    const VerifyReport report = Audit(tables);
    std::vector<FaultKind> kinds;
    std::vector<std::optional<uint64_t>> sequences;
    std::string messages;
    for (const Fault& fault : report.faults) {
      kinds.push_back(fault.kind);
      sequences.push_back(fault.sequence);
      messages += fault.message + "\n";
    }
    EXPECT_EQ(kinds, row.kinds) << row.name << "\n" << messages;
    EXPECT_EQ(sequences, row.sequences) << row.name << "\n" << messages;
  }
}

}  // namespace
}  // namespace ashlar::ledger
