#include "bench/coll/session.h"

#include <unistd.h>

#include <algorithm>

#include "bench/coll/limits.h"
#include "bench/coll/measurement.h"
#include "bench/coll/verification.h"

namespace ashlar::bench {
namespace {

constexpr size_t kZeroChunkBytes = 64 * 1024;

// A budget that leaves less than this for a placement is spent.
constexpr absl::Duration kLeastPlacementTime = absl::Milliseconds(1);

}  // namespace

struct Session::Buffers {
  explicit Buffers(CollectiveBackend& owner) : backend(owner) {}
  ~Buffers() {
    if (send != nullptr) backend.FreeBuffer(send);
    if (receive != nullptr) backend.FreeBuffer(receive);
  }
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  CollectiveBackend& backend;
  void* send = nullptr;
  void* receive = nullptr;
};

Session::Session(SessionParts parts, CollectiveOptions options, ArgumentValues arguments)
    : parts_(std::move(parts)), options_(std::move(options)), arguments_(std::move(arguments)) {}

Session::~Session() = default;

base::StatusOr<std::vector<base::Json>> Session::Run() {
  started_ = parts_.clock->Monotonic();
  facts_.run = base::NewId(parts_.clock->Now());
  facts_.backend = std::string(parts_.backend->name());
  facts_.library = parts_.backend->library();
  facts_.notes = options_.notes;
  ASHLAR_RETURN_IF_ERROR(LearnPlaces());
  ASHLAR_RETURN_IF_ERROR(LimitSizes());
  ASHLAR_RETURN_IF_ERROR(MakeBuffers());
  for (const Collective collective : options_.collectives) {
    ASHLAR_ASSIGN_OR_RETURN(const auto combinations, Combinations(options_, collective, parts_.backend->ranks()));
    placements_left_ += static_cast<int64_t>(2 * combinations.size() * options_.sizes_bytes.size()) *
                        std::max<int64_t>(1, options_.cycles);
  }
  Step("settling");
  const CollectiveCall settle{
      .collective = Collective::kAllReduce, .count = 1, .send = buffers_->send, .receive = buffers_->receive};
  ASHLAR_RETURN_IF_ERROR(SettleRanks(*parts_.backend, settle, parts_.settling));
  for (const Collective collective : options_.collectives) ASHLAR_RETURN_IF_ERROR(RunCollective(collective));
  return std::move(documents_);
}

base::Status Session::LearnPlaces() {
  Step("meeting the other ranks");
  ASHLAR_ASSIGN_OR_RETURN(const std::vector<std::string> hosts, parts_.backend->ShareText(parts_.host));
  const auto pid = static_cast<double>(getpid());
  ASHLAR_ASSIGN_OR_RETURN(const std::vector<double> pids, parts_.backend->ShareNumbers(std::span(&pid, 1)));
  for (size_t rank = 0; rank < hosts.size(); ++rank) {
    facts_.places.push_back({static_cast<int>(rank), static_cast<int64_t>(pids[rank]), hosts[rank]});
  }
  local_ranks_ = std::count(hosts.begin(), hosts.end(), parts_.host);
  return base::OkStatus();
}

uint64_t Session::BytesNeeded(uint64_t size) const {
  uint64_t most = 0;
  for (const Collective collective : options_.collectives) {
    for (const DataType type : options_.types) {
      const MessagePlan plan = PlanMessage(collective, type, parts_.backend->ranks(), size);
      most = std::max(most, (plan.send_elements + plan.receive_elements) * Info(type).size_bytes);
    }
  }
  return most;
}

base::Status Session::LimitSizes() {
  double room = static_cast<double>(parts_.memory_available.count) * kMaxMemoryShare;
  room = room / static_cast<double>(std::max<int64_t>(1, local_ranks_));
  ASHLAR_ASSIGN_OR_RETURN(const std::vector<double> rooms, parts_.backend->ShareNumbers(std::span(&room, 1)));
  const double least = *std::min_element(rooms.begin(), rooms.end());
  if (!(least > 0)) return base::OkStatus();
  const size_t asked = options_.sizes_bytes.size();
  while (!options_.sizes_bytes.empty() && static_cast<double>(BytesNeeded(options_.sizes_bytes.back())) > least) {
    options_.sizes_bytes.pop_back();
  }
  if (options_.sizes_bytes.empty()) {
    return base::Error(base::StatusCode::kResourceExhausted,
                       "not even the smallest size fits into memory: a rank may take {}",
                       base::HumanBytes({static_cast<uint64_t>(least)}));
  }
  if (options_.sizes_bytes.size() < asked) {
    facts_.notes.push_back(
        fmt::format("Reducing maxBytes to {} due to memory limitation", options_.sizes_bytes.back()));
  }
  return base::OkStatus();
}

base::Status Session::MakeBuffers() {
  Step("allocating buffers");
  uint64_t send = 0;
  uint64_t receive = 0;
  for (const Collective collective : options_.collectives) {
    for (const DataType type : options_.types) {
      const uint64_t size = options_.sizes_bytes.back();
      const MessagePlan plan = PlanMessage(collective, type, parts_.backend->ranks(), size);
      send = std::max(send, plan.send_elements * Info(type).size_bytes);
      receive = std::max(receive, plan.receive_elements * Info(type).size_bytes);
    }
  }
  buffers_ = std::make_unique<Buffers>(*parts_.backend);
  buffers_->send = parts_.backend->AllocateBuffer(send);
  buffers_->receive = parts_.backend->AllocateBuffer(receive);
  // One rank without memory must not leave the others waiting.
  const double got = buffers_->send != nullptr && buffers_->receive != nullptr ? 1 : 0;
  ASHLAR_ASSIGN_OR_RETURN(const std::vector<double> all, parts_.backend->ShareNumbers(std::span(&got, 1)));
  for (size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank] != 0) continue;
    return base::Error(base::StatusCode::kResourceExhausted, "rank {} on {} has no memory for {} of buffers: use -e",
                       rank, facts_.places[rank].host, base::HumanBytes({send + receive}));
  }
  return base::OkStatus();
}

