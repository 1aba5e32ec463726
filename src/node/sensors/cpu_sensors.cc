// Processor time by mode, and the counts of /proc/stat; load averages.
#include "node/kernel/cpu_stat.h"
#include "node/sensors/sensor.h"

namespace ashlar::node {
namespace {

// In node_exporter's series a processor has eight modes; guest time is a family of its own.
constexpr CpuMode kModes[] = {kUser, kNice, kSystem, kIdle, kIowait, kIrq, kSoftirq, kSteal};
constexpr std::string_view kModeNames[] = {"user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"};
constexpr double kSecondsPerTick = 1 / kTicksPerSecond;

enum Family : size_t { kCpu, kGuestTime, kContextSwitches, kInterrupts, kForks, kRunning, kBlocked, kBootTime };

constexpr FamilyPlan kPlans[] = {
    {"node_cpu_seconds_total", "Seconds the CPUs spent in each mode.", SeriesType::kCounter, kSecondsPerTick,
     CounterKind::kStepsBack},
    {"node_cpu_guest_seconds_total", "Seconds the CPUs spent in guests (VMs) for each mode.", SeriesType::kCounter,
     kSecondsPerTick, CounterKind::kStepsBack},
    {"node_context_switches_total", "Total number of context switches.", SeriesType::kCounter},
    {"node_intr_total", "Total number of interrupts serviced.", SeriesType::kCounter},
    {"node_forks_total", "Total number of forks.", SeriesType::kCounter},
    {"node_procs_running", "Number of processes in runnable state."},
    {"node_procs_blocked", "Number of processes blocked waiting for I/O to complete."},
    {"node_boot_time_seconds", "Node boot time, in unixtime."},
};

class CpuSensor final : public Sensor {
 public:
  explicit CpuSensor(const SamplerSources& sources) : system_(sources.system) {}

  std::string_view name() const override { return "cpu"; }

  void Declare(SourceSample& sample) override {
    for (const FamilyPlan& plan : kPlans) {
      const size_t family = board_.AddFamily(sample, plan);
      if (family >= kContextSwitches) board_.AddSeries(sample, family, "");
    }
  }

  base::Status Read(SourceSample& sample, absl::Duration) override {
    ASHLAR_RETURN_IF_ERROR(system_.ReadInto("/proc/stat", buffer_));
    ASHLAR_RETURN_IF_ERROR(ParseCpuStat(buffer_, stat_));
    for (const CpuTimes& times : stat_.cpus) WriteCpu(sample, times);
    WriteCounter(sample, kContextSwitches, stat_.context_switches);
    WriteCounter(sample, kInterrupts, stat_.interrupts);
    WriteCounter(sample, kForks, stat_.forks);
    WriteGauge(sample, kRunning, stat_.running);
    WriteGauge(sample, kBlocked, stat_.blocked);
    WriteGauge(sample, kBootTime, stat_.boot_time_seconds);
    return base::OkStatus();
  }

 private:
  static constexpr size_t kUnknownSlot = SIZE_MAX;

  // The place of a processor's series; processors that go offline keep theirs.
  size_t SlotOf(SourceSample& sample, uint32_t cpu) {
    if (cpu >= slots_.size()) slots_.resize(cpu + 1, kUnknownSlot);
    if (slots_[cpu] != kUnknownSlot) return slots_[cpu];
    slots_[cpu] = used_++;
    const std::string label = Label("cpu", fmt::format("{}", cpu));
    for (const std::string_view mode : kModeNames) {
      board_.AddSeries(sample, kCpu, fmt::format("{},{}", label, Label("mode", mode)));
    }
    for (const std::string_view mode : {"user", "nice"}) {
      board_.AddSeries(sample, kGuestTime, fmt::format("{},{}", label, Label("mode", mode)));
    }
    return slots_[cpu];
  }

  void WriteCpu(SourceSample& sample, const CpuTimes& times) {
    constexpr size_t kGuestModes = 2;
    const size_t slot = SlotOf(sample, times.cpu);
    for (size_t mode = 0; mode < std::size(kModes); ++mode) {
      board_.SetCounter(sample, kCpu, slot * std::size(kModes) + mode, times.ticks[kModes[mode]]);
    }
    board_.SetCounter(sample, kGuestTime, slot * kGuestModes, times.ticks[kGuest]);
    board_.SetCounter(sample, kGuestTime, slot * kGuestModes + 1, times.ticks[kGuestNice]);
  }

  void WriteCounter(SourceSample& sample, size_t family, const std::optional<uint64_t>& value) {
    if (value) board_.SetCounter(sample, family, 0, *value);
  }
  void WriteGauge(SourceSample& sample, size_t family, const std::optional<uint64_t>& value) const {
    if (value) board_.SetGauge(sample, family, 0, static_cast<double>(*value));
  }

  const os::SysReader& system_;
  std::string buffer_;
  CpuStat stat_;
  std::vector<size_t> slots_;  // by processor number
  size_t used_ = 0;
};

class LoadSensor final : public Sensor {
 public:
  explicit LoadSensor(const SamplerSources& sources) : system_(sources.system) {}

  std::string_view name() const override { return "loadavg"; }

  void Declare(SourceSample& sample) override {
    for (const FamilyPlan& plan :
         {FamilyPlan{"node_load1", "1m load average."}, FamilyPlan{"node_load5", "5m load average."},
          FamilyPlan{"node_load15", "15m load average."}}) {
      board_.AddSeries(sample, board_.AddFamily(sample, plan), "");
    }
  }

  base::Status Read(SourceSample& sample, absl::Duration) override {
    ASHLAR_RETURN_IF_ERROR(system_.ReadInto("/proc/loadavg", buffer_));
    ASHLAR_ASSIGN_OR_RETURN(const LoadAverage load, ParseLoadAverage(buffer_));
    board_.SetGauge(sample, 0, 0, load.one_minute);
    board_.SetGauge(sample, 1, 0, load.five_minutes);
    board_.SetGauge(sample, 2, 0, load.fifteen_minutes);
    return base::OkStatus();
  }

 private:
  const os::SysReader& system_;
  std::string buffer_;
};

}  // namespace

std::unique_ptr<Sensor> MakeCpuSensor(const SamplerSources& sources) { return std::make_unique<CpuSensor>(sources); }
std::unique_ptr<Sensor> MakeLoadSensor(const SamplerSources& sources) { return std::make_unique<LoadSensor>(sources); }

}  // namespace ashlar::node
