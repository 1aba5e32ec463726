#include "ledger/merkle.h"

#include <gtest/gtest.h>

#include <cstring>

namespace ashlar::ledger {
namespace {

using base::Sha256Digest;

Sha256Digest FromHex(std::string_view text) {
  const auto bytes = base::HexDecode(text);
  Sha256Digest digest{};
  if (bytes.ok() && bytes->size() == digest.size()) std::memcpy(digest.data(), bytes->data(), digest.size());
  return digest;
}

// The test vectors that the Certificate Transparency implementations share (google/certificate-transparency,
// merkletree/merkle_tree_test.cc; transparency-dev/merkle): eight leaves, the root over each prefix, and paths.
constexpr std::string_view kLeaves[] = {
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"};
constexpr std::string_view kRoots[] = {"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
                                       "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
                                       "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
                                       "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
                                       "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
                                       "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
                                       "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
                                       "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"};
constexpr std::string_view kEmptyRoot = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr std::string_view kSomeHash = "abacaba000000000000000000000000000000000000000000060061e00123456";

struct InclusionVector {
  uint64_t leaf;  // from 1, as published
  uint64_t size;
  std::vector<std::string_view> path;
};
const InclusionVector kInclusions[] = {
    {1, 1, {}},
    {1,
     8,
     {"96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
      "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
      "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"}},
    {6,
     8,
     {"bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
      "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"}},
    {3, 3, {"fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"}},
    {2,
     5,
     {"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
      "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
      "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"}},
};

struct ConsistencyVector {
  uint64_t from;
  uint64_t to;
  std::vector<std::string_view> path;
};
const ConsistencyVector kConsistencies[] = {
    {1, 1, {}},
    {1,
     8,
     {"96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
      "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
      "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"}},
    {6,
     8,
     {"0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
      "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"}},
    {2,
     5,
     {"5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
      "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"}},
    {6,
     7,
     {"0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
      "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"}},
};

ProofPath Path(const std::vector<std::string_view>& hashes) {
  ProofPath path;
  for (const std::string_view hash : hashes) path.push_back(FromHex(hash));
  return path;
}

Sha256Digest PublishedLeaf(uint64_t index) { return LeafHash(*base::HexDecode(kLeaves[index])); }

TreeHead PublishedTree(uint64_t size) { return {.size = size, .root = FromHex(kRoots[size - 1])}; }

// The definition of RFC 6962 section 2.1, word for word, as a second opinion for sizes without published roots.
Sha256Digest RootByDefinition(std::span<const Sha256Digest> leaves) {
  if (leaves.empty()) return base::Sha256("");
  if (leaves.size() == 1) return leaves.front();
  size_t split = 1;
  while (split * 2 < leaves.size()) split *= 2;
  return NodeHash(RootByDefinition(leaves.first(split)), RootByDefinition(leaves.subspan(split)));
}

// Every way in which a published path can be wrong, as the implementations that share the vectors try them.
std::vector<ProofPath> AlteredPaths(const ProofPath& path, const Sha256Digest& root) {
  std::vector<ProofPath> altered;
  for (size_t i = 0; i < path.size(); ++i) {
    altered.push_back(path);
    altered.back()[i][0] ^= 8U;
  }
  if (!path.empty()) altered.emplace_back(path.begin(), path.end() - 1);
  for (const Sha256Digest& extra : {root, FromHex(kSomeHash)}) {
    altered.push_back(path);
    altered.back().push_back(extra);
    altered.push_back(path);
    altered.back().insert(altered.back().begin(), extra);
  }
  if (path.size() > 1) {
    altered.push_back(path);
    altered.back().insert(altered.back().begin() + 1, FromHex(kSomeHash));
  }
  return altered;
}

TEST(MerkleTest, EmptyTreeIsTheHashOfNothing) { EXPECT_EQ(base::HexEncode(FoldPeaks({})), kEmptyRoot); }

TEST(MerkleTest, PublishedRootsAreReached) {
  Frontier frontier;
  for (uint64_t i = 0; i < 8; ++i) {
    frontier.Append(PublishedLeaf(i), nullptr);
    EXPECT_EQ(base::HexEncode(frontier.Root()), kRoots[i]) << "after leaf " << i;
  }
}

TEST(MerkleTest, PublishedInclusionPathsHold) {
  for (const auto& [leaf, size, path] : kInclusions) {
    EXPECT_TRUE(PathShowsInclusion(leaf - 1, PublishedLeaf(leaf - 1), PublishedTree(size), Path(path)))
        << leaf << " in " << size;
  }
}

TEST(MerkleTest, AlteredInclusionPathsAreRefused) {
  for (const auto& [leaf, size, hashes] : kInclusions) {
    const ProofPath path = Path(hashes);
    const uint64_t index = leaf - 1;
    const Sha256Digest hash = PublishedLeaf(index);
    const TreeHead tree = PublishedTree(size);
    for (const ProofPath& altered : AlteredPaths(path, tree.root)) {
      EXPECT_FALSE(PathShowsInclusion(index, hash, tree, altered)) << leaf << " in " << size;
    }
    for (const uint64_t wrong : {index - 1, index + 1, index ^ 2U}) {
      EXPECT_FALSE(PathShowsInclusion(wrong, hash, tree, path)) << wrong << " for " << index << " in " << size;
    }
    for (const uint64_t wrong : {size * 2, size / 2}) {
      EXPECT_FALSE(PathShowsInclusion(index, hash, {.size = wrong, .root = tree.root}, path));
    }
    for (const std::string_view wrong : {kSomeHash, kEmptyRoot}) {
      EXPECT_FALSE(PathShowsInclusion(index, FromHex(wrong), tree, path));
      EXPECT_FALSE(PathShowsInclusion(index, hash, {.size = size, .root = FromHex(wrong)}, path));
    }
  }
}

TEST(MerkleTest, PublishedConsistencyPathsHold) {
  for (const auto& [from, to, path] : kConsistencies) {
    EXPECT_TRUE(PathShowsConsistency(PublishedTree(from), PublishedTree(to), Path(path))) << from << " to " << to;
  }
}

TEST(MerkleTest, AlteredConsistencyPathsAreRefused) {
  for (const auto& [from, to, hashes] : kConsistencies) {
    const ProofPath path = Path(hashes);
    const TreeHead earlier = PublishedTree(from);
    const TreeHead later = PublishedTree(to);
    for (const ProofPath& altered : AlteredPaths(path, later.root)) {
      EXPECT_FALSE(PathShowsConsistency(earlier, later, altered)) << from << " to " << to;
    }
    if (from == to) continue;
    EXPECT_FALSE(PathShowsConsistency(earlier, later, {})) << from << " to " << to;
    for (const uint64_t wrong : {from - 1, from + 1, from ^ 2U}) {
      EXPECT_FALSE(PathShowsConsistency({.size = wrong, .root = earlier.root}, later, path)) << wrong << " to " << to;
    }
    for (const uint64_t wrong : {to * 2, to / 2}) {
      EXPECT_FALSE(PathShowsConsistency(earlier, {.size = wrong, .root = later.root}, path)) << from << " to " << wrong;
    }
    EXPECT_FALSE(PathShowsConsistency({.size = from, .root = later.root}, {.size = to, .root = earlier.root}, path));
  }
}

TEST(MerkleTest, ImpossibleTreesAreRefused) {
  const TreeHead one = PublishedTree(1);
  const TreeHead two = PublishedTree(2);
  EXPECT_FALSE(PathShowsConsistency({.size = 0, .root = FromHex(kEmptyRoot)}, one, {})) << "anything extends nothing";
  EXPECT_FALSE(PathShowsConsistency(two, one, {})) << "back in time";
  EXPECT_FALSE(PathShowsConsistency(one, {.size = 1, .root = two.root}, {}));
  EXPECT_FALSE(PathShowsInclusion(0, one.root, {.size = 0, .root = one.root}, {}));
  EXPECT_FALSE(PathShowsInclusion(1, one.root, one, {}));
}

TEST(MerkleTest, PathsThatAreMadeAreThePublishedOnes) {
  std::vector<Sha256Digest> leaves;
  for (uint64_t i = 0; i < 8; ++i) leaves.push_back(PublishedLeaf(i));
  const RangeHash hash = [&leaves](uint64_t begin, uint64_t end) -> base::StatusOr<Sha256Digest> {
    return RootByDefinition(std::span(leaves).subspan(begin, end - begin));
  };
  for (const auto& [leaf, size, path] : kInclusions) {
    EXPECT_EQ(*MakeInclusionPath(leaf - 1, size, hash), Path(path)) << leaf << " in " << size;
  }
  for (const auto& [from, to, path] : kConsistencies) {
    EXPECT_EQ(*MakeConsistencyPath(from, to, hash), Path(path)) << from << " to " << to;
  }
}

TEST(MerkleTest, AllPathsOfSmallTreesHold) {
  std::vector<Sha256Digest> leaves;
  for (int i = 0; i < 33; ++i) leaves.push_back(LeafHash(fmt::format("leaf {}", i)));
  const auto root = [&leaves](uint64_t size) { return RootByDefinition(std::span(leaves).first(size)); };
  const RangeHash hash = [&leaves](uint64_t begin, uint64_t end) -> base::StatusOr<Sha256Digest> {
    return RootByDefinition(std::span(leaves).subspan(begin, end - begin));
  };
  for (uint64_t size = 1; size <= leaves.size(); ++size) {
    const TreeHead tree{.size = size, .root = root(size)};
    for (uint64_t i = 0; i < size; ++i) {
      EXPECT_TRUE(PathShowsInclusion(i, leaves[i], tree, *MakeInclusionPath(i, size, hash))) << i << " in " << size;
    }
    for (uint64_t from = 1; from <= size; ++from) {
      EXPECT_TRUE(
          PathShowsConsistency({.size = from, .root = root(from)}, tree, *MakeConsistencyPath(from, size, hash)))
          << from << " to " << size;
    }
  }
}

TEST(MerkleTest, ErrorsOfTheTreeComeThrough) {
  const RangeHash broken = [](uint64_t, uint64_t) -> base::StatusOr<Sha256Digest> {
    return base::Error(base::StatusCode::kDataLoss, "gone");
  };
  EXPECT_EQ(MakeInclusionPath(0, 2, broken).status().code(), base::StatusCode::kDataLoss);
  EXPECT_EQ(MakeConsistencyPath(1, 2, broken).status().code(), base::StatusCode::kDataLoss);
  EXPECT_EQ(MakeConsistencyPath(3, 3, broken)->size(), 0U) << "nothing to prove needs no hash";
}

TEST(FrontierTest, SerialisedFormReadsBack) {
  Frontier frontier;
  for (int i = 0; i < 100; ++i) {
    const auto read = Frontier::Parse(frontier.size(), frontier.Serialise());
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->Root(), frontier.Root());
    frontier.Append(LeafHash(fmt::format("{}", i)), nullptr);
  }
}

TEST(FrontierTest, WrongLengthsAreRefused) {
  struct Case {
    uint64_t size;
    size_t bytes;
  };
  for (const Case& row : {Case{0, 32}, Case{1, 0}, Case{1, 31}, Case{1, 33}, Case{3, 32}, Case{4, 64}}) {
    EXPECT_EQ(Frontier::Parse(row.size, std::string(row.bytes, 'x')).status().code(),
              base::StatusCode::kInvalidArgument)
        << row.size << " entries, " << row.bytes << " bytes";
  }
}

TEST(FrontierTest, CompleteSubtreesOfStoredLevelsAreReported) {
  Frontier frontier;
  std::vector<TreeNode> nodes;
  std::vector<Sha256Digest> leaves;
  constexpr uint64_t kCount = (uint64_t{1} << 16U) + 300;
  for (uint64_t i = 0; i < kCount; ++i) {
    leaves.push_back(LeafHash(fmt::format("{}", i)));
    frontier.Append(leaves.back(), &nodes);
  }
  // 2^16 + 300 leaves: 257 groups of 256, and one subtree of 2^16.
  ASSERT_EQ(nodes.size(), 258U);
  for (const TreeNode& node : nodes) {
    const uint64_t count = uint64_t{1} << node.level;
    EXPECT_EQ(node.hash, RootByDefinition(std::span(leaves).subspan(node.position * count, count)))
        << "level " << node.level << " position " << node.position;
  }
  EXPECT_EQ(frontier.Root(), RootByDefinition(leaves));
}

}  // namespace
}  // namespace ashlar::ledger
