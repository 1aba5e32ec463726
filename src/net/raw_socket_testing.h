// A bare TCP socket for tests that send exact bytes, half-close and wait for the other side to close.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ashlar::net {

// Blocking, with a time limit on every wait that only a broken server reaches. Failures are test failures.
class RawSocket {
 public:
  // Connects to 127.0.0.1.
  explicit RawSocket(uint16_t port);
  // Takes over a connected socket.
  static RawSocket Adopt(int descriptor) { return RawSocket(descriptor, Adopted{}); }
  ~RawSocket();
  RawSocket(RawSocket&& other) noexcept;
  RawSocket& operator=(RawSocket&&) = delete;

  // False when the other side has closed.
  bool Send(std::string_view bytes);
  // Says that nothing more will be sent.
  void HalfClose();
  // Everything until the other side closes or resets.
  std::string ReadAll();
  // What comes until `end` was seen (included), or until the close.
  std::string ReadUntil(std::string_view end);
  int descriptor() const { return descriptor_; }

 private:
  struct Adopted {};
  RawSocket(int descriptor, Adopted) : descriptor_(descriptor) {}
  bool ReadMore();

  int descriptor_ = -1;
  std::string received_;
};

// A listening socket of its own on 127.0.0.1, for servers that a test plays itself.
class RawListener {
 public:
  RawListener();
  ~RawListener();
  RawListener(const RawListener&) = delete;
  RawListener& operator=(const RawListener&) = delete;
  uint16_t port() const { return port_; }
  RawSocket Accept();

 private:
  int descriptor_ = -1;
  uint16_t port_ = 0;
};

}  // namespace ashlar::net
