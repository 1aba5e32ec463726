// The MPI backend: a shared object built once against each MPI on the machine, opened by bench/coll/backends.cc.
#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <cstring>

#include "bench/coll/backend.h"
#include "bench/coll/limits.h"
#include "bench/coll/modules/mpi_types_module.h"
#include "bench/coll/reduction.h"

namespace ashlar::bench {
namespace {

constexpr uint64_t kBufferAlignmentBytes = 4096;
constexpr int kRingTag = 1;

base::Status MpiStatus(int code, std::string_view call) {
  if (code == MPI_SUCCESS) return base::OkStatus();
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) length = 0;
  return base::Error(base::StatusCode::kInternal, "{}: {}", call, std::string_view(text, static_cast<size_t>(length)));
}

std::string LibraryVersion() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  // "Open MPI v4.1.4, package: ..., ident: ..." and "MPICH Version:\t4.0.2\nMPICH Release date:...": the first phrase.
  const std::string_view whole(text, static_cast<size_t>(length));
  std::string first(whole.substr(0, whole.find_first_of(",\n")));
  const size_t mark = first.find(" Version:");
  if (mark != std::string::npos) {
    first = first.substr(0, mark) + " " + std::string(base::Trim(std::string_view(first).substr(mark + 9)));
  }
  return std::string(base::Trim(first));
}

// Everything that MPI wants for one call, worked out before the clock starts.
struct Prepared {
  const void* send;
  void* receive;
  int count;
  MPI_Datatype type;
  MPI_Op op;
  int root;
  int next;
  int previous;
};

// Runs `operation` again and again with nothing around it but the loop and one clock reading a batch.
template <typename Operation>
int TimeLoop(int64_t iterations, std::span<double> seconds, const Operation& operation) {
  using Clock = std::chrono::steady_clock;
  int code = MPI_SUCCESS;
  Clock::time_point begin = Clock::now();
  for (double& batch : seconds) {
    for (int64_t i = 0; i < iterations; ++i) code |= operation();
    const Clock::time_point end = Clock::now();
    batch = std::chrono::duration<double>(end - begin).count();
    begin = end;
  }
  return code;
}

int TimeReductions(const CollectiveCall& call, const Prepared& p, int64_t iterations, std::span<double> seconds) {
  switch (call.collective) {
    case Collective::kAllReduce:
      return TimeLoop(iterations, seconds,
                      [&p] { return MPI_Allreduce(p.send, p.receive, p.count, p.type, p.op, MPI_COMM_WORLD); });
    case Collective::kReduceScatter:
      return TimeLoop(iterations, seconds, [&p] {
        return MPI_Reduce_scatter_block(p.send, p.receive, p.count, p.type, p.op, MPI_COMM_WORLD);
      });
    default:
      return TimeLoop(iterations, seconds,
                      [&p] { return MPI_Reduce(p.send, p.receive, p.count, p.type, p.op, p.root, MPI_COMM_WORLD); });
  }
}

