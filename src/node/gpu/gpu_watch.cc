#include "node/gpu/gpu_watch.h"

#include <system_error>
#include <thread>

#include "node/gpu/gpu_library.h"

namespace ashlar::node {

struct GpuWatch::State {
  enum class Request { kNone, kInventory, kSensors };

  explicit State(const GpuWatchOptions& given) : options(given) {}

  const GpuWatchOptions options;
  CurrentCall current_call = nullptr;

  mutable base::Mutex mutex;
  mutable base::CondVar changed;
  bool started ABSL_GUARDED_BY(mutex) = false;
  bool stopping ABSL_GUARDED_BY(mutex) = false;
  Request request ABSL_GUARDED_BY(mutex) = Request::kNone;  // until its answer is there
  absl::Duration requested_at ABSL_GUARDED_BY(mutex);
  std::optional<GpuReading> last ABSL_GUARDED_BY(mutex);

  // What the thread does until it is told to stop.
  static void Run(const std::shared_ptr<State>& state);
  // The next request; kNone when the thread is to end.
  Request Await();
  Request FinishAndAwait(base::StatusOr<GpuInventory> answer);
  // False when a request runs already.
  bool Start(Request wanted);

  bool busy() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) { return request != Request::kNone; }
  std::string HangWords() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
};

namespace {

base::StatusOr<std::unique_ptr<GpuLibrary>> OpenLibrary(const GpuWatchOptions& options, CurrentCall& current) {
  return options.vendor == GpuVendor::kNvidia ? OpenNvml(options.library, current)
                                              : OpenRocmSmi(options.library, current);
}

// A copy that shares nothing with `status`. Copies of one absl::Status share a counted message, and ThreadSanitizer
// cannot see into the library that counts (docs/adr/0002-words-of-the-house.md).
base::Status Detached(const base::Status& status) {
  return status.ok() ? base::OkStatus() : base::Status(status.code(), std::string(base::Message(status)));
}

base::StatusOr<GpuInventory> Detached(const base::StatusOr<GpuInventory>& inventory) {
  if (!inventory.ok()) return Detached(inventory.status());
  GpuInventory copy = *inventory;
  for (Gpu& gpu : copy.gpus) gpu.handle = Detached(gpu.handle);
  return copy;
}

// What the thread owns: the open library and the inventory that sensors are read into.
class Worker {
 public:
  Worker(const GpuWatchOptions& options, CurrentCall& current) : options_(options), current_(current) {}

  // The whole inventory, or the sensors of the one that is known.
  base::StatusOr<GpuInventory> Answer(bool sensors_only) {
    base::Status status = Update(sensors_only);
    if (!status.ok()) {
      // A library that failed once is in no state to trust; the next request starts over.
      library_.reset();
      inventory_.reset();
      return status;
    }
    return *inventory_;
  }

 private:
  base::Status Update(bool sensors_only) {
    if (!library_) {
      ASHLAR_ASSIGN_OR_RETURN(library_, OpenLibrary(options_, current_));
    }
    if (sensors_only && inventory_) return library_->ReadSensors(*inventory_);
    ASHLAR_ASSIGN_OR_RETURN(inventory_, library_->ReadInventory());
    return base::OkStatus();
  }

  const GpuWatchOptions& options_;
  CurrentCall& current_;
  std::unique_ptr<GpuLibrary> library_;
  std::optional<GpuInventory> inventory_;
};

}  // namespace

void GpuWatch::State::Run(const std::shared_ptr<State>& state) {
  {
    Worker worker(state->options, state->current_call);
    Request request = state->Await();
    while (request != Request::kNone) {
      base::StatusOr<GpuInventory> answer = worker.Answer(request == Request::kSensors);
      request = state->FinishAndAwait(std::move(answer));
    }
  }
  const base::MutexLock lock(state->mutex);
  state->started = false;
  state->changed.SignalAll();
}

GpuWatch::State::Request GpuWatch::State::Await() {
  const base::MutexLock lock(mutex);
  while (!stopping && !busy()) changed.Wait(mutex);
  return stopping ? Request::kNone : request;
}

