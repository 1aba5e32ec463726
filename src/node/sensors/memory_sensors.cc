// Memory by /proc/meminfo, and time lost waiting by /proc/pressure.
#include <map>

#include "node/kernel/meminfo.h"
#include "node/kernel/pressure.h"
#include "node/sensors/sensor.h"

namespace ashlar::node {
namespace {

// "Active(anon)" in kB becomes "node_memory_Active_anon_bytes"; a plain count has no unit.
std::string FamilyName(const MeminfoEntry& entry) {
  std::string name = "node_memory_";
  for (const char character : entry.name) {
    if (character == '(')
      name.push_back('_');
    else if (character != ')')
      name.push_back(character);
  }
  if (entry.is_bytes) name += "_bytes";
  return name;
}

// Metric names hold letters, digits and underscores only; the kernel's names with brackets removed are no others.
bool IsMetricName(std::string_view name) {
  for (const char character : name) {
    const bool letter = (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
    if (!letter && !(character >= '0' && character <= '9') && character != '_') return false;
  }
  return true;
}

class MemorySensor final : public Sensor {
 public:
  explicit MemorySensor(const SamplerSources& sources) : system_(sources.system) {}

  std::string_view name() const override { return "meminfo"; }
  void Declare(SourceSample&) override {}  // the kernel decides which lines there are

  base::Status Read(SourceSample& sample, absl::Duration) override {
    ASHLAR_RETURN_IF_ERROR(system_.ReadInto("/proc/meminfo", buffer_));
    ASHLAR_RETURN_IF_ERROR(ParseMeminfo(buffer_, entries_));
    for (size_t at = 0; at < entries_.size(); ++at) Write(sample, at);
    return base::OkStatus();
  }

 private:
  void Write(SourceSample& sample, size_t at) {
    const MeminfoEntry& entry = entries_[at];
    auto known = families_.find(entry.name);
    if (known == families_.end()) {
      const std::string family_name = FamilyName(entry);
      if (!IsMetricName(family_name)) return;
      const std::string help = fmt::format("Memory information field {}.", family_name.substr(12));
      const size_t family = board_.AddFamily(sample, {family_name, help});
      board_.AddSeries(sample, family, "");
      known = families_.emplace(entry.name, family).first;
    }
    board_.SetGauge(sample, known->second, 0, static_cast<double>(entry.value));
  }

  const os::SysReader& system_;
  std::string buffer_;
  std::vector<MeminfoEntry> entries_;
  std::map<std::string, size_t, std::less<>> families_;  // by the kernel's name
};

constexpr double kMicro = 1e-6;
constexpr FamilyPlan kPressurePlans[] = {
    {"node_pressure_cpu_waiting_seconds_total", "Total time in seconds that processes have waited for CPU time",
     SeriesType::kCounter, kMicro},
    {"node_pressure_io_waiting_seconds_total", "Total time in seconds that processes have waited due to IO congestion",
     SeriesType::kCounter, kMicro},
    {"node_pressure_io_stalled_seconds_total",
     "Total time in seconds no process could make progress due to IO congestion", SeriesType::kCounter, kMicro},
    {"node_pressure_memory_waiting_seconds_total", "Total time in seconds that processes have waited for memory",
     SeriesType::kCounter, kMicro},
    {"node_pressure_memory_stalled_seconds_total",
     "Total time in seconds no process could make progress due to memory congestion", SeriesType::kCounter, kMicro},
};

class PressureSensor final : public Sensor {
 public:
  explicit PressureSensor(const SamplerSources& sources) : system_(sources.system) {}

  std::string_view name() const override { return "pressure"; }

  void Declare(SourceSample& sample) override {
    for (const FamilyPlan& plan : kPressurePlans) board_.AddSeries(sample, board_.AddFamily(sample, plan), "");
  }

  // The three files stand alone as well; the first failure is the one that is told.
  base::Status Read(SourceSample& sample, absl::Duration) override {
    constexpr size_t kNone = SIZE_MAX;
    struct Row {
      std::string_view path;
      size_t some_family;
      size_t full_family;
    };
    constexpr Row kRows[] = {
        {"/proc/pressure/cpu", 0, kNone}, {"/proc/pressure/io", 1, 2}, {"/proc/pressure/memory", 3, 4}};
    base::Status worst;
    for (const Row& row : kRows) {
      base::Status status = system_.ReadInto(row.path, buffer_);
      if (status.ok()) {
        const auto pressure = ParsePressure(buffer_);
        status = pressure.status();
        if (pressure.ok()) Write(sample, *pressure, row.some_family, row.full_family);
      }
      if (!status.ok() && worst.ok()) worst = base::Annotate(status, row.path);
    }
    return worst;
  }

 private:
  void Write(SourceSample& sample, const Pressure& pressure, size_t some_family, size_t full_family) {
    if (pressure.some) board_.SetCounter(sample, some_family, 0, pressure.some->total_microseconds);
    if (pressure.full && full_family < std::size(kPressurePlans)) {
      board_.SetCounter(sample, full_family, 0, pressure.full->total_microseconds);
    }
  }

  const os::SysReader& system_;
  std::string buffer_;
};

}  // namespace

std::unique_ptr<Sensor> MakeMemorySensor(const SamplerSources& sources) {
  return std::make_unique<MemorySensor>(sources);
}
std::unique_ptr<Sensor> MakePressureSensor(const SamplerSources& sources) {
  return std::make_unique<PressureSensor>(sources);
}

}  // namespace ashlar::node
