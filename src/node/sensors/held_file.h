// A small file of the kernel that is read again and again: kept open, so that a reading is one call.
//
// For one thread. sysfs writes an attribute anew for each read at its start (Linux fs/kernfs/file.c).
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/base.h"

namespace ashlar::node {

class HeldFile {
 public:
  explicit HeldFile(std::string path) : path_(std::move(path)) {}
  HeldFile(HeldFile&& other) noexcept;
  HeldFile& operator=(HeldFile&& other) noexcept;
  ~HeldFile();

  // The text without white space at its end, valid until the next call. It is opened when it is not, and closed after
  // an error: a device that came back has new files. kResourceExhausted when it does not fit in kMaxHeldBytes.
  base::StatusOr<std::string_view> Read();
  // The text as a whole number. kInvalidArgument when it is none.
  base::StatusOr<uint64_t> ReadUint64();

  const std::string& path() const { return path_; }

  static constexpr size_t kMaxHeldBytes = 128;

 private:
  void Close();

  std::string path_;
  int descriptor_ = -1;
  std::array<char, kMaxHeldBytes + 1> buffer_;
};

}  // namespace ashlar::node