GpuWatch::State::Request GpuWatch::State::FinishAndAwait(base::StatusOr<GpuInventory> answer) {
  {
    const base::MutexLock lock(mutex);
    // Not a look at the clock: its owner may be gone while this thread was left behind.
    last = GpuReading{std::move(answer), requested_at};
    request = Request::kNone;
    changed.SignalAll();
  }
  return Await();
}

bool GpuWatch::State::Start(Request wanted) {
  const base::MutexLock lock(mutex);
  if (busy()) return false;
  request = wanted;
  requested_at = options.clock->Monotonic();
  changed.SignalAll();
  return true;
}

std::string GpuWatch::State::HangWords() const {
  const char* call = current_call.load();
  return fmt::format("{} has not answered for {}; the driver hangs: see the kernel log, and restart the machine",
                     call == nullptr ? options.library.c_str() : call,
                     base::HumanDuration(options.clock->Monotonic() - requested_at));
}

GpuWatch::GpuWatch(const GpuWatchOptions& options) : state_(std::make_shared<State>(options)) {}

GpuWatch::~GpuWatch() {
  // The thread is detached from the start: joining one that hangs in the driver would hang as well. An idle one is
  // waited for, so that the library is shut down before the program goes on.
  constexpr absl::Duration kIdleWait = absl::Seconds(1);
  const base::MutexLock lock(state_->mutex);
  const bool idle = !state_->busy();
  state_->stopping = true;
  state_->changed.SignalAll();
  while (idle && state_->started) {
    if (state_->changed.WaitFor(state_->mutex, kIdleWait)) break;
  }
}

bool GpuWatch::Start(bool sensors_only) {
  if (!state_->Start(sensors_only ? State::Request::kSensors : State::Request::kInventory)) return false;
  const base::MutexLock lock(state_->mutex);
  if (state_->started) return true;
  try {
    std::thread([state = state_] { State::Run(state); }).detach();
    state_->started = true;
  } catch (const std::system_error& error) {
    // A full process table is an answer as well: the reading has failed, and the next one tries again.
    state_->last =
        GpuReading{base::Error(base::StatusCode::kResourceExhausted,
                               "starting a thread to read GPUs: {}; raise the limit of processes", error.what()),
                   state_->requested_at};
    state_->request = State::Request::kNone;
  }
  return true;
}

void GpuWatch::StartSensors() { (void)Start(true); }

base::StatusOr<GpuInventory> GpuWatch::Read(absl::Duration deadline) {
  if (!Start(false)) {
    const base::MutexLock lock(state_->mutex);
    return base::Error(base::StatusCode::kUnavailable, "{}", state_->HangWords());
  }
  const absl::Duration end = base::SystemClock().Monotonic() + deadline;
  const base::MutexLock lock(state_->mutex);
  while (state_->busy()) {
    const absl::Duration left = end - base::SystemClock().Monotonic();
    if (left <= absl::ZeroDuration()) {
      return base::Error(base::StatusCode::kDeadlineExceeded, "{}", state_->HangWords());
    }
    state_->changed.WaitFor(state_->mutex, left);
  }
  return Detached(state_->last->inventory);
}

base::Status GpuWatch::Last(absl::Duration patience, std::optional<GpuReading>& reading) const {
  const base::MutexLock lock(state_->mutex);
  if (state_->busy() && state_->options.clock->Monotonic() - state_->requested_at > patience) {
    return base::Error(base::StatusCode::kUnavailable, "{}", state_->HangWords());
  }
  if (!state_->last) {
    return base::Error(base::StatusCode::kUnavailable, "{} is being read for the first time", state_->options.library);
  }
  reading = GpuReading{Detached(state_->last->inventory), state_->last->asked_at};
  return base::OkStatus();
}

bool GpuWatch::WaitUntilIdle(absl::Duration deadline) const {
  const absl::Duration end = base::SystemClock().Monotonic() + deadline;
  const base::MutexLock lock(state_->mutex);
  while (state_->busy()) {
    const absl::Duration left = end - base::SystemClock().Monotonic();
    if (left <= absl::ZeroDuration()) return false;
    state_->changed.WaitFor(state_->mutex, left);
  }
  return true;
}

}  // namespace ashlar::node
