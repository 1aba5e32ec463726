#include "node/gpu/shared_library.h"

#include <dlfcn.h>

#include <utility>

namespace ashlar::node {

base::StatusOr<SharedLibrary> SharedLibrary::Open(const std::string& name) {
  void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return SharedLibrary(handle);
  const char* words = dlerror();
  const std::string reason = words == nullptr ? "no reason given" : words;
  // The loader reports everything as text; a missing file is the one case that is no fault of the machine. The text
  // must name this library: one that needs another missing one is broken.
  const bool missing = reason.starts_with(name + ": ") && reason.find("No such file") != std::string::npos;
  return base::Error(missing ? base::StatusCode::kNotFound : base::StatusCode::kFailedPrecondition,
                     "opening the library {}: {}", name, reason);
}

SharedLibrary::SharedLibrary(SharedLibrary&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

SharedLibrary& SharedLibrary::operator=(SharedLibrary&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

SharedLibrary::~SharedLibrary() {
  if (handle_ != nullptr) dlclose(handle_);
}

void* SharedLibrary::FindAddress(const char* symbol) const { return dlsym(handle_, symbol); }

}  // namespace ashlar::node
