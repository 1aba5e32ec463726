#include "node/fake_tree_testing.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace ashlar::node {
namespace {

// A test cannot go on without its files: it ends at once and says why.
[[noreturn]] void Fail(const std::string& what) {
  std::fprintf(stderr, "fake tree: %s\n", what.c_str());
  std::abort();
}

// In memory where the machine has such a folder: a large tree is ten thousand files.
os::TemporaryDirectory MustCreate() {
  const std::string memory = "/dev/shm";
  auto directory = os::TemporaryDirectory::Create(std::filesystem::is_directory(memory) ? memory : "");
  if (!directory.ok()) Fail(std::string(base::Message(directory.status())));
  return *std::move(directory);
}

}  // namespace

FakeTree::FakeTree() : directory_(MustCreate()) {}

FakeTree::FakeTree(const std::map<std::string, std::string>& files) : FakeTree() { WriteAll(files); }

void FakeTree::Write(std::string_view path, std::string_view content) {
  const std::string full = root() + std::string(path);
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(full).parent_path(), error);
  // Truncated in place: who holds the file open sees the new content, as with the kernel's files.
  std::ofstream file(full, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (error || !file) Fail("writing " + full);
}

void FakeTree::WriteAll(const std::map<std::string, std::string>& files) {
  for (const auto& [path, content] : files) Write(path, content);
}

void FakeTree::Link(std::string_view path, const std::string& target) {
  const std::filesystem::path full = root() + std::string(path);
  std::error_code error;
  std::filesystem::create_directories(full.parent_path(), error);
  std::filesystem::remove(full, error);
  std::filesystem::create_symlink(target, full, error);
  if (error) Fail("linking " + full.string());
}

void FakeTree::MakeDirectory(std::string_view path) {
  std::error_code error;
  std::filesystem::create_directories(root() + std::string(path), error);
  if (error) Fail("making the directory " + std::string(path));
}

void FakeTree::Remove(std::string_view path) {
  std::error_code error;
  std::filesystem::remove_all(root() + std::string(path), error);
  if (error) Fail("removing " + std::string(path));
}

}  // namespace ashlar::node
