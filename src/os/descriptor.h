// A file descriptor with one owner. For use inside `os`; one thread at a time.
#pragma once

#include <unistd.h>

#include <utility>

#include "base/base.h"

namespace ashlar::os {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      Close();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }
  ~Descriptor() { Close(); }

  int number() const { return number_; }
  bool open() const { return number_ >= 0; }
  int Release() { return std::exchange(number_, -1); }
  void Close() {
    // No retry on EINTR: Linux has freed the number by then, and it may belong to another thread already.
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

// A pipe whose ends close on exec and are never 0, 1 or 2, so that they can be put there in a child.
struct Pipe {
  Descriptor read;
  Descriptor write;
};
base::StatusOr<Pipe> MakePipe();

// Reads and writes of the descriptor return at once instead of waiting.
base::Status MakeNonBlocking(const Descriptor& descriptor);

}  // namespace ashlar::os
