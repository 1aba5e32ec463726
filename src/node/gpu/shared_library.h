// A library opened at run time, closed on destruction. For one thread at a time.
#pragma once

#include <string>

#include "base/base.h"

namespace ashlar::node {

class SharedLibrary {
 public:
  // `name` as for dlopen(3): a bare name is looked up on the loader's path. kNotFound when there is no such file,
  // kFailedPrecondition with the loader's words when it cannot be loaded.
  static base::StatusOr<SharedLibrary> Open(const std::string& name);
  SharedLibrary(SharedLibrary&& other) noexcept;
  SharedLibrary& operator=(SharedLibrary&& other) noexcept;
  ~SharedLibrary();

  // Points `function` at the symbol, or makes it null when the library does not have it. The type is the caller's
  // promise: it must be the documented one.
  template <typename Function>
  void Find(const char* symbol, Function*& function) const {
    function = reinterpret_cast<Function*>(FindAddress(symbol));
  }

 private:
  explicit SharedLibrary(void* handle) : handle_(handle) {}
  void* FindAddress(const char* symbol) const;
  void* handle_ = nullptr;
};

}  // namespace ashlar::node
