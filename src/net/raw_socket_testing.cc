#include "net/raw_socket_testing.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <utility>

namespace ashlar::net {
namespace {

constexpr int kPatienceSeconds = 60;

sockaddr_in Loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

void BePatient(int descriptor) {
  const timeval patience{.tv_sec = kPatienceSeconds, .tv_usec = 0};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
}

}  // namespace

RawSocket::RawSocket(uint16_t port) : descriptor_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const sockaddr_in address = Loopback(port);
  BePatient(descriptor_);
  EXPECT_EQ(connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0) << errno;
}

RawSocket::~RawSocket() {
  if (descriptor_ >= 0) close(descriptor_);
}

RawSocket::RawSocket(RawSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), received_(std::move(other.received_)) {}

bool RawSocket::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0) {
      EXPECT_NE(errno, EAGAIN) << "the other side takes nothing";
      return false;
    }
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

void RawSocket::HalfClose() { EXPECT_EQ(shutdown(descriptor_, SHUT_WR), 0); }

bool RawSocket::ReadMore() {
  std::array<char, 65536> buffer{};
  const ssize_t count = recv(descriptor_, buffer.data(), buffer.size(), 0);
  if (count < 0) {
    EXPECT_NE(errno, EAGAIN) << "the other side neither answers nor closes";
  }
  if (count <= 0) return false;
  received_.append(buffer.data(), static_cast<size_t>(count));
  return true;
}

std::string RawSocket::ReadAll() {
  while (ReadMore()) {
  }
  return std::exchange(received_, std::string());
}

std::string RawSocket::ReadUntil(std::string_view end) {
  size_t at = received_.find(end);
  while (at == std::string::npos && ReadMore()) at = received_.find(end);
  if (at == std::string::npos) return std::exchange(received_, std::string());
  std::string found = received_.substr(0, at + end.size());
  received_.erase(0, found.size());
  return found;
}

RawListener::RawListener() : descriptor_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = Loopback(0);
  socklen_t length = sizeof(address);
  BePatient(descriptor_);
  EXPECT_EQ(bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), length), 0);
  EXPECT_EQ(listen(descriptor_, 16), 0);
  EXPECT_EQ(getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address), &length), 0);
  port_ = ntohs(address.sin_port);
}

RawListener::~RawListener() { close(descriptor_); }

RawSocket RawListener::Accept() {
  const int accepted = accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC);
  EXPECT_GE(accepted, 0) << "nobody connected";
  if (accepted >= 0) BePatient(accepted);
  return RawSocket::Adopt(accepted);
}

}  // namespace ashlar::net
