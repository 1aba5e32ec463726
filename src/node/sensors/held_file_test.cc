#include "node/sensors/held_file.h"

#include <gtest/gtest.h>

#include "node/fake_tree_testing.h"

namespace ashlar::node {
namespace {

TEST(HeldFileTest, SeesWhatIsWrittenLater) {
  FakeTree tree;
  tree.Write("/count", "7\n");
  HeldFile file(tree.root() + "/count");
  EXPECT_EQ(*file.ReadUint64(), 7U);
  tree.Write("/count", "123456789012\n");
  EXPECT_EQ(*file.ReadUint64(), 123456789012U);
  tree.Write("/count", "");
  EXPECT_EQ(file.ReadUint64().status().code(), base::StatusCode::kInvalidArgument);
}

TEST(HeldFileTest, OpensWhatComesLater) {
  FakeTree tree;
  HeldFile file(tree.root() + "/late");
  EXPECT_EQ(file.Read().status().code(), base::StatusCode::kNotFound);
  tree.Write("/late", "here");
  EXPECT_EQ(*file.Read(), "here");
}

TEST(HeldFileTest, HoldsItsLimit) {
  FakeTree tree;
  tree.Write("/long", std::string(HeldFile::kMaxHeldBytes, 'x'));
  HeldFile file(tree.root() + "/long");
  EXPECT_EQ(file.Read()->size(), HeldFile::kMaxHeldBytes);
  tree.Write("/long", std::string(HeldFile::kMaxHeldBytes + 1, 'x'));
  EXPECT_EQ(file.Read().status().code(), base::StatusCode::kResourceExhausted);
}

TEST(HeldFileTest, AFolderIsAnErrorEachTime) {
  const FakeTree tree;
  HeldFile file(tree.root());
  EXPECT_FALSE(file.Read().ok());
  EXPECT_FALSE(file.Read().ok());
}

TEST(HeldFileTest, MovesWithItsDescriptor) {
  FakeTree tree;
  tree.Write("/a", "1");
  tree.Write("/b", "2");
  HeldFile first(tree.root() + "/a");
  ASSERT_TRUE(first.Read().ok());
  HeldFile moved = std::move(first);
  EXPECT_EQ(*moved.ReadUint64(), 1U);
  HeldFile other(tree.root() + "/b");
  moved = std::move(other);
  EXPECT_EQ(*moved.ReadUint64(), 2U);
}

}  // namespace
}  // namespace ashlar::node