base::Status Session::RunCollective(Collective collective) {
  const absl::Duration begin = parts_.clock->Monotonic();
  facts_.collective = collective;
  facts_.started = parts_.clock->Now();
  missing_.clear();
  document_ = BeginDocument(facts_, options_, arguments_, parts_.environment);
  document_["machine"] = parts_.machine;
  const bool speaks = parts_.backend->rank() == 0 && parts_.listener;
  if (speaks) parts_.listener(SessionEvent::kHeader, document_);
  ASHLAR_ASSIGN_OR_RETURN(const auto combinations, Combinations(options_, collective, parts_.backend->ranks()));
  absl::Duration cycle = absl::ZeroDuration();
  for (int64_t done = 0; options_.cycles == 0 || done < options_.cycles; ++done) {
    ASHLAR_ASSIGN_OR_RETURN(const absl::Duration before, ElapsedEverywhere());
    // Endless cycles end in order: no cycle begins that the deadline would cut.
    if (options_.cycles == 0 && done > 0 && before + 2 * cycle > options_.deadline) break;
    for (const Combination& combination : combinations) {
      ASHLAR_RETURN_IF_ERROR(RunCombination(collective, combination));
    }
    ASHLAR_ASSIGN_OR_RETURN(const absl::Duration after, ElapsedEverywhere());
    cycle = after - before;
  }
  FinishDocument(document_, parts_.clock->Monotonic() - begin, missing_);
  if (speaks) parts_.listener(SessionEvent::kDocument, document_);
  if (parts_.backend->rank() == 0) documents_.emplace_back(std::move(document_));
  return base::OkStatus();
}

base::Status Session::RunCombination(Collective collective, const Combination& combination) {
  for (const uint64_t size : options_.sizes_bytes) {
    const MessagePlan plan = PlanMessage(collective, combination.type, parts_.backend->ranks(), size);
    if (OutOfTime()) {
      placements_left_ -= 2;
      continue;
    }
    ASHLAR_RETURN_IF_ERROR(RunSize(plan, combination));
  }
  return base::OkStatus();
}

