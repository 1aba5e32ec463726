#include "net/fake_stream_testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace ashlar::net {

void FakeStream::ReadSome(std::span<char> buffer, absl::Duration timeout, ReadDone done) {
  ASSERT_FALSE(reading() || writing()) << "one operation at a time";
  buffer_ = buffer;
  read_timeout_ = timeout;
  read_done_ = std::move(done);
}

void FakeStream::Write(std::string_view bytes, absl::Duration timeout, WriteDone done) {
  ASSERT_FALSE(reading() || writing()) << "one operation at a time";
  written_.append(bytes);
  write_timeout_ = timeout;
  write_done_ = std::move(done);
}

void FakeStream::CloseGently(std::function<void()> done) { closed_done_ = std::move(done); }

void FakeStream::DeliverBytes(std::string_view bytes) {
  ASSERT_TRUE(reading());
  ASSERT_LE(bytes.size(), buffer_.size());
  std::copy(bytes.begin(), bytes.end(), buffer_.begin());
  std::exchange(read_done_, nullptr)(bytes.size());
}

void FakeStream::DeliverReadError(base::Status status) {
  ASSERT_TRUE(reading());
  std::exchange(read_done_, nullptr)(std::move(status));
}

void FakeStream::DeliverWritten(base::Status status) {
  ASSERT_TRUE(writing());
  std::exchange(write_done_, nullptr)(std::move(status));
}

void FakeStream::DeliverClosed() {
  ASSERT_TRUE(closing_gently());
  std::exchange(closed_done_, nullptr)();
}

void FakeStream::Abandon() {
  const ReadDone read = std::exchange(read_done_, nullptr);
  const WriteDone write = std::exchange(write_done_, nullptr);
  const std::function<void()> closed = std::exchange(closed_done_, nullptr);
}

}  // namespace ashlar::net
