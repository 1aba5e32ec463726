#include "bench/coll/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ashlar::bench {
namespace {

TEST(OutputFile, NeverOverwrites) {
  const auto folder = os::TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  os::FileSystem& files = os::RealFileSystem();
  const std::string path = folder->path() + "/r.json";
  const std::vector<base::Json> one = {base::JsonObject{{"a", 1}}};
  // nccl-tests adds .0, .1 ... when the file exists.
  EXPECT_EQ(SaveDocuments(path, one, files).value(), path);
  EXPECT_EQ(SaveDocuments(path, one, files).value(), path + ".0");
  EXPECT_EQ(SaveDocuments(path, one, files).value(), path + ".1");
  const std::string text = os::ReadWholeFile(files, path, base::Bytes{1000}).value();
  EXPECT_EQ(base::ParseJson(text).value(), one.front());
}

TEST(OutputFile, GivesUpWhenEveryNameIsTaken) {
  const auto folder = os::TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  os::FileSystem& files = os::RealFileSystem();
  const std::string path = folder->path() + "/r.json";
  const auto touch = [&files](const std::string& name) {
    ASSERT_TRUE(files.Open(name, os::OpenMode::kCreateNew).ok()) << name;
  };
  touch(path);
  for (int i = 0; i + 1 < kMaxOutputSuffixes; ++i) touch(fmt::format("{}.{}", path, i));
  const std::vector<base::Json> one = {base::Json(1)};
  EXPECT_EQ(SaveDocuments(path, one, files).value(), fmt::format("{}.{}", path, kMaxOutputSuffixes - 1));
  EXPECT_EQ(SaveDocuments(path, one, files).status().code(), base::StatusCode::kAlreadyExists);
}

TEST(OutputFile, AFolderThatIsNotThereIsAnError) {
  const std::vector<base::Json> one = {base::Json(1)};
  EXPECT_FALSE(SaveDocuments("/nonexistent/r.json", one, os::RealFileSystem()).ok());
}

TEST(OutputFile, SeveralDocumentsAreAnArray) {
  const std::vector<base::Json> two = {base::Json(1), base::Json(2)};
  EXPECT_EQ(base::WriteJson(JoinDocuments(two)), "[1,2]");
}

}  // namespace
}  // namespace ashlar::bench
