#include "bench/storage/io_engine.h"

#include <ctime>

namespace ashlar::bench {

int64_t MonotonicNanoseconds() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

base::Status OperationStatus(const StorageCell& cell, uint64_t offset, int64_t result) {
  const auto wanted = static_cast<int64_t>(cell.block.count);
  if (result == wanted) return base::OkStatus();
  const std::string where = fmt::format("{} at byte {}", CellName(cell), offset);
  if (result < 0) return base::ErrnoStatus(static_cast<int>(-result), where);
  return base::Error(base::StatusCode::kDataLoss, "{}: {} of {} bytes: the file was cut or the storage is failing",
                     where, result, wanted);
}

ChosenEngine ChooseEngine() {
  base::StatusOr<std::unique_ptr<IoEngine>> uring = MakeUringEngine();
  if (uring.ok()) return {*std::move(uring), ""};
  return {MakeThreadEngine(), fmt::format("io_uring is refused ({})", base::Message(uring.status()))};
}

}  // namespace ashlar::bench