int TimeRing(const CollectiveCall& call, const Prepared& p, int64_t iterations, std::span<double> seconds) {
  if (call.in_place) {
    return TimeLoop(iterations, seconds, [&p] {
      return MPI_Sendrecv_replace(p.receive, p.count, p.type, p.next, kRingTag, p.previous, kRingTag, MPI_COMM_WORLD,
                                  MPI_STATUS_IGNORE);
    });
  }
  return TimeLoop(iterations, seconds, [&p] {
    return MPI_Sendrecv(p.send, p.count, p.type, p.next, kRingTag, p.receive, p.count, p.type, p.previous, kRingTag,
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
}

int TimeMoves(const CollectiveCall& call, const Prepared& p, int64_t iterations, std::span<double> seconds) {
  switch (call.collective) {
    case Collective::kAllGather:
      return TimeLoop(iterations, seconds, [&p] {
        return MPI_Allgather(p.send, p.count, p.type, p.receive, p.count, p.type, MPI_COMM_WORLD);
      });
    case Collective::kAllToAll:
      return TimeLoop(iterations, seconds, [&p] {
        return MPI_Alltoall(p.send, p.count, p.type, p.receive, p.count, p.type, MPI_COMM_WORLD);
      });
    case Collective::kGather:
      return TimeLoop(iterations, seconds, [&p] {
        return MPI_Gather(p.send, p.count, p.type, p.receive, p.count, p.type, p.root, MPI_COMM_WORLD);
      });
    case Collective::kScatter:
      return TimeLoop(iterations, seconds, [&p] {
        return MPI_Scatter(p.send, p.count, p.type, p.receive, p.count, p.type, p.root, MPI_COMM_WORLD);
      });
    case Collective::kBroadcast:
      return TimeLoop(iterations, seconds,
                      [&p] { return MPI_Bcast(p.receive, p.count, p.type, p.root, MPI_COMM_WORLD); });
    default: return TimeRing(call, p, iterations, seconds);
  }
}

class MpiBackend : public CollectiveBackend {
 public:
  // Between MPI_Init and MPI_Finalize.
  MpiBackend() : library_(LibraryVersion()) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    operations_.emplace();
  }
  ~MpiBackend() override {
    operations_.reset();
    MPI_Finalize();
  }

  std::string_view name() const override { return "mpi"; }
  std::string library() const override { return library_; }
  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }

  base::Status Check(const CollectiveCall& call) const override {
    if (call.count > kMaxMpiCount) {
      return base::Error(base::StatusCode::kResourceExhausted,
                         "{} elements are more than MPI counts ({}): choose a smaller -e or a wider -d", call.count,
                         kMaxMpiCount);
    }
    if (Info(call.collective).rooted && (call.root < 0 || call.root >= ranks_)) {
      return base::Error(base::StatusCode::kInvalidArgument, "there is no rank {} to be the root: -r 0 to {}",
                         call.root, ranks_ - 1);
    }
    if (Info(call.collective).reduces) return CheckReduction(call.op, call.type);
    return base::OkStatus();
  }

  base::Status Time(const CollectiveCall& call, int64_t iterations, std::span<double> seconds) override {
    ASHLAR_RETURN_IF_ERROR(Check(call));
    const Prepared prepared = Prepare(call);
    ASHLAR_RETURN_IF_ERROR(Barrier());
    int code = MPI_SUCCESS;
    if (Info(call.collective).reduces && call.op == ReduceOp::kAverage) {
      code = TimeAverage(call, prepared, iterations, seconds);
    } else if (Info(call.collective).reduces) {
      code = TimeReductions(call, prepared, iterations, seconds);
    } else {
      code = TimeMoves(call, prepared, iterations, seconds);
    }
    return MpiStatus(code, Info(call.collective).name);
  }

  base::Status Barrier() override { return MpiStatus(MPI_Barrier(MPI_COMM_WORLD), "barrier"); }

  base::StatusOr<std::vector<double>> ShareNumbers(std::span<const double> mine) override {
    std::vector<double> all(mine.size() * static_cast<size_t>(ranks_));
    const int count = static_cast<int>(mine.size());
    ASHLAR_RETURN_IF_ERROR(MpiStatus(
        MPI_Allgather(mine.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, MPI_COMM_WORLD), "sharing"));
    return all;
  }

  base::StatusOr<std::vector<std::string>> ShareText(std::string_view mine) override {
    const auto length = static_cast<double>(mine.size());
    ASHLAR_ASSIGN_OR_RETURN(const std::vector<double> lengths, ShareNumbers(std::span(&length, 1)));
    std::vector<int> counts;
    std::vector<int> offsets;
    int total = 0;
    for (const double each : lengths) {
      counts.push_back(static_cast<int>(each));
      offsets.push_back(total);
      total += counts.back();
    }
    std::string all(static_cast<size_t>(total), '\0');
    ASHLAR_RETURN_IF_ERROR(MpiStatus(MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_CHAR, all.data(),
                                                    counts.data(), offsets.data(), MPI_CHAR, MPI_COMM_WORLD),
                                     "sharing text"));
    std::vector<std::string> texts;
    for (size_t i = 0; i < counts.size(); ++i) {
      texts.push_back(all.substr(static_cast<size_t>(offsets[i]), static_cast<size_t>(counts[i])));
    }
    return texts;
  }

  void* AllocateBuffer(uint64_t bytes) override {
    const uint64_t rounded = (bytes / kBufferAlignmentBytes + 1) * kBufferAlignmentBytes;
    void* buffer = std::aligned_alloc(kBufferAlignmentBytes, rounded);
    if (buffer != nullptr) std::memset(buffer, 0, rounded);
    return buffer;
  }
  void FreeBuffer(void* buffer) override { std::free(buffer); }
  base::Status WriteBuffer(void* buffer, uint64_t offset, std::span<const std::byte> bytes) override {
    std::memcpy(static_cast<std::byte*>(buffer) + offset, bytes.data(), bytes.size());
    return base::OkStatus();
  }
  base::Status ReadBuffer(const void* buffer, uint64_t offset, std::span<std::byte> bytes) override {
    std::memcpy(bytes.data(), static_cast<const std::byte*>(buffer) + offset, bytes.size());
    return base::OkStatus();
  }

  [[noreturn]] void Abort(int exit_code) override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
  }

 private:
  Prepared Prepare(const CollectiveCall& call) const {
    const bool root = rank_ == call.root;
    Prepared p{.send = call.send,
               .receive = call.receive,
               .count = static_cast<int>(call.count),
               .type = MpiType(call.type),
               .op = operations_->Of(call.op, call.type),
               .root = call.root,
               .next = (rank_ + 1) % ranks_,
               .previous = (rank_ + ranks_ - 1) % ranks_};
    if (call.collective == Collective::kBroadcast && root && !call.in_place) p.receive = call.send;
    if (!call.in_place) return p;
    p.send = MPI_IN_PLACE;
    if (call.collective == Collective::kReduce && !root) p.send = call.receive;
    if (call.collective == Collective::kGather && !root) {
      p.send = static_cast<std::byte*>(call.receive) +
               call.count * static_cast<uint64_t>(rank_) * Info(call.type).size_bytes;
    }
    if (call.collective == Collective::kScatter) {
      p.send = call.send;
      if (root) p.receive = MPI_IN_PLACE;
    }
    return p;
  }

  // MPI has no average: a sum, then the division on the ranks that hold a result, both timed.
  int TimeAverage(const CollectiveCall& call, const Prepared& p, int64_t iterations, std::span<double> seconds) const {
    const bool holds_result = call.collective != Collective::kReduce || rank_ == call.root;
    const int64_t ranks = ranks_;
    return TimeLoop(iterations, seconds, [&] {
      double unused = 0;
      const int code = TimeReductions(call, p, 1, std::span(&unused, 1));
      if (holds_result) DivideBy(call.type, ranks, call.receive, call.count);
      return code;
    });
  }

  std::string library_;
  int rank_ = 0;
  int ranks_ = 1;
  std::optional<MpiOperations> operations_;
};

}  // namespace
}  // namespace ashlar::bench

extern "C" {

int ashlar_backend_module_version() { return ashlar::bench::kBackendModuleVersion; }

ashlar::bench::CollectiveBackend* ashlar_backend_module_open(char* error, size_t error_bytes) {
  int provided = 0;
  // The watcher thread of a rank calls Abort only, and only when the run is lost.
  const int code = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  if (code != MPI_SUCCESS) {
    const std::string text(ashlar::base::Message(ashlar::bench::MpiStatus(code, "starting MPI")));
    error[text.copy(error, error_bytes - 1)] = '\0';
    return nullptr;
  }
  return new ashlar::bench::MpiBackend();
}
}
