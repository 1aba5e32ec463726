#include "os/descriptor.h"

#include <fcntl.h>

#include <cerrno>

namespace ashlar::os {
namespace {

constexpr int kFirstFree = 3;

base::Status MoveAboveStandard(Descriptor& descriptor) {
  if (descriptor.number() >= kFirstFree) return base::OkStatus();
  const int moved = ::fcntl(descriptor.number(), F_DUPFD_CLOEXEC, kFirstFree);
  if (moved < 0) return base::ErrnoStatus(errno, "duplicating the end of a pipe");
  descriptor = Descriptor(moved);
  return base::OkStatus();
}

}  // namespace

base::StatusOr<Pipe> MakePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return base::ErrnoStatus(errno, "making a pipe");
  Pipe pipe{Descriptor(ends[0]), Descriptor(ends[1])};
  ASHLAR_RETURN_IF_ERROR(MoveAboveStandard(pipe.read));
  ASHLAR_RETURN_IF_ERROR(MoveAboveStandard(pipe.write));
  return pipe;
}

base::Status MakeNonBlocking(const Descriptor& descriptor) {
  const int flags = ::fcntl(descriptor.number(), F_GETFL);
  if (flags < 0 || ::fcntl(descriptor.number(), F_SETFL, flags | O_NONBLOCK) != 0) {
    return base::ErrnoStatus(errno, "making a descriptor non-blocking");
  }
  return base::OkStatus();
}

}  // namespace ashlar::os