base::Status Session::RunSize(const MessagePlan& plan, const Combination& combination) {
  CollectiveCall call{.collective = plan.collective,
                      .type = combination.type,
                      .op = combination.op,
                      .root = combination.root,
                      .count = plan.count,
                      .in_place = false,
                      .send = buffers_->send,
                      .receive = buffers_->receive};
  ASHLAR_RETURN_IF_ERROR(parts_.backend->Check(call));
  ASHLAR_ASSIGN_OR_RETURN(base::Json out_of_place, RunPlacement(plan, call));
  if (OutOfTime()) return base::OkStatus();
  call.in_place = true;
  ASHLAR_ASSIGN_OR_RETURN(base::Json in_place, RunPlacement(plan, call));
  base::Json row = RowToJson(plan, combination, std::move(out_of_place), std::move(in_place));
  if (parts_.backend->rank() == 0 && parts_.listener) parts_.listener(SessionEvent::kRow, row);
  document_["rows"].as_array().push_back(std::move(row));
  return base::OkStatus();
}

base::StatusOr<base::Json> Session::RunPlacement(const MessagePlan& plan, const CollectiveCall& call) {
  const std::string what = fmt::format("{} {} {} {}", Info(plan.collective).name, base::HumanBytes({plan.size_bytes}),
                                       Info(plan.type).name, call.in_place ? "in place" : "out of place");
  MeasureOptions options{.iterations = options_.iterations,
                         .warmup_iterations = options_.warmup_iterations,
                         .aggregate = options_.aggregate,
                         .average = options_.average,
                         .interval = options_.interval};
  ASHLAR_ASSIGN_OR_RETURN(options.time_limit, PlacementLimit());
  --placements_left_;
  if (options.time_limit < kLeastPlacementTime) {
    missing_ = fmt::format("the budget of {} ended before {}: give a larger --budget or a smaller -e",
                           base::HumanDuration(*options_.budget), what);
    return base::Json(nullptr);
  }
  if (options_.budget.has_value()) options.least_batches = 3;
  options.on_round = [this, &what](std::string_view phase) { Step(fmt::format("{}, {}", what, phase)); };
  // Zeros stay zeros under every reduction: no number grows without bound over a million sums in place.
  if (call.in_place) ASHLAR_RETURN_IF_ERROR(ClearReceiveBuffer(plan));
  PlacementResult result;
  ASHLAR_ASSIGN_OR_RETURN(result.measurement, Measure(*parts_.backend, call, options));
  for (int64_t check = 0; check < options_.check_iterations; ++check) {
    Step(what + ", checking the result");
    ASHLAR_ASSIGN_OR_RETURN(const uint64_t wrong, CountWrongResults(*parts_.backend, plan, call, ++checks_));
    result.wrong = result.wrong.value_or(0) + wrong;
    if (wrong > 0) break;
  }
  return PlacementToJson(plan, result);
}

base::Status Session::ClearReceiveBuffer(const MessagePlan& plan) {
  const std::vector<std::byte> zeros(kZeroChunkBytes);
  const uint64_t total = plan.receive_elements * Info(plan.type).size_bytes;
  for (uint64_t at = 0; at < total; at += zeros.size()) {
    const auto length = static_cast<size_t>(std::min<uint64_t>(zeros.size(), total - at));
    ASHLAR_RETURN_IF_ERROR(parts_.backend->WriteBuffer(buffers_->receive, at, std::span(zeros).first(length)));
  }
  return base::OkStatus();
}

base::StatusOr<absl::Duration> Session::PlacementLimit() {
  if (!options_.budget.has_value()) return kMaxPlacementTime;
  ASHLAR_ASSIGN_OR_RETURN(const absl::Duration elapsed, ElapsedEverywhere());
  const absl::Duration left = *options_.budget - elapsed;
  return std::min(kMaxPlacementTime, left / std::max<int64_t>(1, placements_left_));
}

base::StatusOr<absl::Duration> Session::ElapsedEverywhere() {
  const double mine = absl::ToDoubleSeconds(parts_.clock->Monotonic() - started_);
  ASHLAR_ASSIGN_OR_RETURN(const std::vector<double> all, parts_.backend->ShareNumbers(std::span(&mine, 1)));
  return absl::Seconds(*std::max_element(all.begin(), all.end()));
}

void Session::Step(const std::string& step) {
  if (parts_.board != nullptr) parts_.board->BeginStep(parts_.backend->rank(), step);
}

}  // namespace ashlar::bench
