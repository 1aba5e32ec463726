#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>

#include <cerrno>
#include <csignal>

#include "os/process_group.h"

namespace ashlar::os {
namespace {

// The C structures of posix_spawn, freed in the end. glibc starts the child with vfork, so the cost does not grow with
// this process, and reports what exec said.
class SpawnAttributes {
 public:
  SpawnAttributes() {
    posix_spawnattr_init(&attributes_);
    posix_spawn_file_actions_init(&actions_);
  }
  ~SpawnAttributes() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;

  // Zero or an errno value.
  int Prepare(const SpawnRequest& request) {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    constexpr short kFlags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    int error_number = posix_spawnattr_setflags(&attributes_, kFlags);
    if (error_number == 0) error_number = posix_spawnattr_setpgroup(&attributes_, 0);
    if (error_number == 0) error_number = posix_spawnattr_setsigmask(&attributes_, &none);
    if (error_number == 0) error_number = posix_spawnattr_setsigdefault(&attributes_, &all);
    if (error_number == 0) error_number = Place(request.input, STDIN_FILENO);
    if (error_number == 0) error_number = Place(request.output, STDOUT_FILENO);
    if (error_number == 0) error_number = Place(request.error, STDERR_FILENO);
    if (error_number == 0) error_number = posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    if (error_number == 0 && !request.directory.empty()) {
      error_number = posix_spawn_file_actions_addchdir_np(&actions_, request.directory.c_str());
    }
    return error_number;
  }

  const posix_spawnattr_t* attributes() const { return &attributes_; }
  const posix_spawn_file_actions_t* actions() const { return &actions_; }

 private:
  int Place(int from, int to) { return from < 0 ? 0 : posix_spawn_file_actions_adddup2(&actions_, from, to); }

  posix_spawnattr_t attributes_;
  posix_spawn_file_actions_t actions_;
};

std::vector<std::string> MergedEnvironment(const std::map<std::string, std::string>& added) {
  std::vector<std::string> merged;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!added.contains(std::string(text.substr(0, text.find('='))))) merged.emplace_back(text);
  }
  for (const auto& [name, value] : added) merged.push_back(fmt::format("{}={}", name, value));
  return merged;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// chdir fails with the same codes as exec: it is looked at first, so that the message names the right one.
base::Status CheckDirectory(const std::string& directory) {
  struct stat status {};
  if (directory.empty()) return base::OkStatus();
  if (::stat(directory.c_str(), &status) != 0) return base::ErrnoStatus(errno, "working directory " + directory);
  if (!S_ISDIR(status.st_mode)) return base::ErrnoStatus(ENOTDIR, "working directory " + directory);
  return base::OkStatus();
}

}  // namespace

base::StatusOr<pid_t> Spawn(const SpawnRequest& request) {
  ASHLAR_RETURN_IF_ERROR(CheckDirectory(request.directory));
  SpawnAttributes attributes;
  int error_number = attributes.Prepare(request);
  if (error_number != 0) return base::ErrnoStatus(error_number, "preparing to start " + request.program);
  std::vector<std::string> command = request.command;
  std::vector<std::string> environment = MergedEnvironment(request.environment);
  pid_t child = -1;
  error_number = posix_spawn(&child, request.program.c_str(), attributes.actions(), attributes.attributes(),
                             Pointers(command).data(), Pointers(environment).data());
  if (error_number != 0) return base::ErrnoStatus(error_number, "starting " + request.program);
  return child;
}

}  // namespace ashlar::os
