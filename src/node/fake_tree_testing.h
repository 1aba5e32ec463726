// A /proc and /sys of any machine, as files in a temporary directory, for tests of readers.
//
// One thread at a time. The directory goes with the object.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "os/os.h"

namespace ashlar::node {

class FakeTree {
 public:
  FakeTree();
  // Starts with `files`: absolute path ("/proc/meminfo") to content.
  explicit FakeTree(const std::map<std::string, std::string>& files);

  // Creates or replaces a file, with its directories.
  void Write(std::string_view path, std::string_view content);
  void WriteAll(const std::map<std::string, std::string>& files);
  // Creates or replaces a symbolic link whose target is stored as given.
  void Link(std::string_view path, const std::string& target);
  void MakeDirectory(std::string_view path);
  // Removes a file, or a directory with everything below it.
  void Remove(std::string_view path);

  os::SysReader reader() const { return os::SysReader(directory_.path()); }
  const std::string& root() const { return directory_.path(); }

 private:
  os::TemporaryDirectory directory_;
};

// A plain virtual machine: 2 processors, 8 GiB, one NUMA node, one virtio disk and interface, ext4 root, no RDMA.
FakeTree PlainMachine();

// As Azure's Standard_ND96isr_H100_v5 looks: 96 processors in 2 NUMA nodes, 1,900 GiB, 8 local NVMe disks, a synthetic
// interface with its virtual function, 8 InfiniBand ports of 400 Gb/s. (GPUs come from the fake driver library.)
FakeTree NdH100Machine();

// As Azure's Standard_HB176rs_v4 looks: 176 processors in 4 NUMA nodes, 768 GiB, 2 NVMe disks, one 400 Gb/s port, a
// synthetic interface with its virtual function.
FakeTree HbMachine();

}  // namespace ashlar::node
