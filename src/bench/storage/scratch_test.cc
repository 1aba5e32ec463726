#include "bench/storage/scratch.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "bench/storage/limits.h"

namespace ashlar::bench {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ScratchTest : public testing::Test {
 protected:
  void SetUp() override {
    auto made = os::TemporaryDirectory::Create();
    ASSERT_TRUE(made.ok()) << made.status();
    parent_.emplace(*std::move(made));
  }
  std::vector<std::string> Names() const { return *os::RealFileSystem().List(parent_->path()); }
  std::string Path(std::string_view name) const { return fmt::format("{}/{}", parent_->path(), name); }
  // A folder as a killed measurement leaves it.
  std::string MakeLeftover(std::string_view name) {
    fs::create_directory(Path(name));
    Write(Path(name) + "/owner.lock", "12345");
    Write(Path(name) + "/about.txt", "left");
    fs::create_directory(Path(name) + "/metadata");
    Write(Path(name) + "/metadata/f000000", "");
    return Path(name);
  }
  static void Write(const std::string& path, std::string_view text) { std::ofstream(path) << text; }

  std::optional<os::TemporaryDirectory> parent_;
};

TEST_F(ScratchTest, AMissingParentIsNotFoundAndNamed) {
  const auto scratch = Scratch::Create(Path("absent"));
  EXPECT_EQ(scratch.status().code(), base::StatusCode::kNotFound);
  EXPECT_THAT(std::string(base::Message(scratch.status())), HasSubstr("absent"));
}

TEST_F(ScratchTest, IsPrivateMarkedAndLocked) {
  const auto scratch = Scratch::Create(parent_->path());
  ASSERT_TRUE(scratch.ok()) << scratch.status();
  struct stat facts = {};
  ASSERT_EQ(stat(scratch->path().c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0700U);
  EXPECT_THAT(*os::RealFileSystem().List(scratch->path()), ElementsAre("about.txt", "owner.lock"));
  EXPECT_EQ(os::FileLock::Acquire(scratch->path() + "/owner.lock").status().code(), base::StatusCode::kAlreadyExists);
}

TEST_F(ScratchTest, GoesAwayOnDestructionWithItsNames) {
  {
    const auto scratch = Scratch::Create(parent_->path());
    ASSERT_TRUE(scratch.ok());
    fs::create_directory(scratch->path() + "/metadata");
    Write(scratch->path() + "/metadata/" + ScratchMetadataName(42), "");
  }
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(ScratchTest, NeverRemovesWhatItDidNotMake) {
  auto scratch = Scratch::Create(parent_->path());
  ASSERT_TRUE(scratch.ok());
  const std::string path = scratch->path();
  Write(path + "/precious", "data");
  const base::Status removed = scratch->Remove();
  EXPECT_FALSE(removed.ok());
  EXPECT_THAT(std::string(base::Message(removed)), HasSubstr("precious"));
  EXPECT_TRUE(fs::exists(path + "/precious"));
  EXPECT_TRUE(scratch->Remove().ok());  // once is enough
}

TEST_F(ScratchTest, MovingKeepsOneOwner) {
  auto scratch = Scratch::Create(parent_->path());
  ASSERT_TRUE(scratch.ok());
  {
    const Scratch moved = *std::move(scratch);
    EXPECT_TRUE(fs::exists(moved.path()));
  }
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(ScratchTest, ALeftoverWithADeadOwnerGoes) {
  const std::string path = MakeLeftover(".ashlar-bench-AbC123");
  EXPECT_THAT(RemoveStaleScratch(parent_->path(), absl::Now()), ElementsAre(path));
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(ScratchTest, ALivingOwnersFolderStays) {
  const auto scratch = Scratch::Create(parent_->path());
  ASSERT_TRUE(scratch.ok());
  EXPECT_THAT(RemoveStaleScratch(parent_->path(), absl::Now() + absl::Hours(100)), IsEmpty());
  EXPECT_THAT(Names(), testing::SizeIs(1));
}

// Between mkdtemp and the marker a folder looks abandoned but is not: only age tells.
TEST_F(ScratchTest, WithoutAMarkerOnlyAnOldFolderGoes) {
  fs::create_directory(Path(".ashlar-bench-bare00"));
  fs::create_directory(Path(".ashlar-bench-lock00"));
  Write(Path(".ashlar-bench-lock00/owner.lock"), "1");
  EXPECT_THAT(RemoveStaleScratch(parent_->path(), absl::Now()), IsEmpty());
  EXPECT_THAT(RemoveStaleScratch(parent_->path(), absl::Now() + kStorageStaleAge + absl::Seconds(5)),
              testing::SizeIs(2));
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(ScratchTest, OtherNamesAndOtherThingsStay) {
  fs::create_directory(Path(".ashlar-bench-"));
  fs::create_directory(Path(".ashlar-bench-toolong7"));
  fs::create_directory(Path(".ashlar-bench-a.b.c."));
  Write(Path(".ashlar-bench-file00"), "a file, not a folder");
  fs::create_directory(Path("elsewhere"));
  Write(Path("elsewhere/about.txt"), "x");
  Write(Path("elsewhere/owner.lock"), "1");
  fs::create_directory_symlink(Path("elsewhere"), Path(".ashlar-bench-link00"));
  EXPECT_THAT(RemoveStaleScratch(parent_->path(), absl::Now() + absl::Hours(100)), IsEmpty());
  EXPECT_TRUE(fs::exists(Path("elsewhere/about.txt")));
}

TEST_F(ScratchTest, ALeftoverWithSomebodysFileIsEmptiedOfOursOnly) {
  const std::string path = MakeLeftover(".ashlar-bench-mixed0");
  Write(path + "/precious", "data");
  EXPECT_THAT(RemoveStaleScratch(parent_->path(), absl::Now()), IsEmpty());
  EXPECT_TRUE(fs::exists(path + "/precious"));
}

TEST_F(ScratchTest, AnotherUsersLeftoverStays) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a folder of another user";
  const std::string path = MakeLeftover(".ashlar-bench-other0");
  ASSERT_EQ(chown(path.c_str(), 12345, 12345), 0);
  EXPECT_THAT(RemoveStaleScratch(parent_->path(), absl::Now() + absl::Hours(100)), IsEmpty());
  EXPECT_TRUE(fs::exists(path));
}

TEST_F(ScratchTest, AtAndOverTheNumberRemovedInOneStart) {
  for (size_t i = 0; i <= kMaxStorageStaleFolders; ++i) MakeLeftover(fmt::format(".ashlar-bench-{:06}", i));
  EXPECT_THAT(RemoveStaleScratch(parent_->path(), absl::Now()), testing::SizeIs(kMaxStorageStaleFolders));
  EXPECT_THAT(RemoveStaleScratch(parent_->path(), absl::Now()), testing::SizeIs(1));
}

TEST_F(ScratchTest, AMissingParentHasNoLeftovers) {
  EXPECT_THAT(RemoveStaleScratch(Path("absent"), absl::Now()), IsEmpty());
}

}  // namespace
}  // namespace ashlar::bench
