#include "node/checks/kernel_calls.h"

#include <arpa/inet.h>
#include <linux/capability.h>
#include <netdb.h>
#include <sys/klog.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <string_view>

namespace ashlar::node {
namespace {

constexpr int kReadAll = 3;      // SYSLOG_ACTION_READ_ALL, syslog(2)
constexpr int kSizeBuffer = 10;  // SYSLOG_ACTION_SIZE_BUFFER

base::StatusOr<std::string> ReadSyslog() {
  const int size = klogctl(kSizeBuffer, nullptr, 0);
  if (size < 0) return base::ErrnoStatus(errno, "asking syslog(2) for the size of the kernel log");
  std::string log(static_cast<size_t>(size), '\0');
  const int length = klogctl(kReadAll, log.data(), size);
  if (length < 0) return base::ErrnoStatus(errno, "reading the kernel log with syslog(2)");
  log.resize(static_cast<size_t>(length));
  return log;
}

bool HasLockCapability() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> data{};
  if (syscall(SYS_capget, &header, data.data()) != 0) return false;
  return (data[0].effective & (1U << CAP_IPC_LOCK)) != 0;
}

std::string AddressText(const addrinfo& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* bytes = address.ai_family == AF_INET
                          ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in*>(address.ai_addr)->sin_addr)
                          : &reinterpret_cast<const sockaddr_in6*>(address.ai_addr)->sin6_addr;
  if (inet_ntop(address.ai_family, bytes, text.data(), text.size()) == nullptr) return "";
  return text.data();
}

class MachineKernelCalls : public KernelCalls {
 public:
  base::StatusOr<FileSystemUsage> Usage(const std::string& path) const override {
    struct statvfs status {};
    if (statvfs(path.c_str(), &status) != 0) return base::ErrnoStatus(errno, "statvfs of " + path);
    const uint64_t fragment = status.f_frsize;
    return FileSystemUsage{.total_bytes = status.f_blocks * fragment,
                           .free_bytes = status.f_bfree * fragment,
                           .available_bytes = status.f_bavail * fragment,
                           .total_inodes = status.f_files,
                           .free_inodes = status.f_ffree,
                           .available_inodes = status.f_favail,
                           .read_only = (status.f_flag & ST_RDONLY) != 0};
  }

  base::StatusOr<ClockState> Clock() const override {
    timex state{};
    const int result = adjtimex(&state);
    if (result < 0) return base::ErrnoStatus(errno, "adjtimex");
    const bool synchronised = result != TIME_ERROR && (state.status & STA_UNSYNC) == 0;
    return ClockState{.synchronised = synchronised, .maximum_error = absl::Microseconds(state.maxerror)};
  }

  base::StatusOr<ResourceLimit> Limit(ResourceKind kind) const override {
    rlimit limit{};
    const bool memory = kind == ResourceKind::kLockedMemory;
    if (getrlimit(memory ? RLIMIT_MEMLOCK : RLIMIT_NOFILE, &limit) != 0) return base::ErrnoStatus(errno, "getrlimit");
    const auto value = [](rlim_t number) { return number == RLIM_INFINITY ? UINT64_MAX : uint64_t{number}; };
    return ResourceLimit{value(limit.rlim_cur), value(limit.rlim_max), memory && HasLockCapability()};
  }

  base::StatusOr<std::string> KernelLog() const override { return ReadSyslog(); }

  base::StatusOr<std::vector<std::string>> Resolve(const std::string& name) const override {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int error = getaddrinfo(name.c_str(), nullptr, &hints, &found);
    if (error != 0) {
      const bool no_such_name = error == EAI_NONAME || error == EAI_NODATA;
      return base::Error(no_such_name ? base::StatusCode::kNotFound : base::StatusCode::kUnavailable, "{}: {}", name,
                         gai_strerror(error));
    }
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, &freeaddrinfo);
    std::vector<std::string> addresses;
    for (const addrinfo* next = found; next != nullptr; next = next->ai_next) {
      if (next->ai_family == AF_INET || next->ai_family == AF_INET6) addresses.push_back(AddressText(*next));
    }
    return addresses;
  }

  base::StatusOr<std::string> HostName() const override {
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) != 0) return base::ErrnoStatus(errno, "gethostname");
    return std::string(name.data());
  }
};

}  // namespace

const KernelCalls& RealKernelCalls() {
  static const MachineKernelCalls calls;
  return calls;
}

}  // namespace ashlar::node
