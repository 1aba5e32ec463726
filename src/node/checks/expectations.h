// What a machine is held to: data/node/*.yaml and the configuration, never a number in code.
//
// Four layers, the later one wins: data/node/defaults.yaml (every machine), data/node/accelerated.yaml (machines with
// a GPU or an RDMA device), data/node/sizes.yaml (one cloud size), and `node:` of the configuration. Each value
// remembers the file and key that it came from. Immutable after Load; any thread may read.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::node {

enum class ExpectationKind {
  kShare,   // 0 to 1
  kNumber,  // not negative
  kCount,   // whole, not negative
  kBytes,   // whole number, or text as "16G" (powers of 1024)
  kLimit,   // as kBytes, or "unlimited"
  kFlag,    // true, false
  kText,
  kTextList,
  kCountList,
  kNumberByName,  // {eth0: 100}
};

struct ExpectationKey {
  std::string_view name;
  ExpectationKind kind;
  std::string_view meaning;  // one line, with the unit
};

// Every key that the files and the configuration may hold.
std::span<const ExpectationKey> ExpectationKeys();

// A value and where it was stated: "data/node/sizes.yaml: Standard_HB120rs_v3.memory_bytes", "configuration:
// node.memory_bytes".
template <typename T>
struct Expected {
  T value;
  std::string source;
};

inline constexpr uint64_t kUnlimited = UINT64_MAX;

class Expectations {
 public:
  struct Request {
    base::Json configuration;  // the object at `node:`; null when there is none
    std::string size;          // "Standard_ND96isr_H100_v5"; "" when not known; `size:` of the configuration wins
    bool accelerated = false;  // IsAccelerated() of pci_gpus.h
  };
  // kInvalidArgument naming the key when the configuration holds an unknown one or a value of the wrong kind.
  static base::StatusOr<Expectations> Load(const Request& request);

  // Absent when no layer states the key. `key` must be of ExpectationKeys() and of the kind asked for.
  std::optional<Expected<double>> Number(std::string_view key) const;   // kShare, kNumber
  std::optional<Expected<uint64_t>> Whole(std::string_view key) const;  // kCount, kBytes, kLimit (kUnlimited)
  std::optional<Expected<bool>> Flag(std::string_view key) const;
  std::optional<Expected<std::string>> Text(std::string_view key) const;
  std::optional<Expected<std::vector<std::string>>> TextList(std::string_view key) const;
  std::optional<Expected<std::vector<uint64_t>>> CountList(std::string_view key) const;
  std::optional<Expected<std::map<std::string, double>>> NumberByName(std::string_view key) const;

  // The size whose numbers are in use; "" when none is known.
  const std::string& size() const { return size_; }
  // Why a size that was named gives no numbers ("... is not in data/node/sizes.yaml"); "" when all is well.
  const std::string& size_note() const { return size_note_; }

 private:
  struct Entry {
    base::Json value;
    std::string source;
  };
  base::Status AddFile(std::string_view file);
  base::Status AddSize(const std::string& size, bool must_exist);
  base::Status AddEntry(std::string_view key, const base::Json& value, const std::string& source);
  base::Status AddConfiguration(const base::Json& configuration);
  const Entry* Stated(std::string_view key) const;

  std::map<std::string, Entry, std::less<>> entries_;
  std::string size_;
  std::string size_note_;
};

}  // namespace ashlar::node
