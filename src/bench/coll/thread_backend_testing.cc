#include "bench/coll/thread_backend_testing.h"

#include <cstdlib>
#include <cstring>
#include <thread>

#include "bench/coll/reduction.h"

namespace ashlar::bench {

class ThreadBackend : public CollectiveBackend {
 public:
  ThreadBackend(ThreadWorld& world, int rank) : world_(world), rank_(rank) {}

  std::string_view name() const override { return "threads"; }
  std::string library() const override { return "test double"; }
  int rank() const override { return rank_; }
  int ranks() const override { return world_.ranks_; }

  base::Status Check(const CollectiveCall& call) const override {
    if (Info(call.collective).rooted && call.root >= world_.ranks_) {
      return base::Error(base::StatusCode::kInvalidArgument, "there is no rank {} to be the root", call.root);
    }
    return base::OkStatus();
  }

  base::Status Time(const CollectiveCall& call, int64_t iterations, std::span<double> seconds) override {
    if (!world_.faults_.time_error.ok()) return world_.faults_.time_error;
    for (double& batch : seconds) {
      Operate(call);
      batch = world_.seconds_of_(call, batches_++) * static_cast<double>(iterations);
      if (rank_ == 0) world_.operations_ += iterations;
    }
    return base::OkStatus();
  }

  base::Status Barrier() override {
    world_.barrier_.arrive_and_wait();
    return base::OkStatus();
  }

  base::StatusOr<std::vector<double>> ShareNumbers(std::span<const double> mine) override {
    world_.slots_[Index()].numbers.assign(mine.begin(), mine.end());
    world_.barrier_.arrive_and_wait();
    std::vector<double> all;
    for (const auto& slot : world_.slots_) all.insert(all.end(), slot.numbers.begin(), slot.numbers.end());
    world_.barrier_.arrive_and_wait();
    return all;
  }

  base::StatusOr<std::vector<std::string>> ShareText(std::string_view mine) override {
    world_.slots_[Index()].text = std::string(mine);
    world_.barrier_.arrive_and_wait();
    std::vector<std::string> all;
    for (const auto& slot : world_.slots_) all.push_back(slot.text);
    world_.barrier_.arrive_and_wait();
    return all;
  }

  void* AllocateBuffer(uint64_t bytes) override {
    if (world_.faults_.no_memory && rank_ == 0) return nullptr;
    return std::calloc(1, bytes + 1);
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
  [[noreturn]] void Abort(int exit_code) override { std::_Exit(exit_code); }

 private:
  size_t Index() const { return static_cast<size_t>(rank_); }

  // Everybody shows its buffers, works its result out beside them, and writes it when all have read.
  void Operate(const CollectiveCall& call) {
    world_.slots_[Index()].call = call;
    world_.barrier_.arrive_and_wait();
    std::vector<std::byte> result = Result(call);
    world_.barrier_.arrive_and_wait();
    const size_t bad = world_.faults_.corrupt_element * Info(call.type).size_bytes;
    if (world_.faults_.corrupt_rank == rank_ && bad < result.size()) result[bad] ^= std::byte{0x3F};
    if (!result.empty()) std::memcpy(call.receive, result.data(), result.size());
    world_.barrier_.arrive_and_wait();
  }

  // `count` elements of rank `rank`'s input, from block `block` on.
  const std::byte* Input(int rank, int block) const {
    const CollectiveCall& call = world_.slots_[static_cast<size_t>(rank)].call;
    const auto* base = static_cast<const std::byte*>(call.in_place ? call.receive : call.send);
    return base + static_cast<size_t>(block) * call.count * Info(call.type).size_bytes;
  }

  std::vector<std::byte> Copy(const std::byte* from, const CollectiveCall& call) const {
    return {from, from + call.count * Info(call.type).size_bytes};
  }

  std::vector<std::byte> Reduction(const CollectiveCall& call, int block) const {
    std::vector<std::byte> result = Copy(Input(0, block), call);
    for (int rank = 1; rank < world_.ranks_; ++rank) {
      Accumulate(call.op, call.type, Input(rank, block), result.data(), call.count);
    }
    if (call.op == ReduceOp::kAverage) DivideBy(call.type, world_.ranks_, result.data(), call.count);
    return result;
  }

  std::vector<std::byte> Collected(const CollectiveCall& call) const {
    std::vector<std::byte> result;
    for (int rank = 0; rank < world_.ranks_; ++rank) {
      int block = call.in_place ? rank : 0;
      if (call.collective == Collective::kAllToAll) block = rank_;
      const std::vector<std::byte> piece = Copy(Input(rank, block), call);
      result.insert(result.end(), piece.begin(), piece.end());
    }
    return result;
  }

  std::vector<std::byte> Result(const CollectiveCall& call) const {
    const bool root = rank_ == call.root;
    switch (call.collective) {
      case Collective::kAllReduce: return Reduction(call, 0);
      case Collective::kReduce: return root ? Reduction(call, 0) : std::vector<std::byte>{};
      case Collective::kReduceScatter: return Reduction(call, rank_);
      case Collective::kBroadcast: return root ? std::vector<std::byte>{} : Copy(Input(call.root, 0), call);
      case Collective::kAllGather:
      case Collective::kAllToAll: return Collected(call);
      case Collective::kGather: return root ? Collected(call) : std::vector<std::byte>{};
      case Collective::kSendReceive: return Copy(Input((rank_ + world_.ranks_ - 1) % world_.ranks_, 0), call);
      case Collective::kScatter: break;
    }
    if (root && call.in_place) return {};
    const auto* send = static_cast<const std::byte*>(world_.slots_[static_cast<size_t>(call.root)].call.send);
    return Copy(send + Index() * call.count * Info(call.type).size_bytes, call);
  }

  ThreadWorld& world_;
  const int rank_;
  int64_t batches_ = 0;
};

ThreadWorld::ThreadWorld(int ranks, SecondsOf seconds_of, ThreadFaults faults)
    : ranks_(ranks),
      seconds_of_(std::move(seconds_of)),
      faults_(std::move(faults)),
      barrier_(ranks),
      slots_(static_cast<size_t>(ranks)) {}

std::unique_ptr<CollectiveBackend> ThreadWorld::Backend(int rank) {
  return std::make_unique<ThreadBackend>(*this, rank);
}

void ThreadWorld::Run(const std::function<void(CollectiveBackend&)>& work) {
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < ranks_; ++rank) {
    threads.emplace_back([this, rank, &work] {
      const std::unique_ptr<CollectiveBackend> backend = Backend(rank);
      work(*backend);
    });
  }
}

}  // namespace ashlar::bench
