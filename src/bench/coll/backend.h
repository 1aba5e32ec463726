// What a collective benchmark needs of a communication library. MPI is the first; NCCL and RCCL fit the same frame.
//
// A backend belongs to one process of the job (one rank) and to one thread of it, except Abort, which any thread may
// call. Every rank makes the same calls in the same order. Buffers are the backend's: on a GPU they are not memory that
// the host can read, so data goes in and out through WriteBuffer and ReadBuffer.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "bench/coll/kinds.h"

namespace ashlar::bench {

// One collective operation, ready to be repeated. In place the receive buffer is also the source, as MPI_IN_PLACE.
struct CollectiveCall {
  Collective collective = Collective::kAllReduce;
  DataType type = DataType::kFloat;
  ReduceOp op = ReduceOp::kSum;  // of collectives that reduce
  int root = 0;                  // of collectives that have one
  uint64_t count = 0;            // elements, per block where there are blocks (bench/coll/layout.h)
  bool in_place = false;
  void* send = nullptr;
  void* receive = nullptr;
};

class CollectiveBackend {
 public:
  virtual ~CollectiveBackend() = default;

  virtual std::string_view name() const = 0;  // "mpi"
  virtual std::string library() const = 0;    // "Open MPI v4.1.4"
  virtual int rank() const = 0;
  virtual int ranks() const = 0;

  // kInvalidArgument, kUnimplemented or kResourceExhausted when Time would fail for such a call; the same on each rank.
  virtual base::Status Check(const CollectiveCall& call) const = 0;

  // Waits for all ranks, then runs batch after batch without a pause: seconds[i] is the wall time of batch i over
  // `iterations`. One clock reading a batch, nothing else between operations. kInternal with the library's words.
  virtual base::Status Time(const CollectiveCall& call, int64_t iterations, std::span<double> seconds) = 0;

  virtual base::Status Barrier() = 0;
  // What every rank gave, in the order of ranks, on every rank. Each rank gives the same number of values.
  virtual base::StatusOr<std::vector<double>> ShareNumbers(std::span<const double> mine) = 0;
  virtual base::StatusOr<std::vector<std::string>> ShareText(std::string_view mine) = 0;

  // Zeroed, touched memory; nullptr when there is not enough.
  virtual void* AllocateBuffer(uint64_t bytes) = 0;
  virtual void FreeBuffer(void* buffer) = 0;
  virtual base::Status WriteBuffer(void* buffer, uint64_t offset, std::span<const std::byte> bytes) = 0;
  virtual base::Status ReadBuffer(const void* buffer, uint64_t offset, std::span<std::byte> bytes) = 0;

  // Ends all ranks at once.
  [[noreturn]] virtual void Abort(int exit_code) = 0;
};

// The door of a backend that is a shared object: opened only when a benchmark runs, so that the program starts on
// machines without the library. Raise the version with any change to this header.
inline constexpr int kBackendModuleVersion = 1;
inline constexpr char kBackendModuleVersionSymbol[] = "ashlar_backend_module_version";
inline constexpr char kBackendModuleOpenSymbol[] = "ashlar_backend_module_open";

// Extern "C" functions of a module: `int ashlar_backend_module_version()` and
// `CollectiveBackend* ashlar_backend_module_open(char* error, size_t error_bytes)`, which the caller deletes;
// nullptr with a text in `error` when the library does not start.
using BackendModuleVersionFunction = int (*)();
using BackendModuleOpenFunction = CollectiveBackend* (*)(char* error, size_t error_bytes);

}  // namespace ashlar::bench
