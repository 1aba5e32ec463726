#include "bench/read/dialects/nccl_json.h"

#include <algorithm>
#include <array>
#include <limits>

#include "bench/read/limits.h"

namespace ashlar::bench {
namespace {

using base::Json;
using base::JsonObject;

constexpr double kHalfStep = 5e-7;  // of "%lf"
constexpr uint64_t kLine = 1;       // a document has no lines that mean anything

std::optional<uint64_t> Count(const Json& json, std::string_view key) {
  const auto number = base::GetInt(json, key);
  return number.ok() && *number >= 0 ? std::optional<uint64_t>(*number) : std::nullopt;
}

std::optional<PrintedNumber> Figure(const Json& json, std::string_view key) {
  const auto number = base::GetNumber(json, key);
  if (!number.ok() || *number < 0) return std::nullopt;
  // Large figures have more digits than a double holds.
  return PrintedNumber{.value = *number, .half_step = kHalfStep + *number * std::numeric_limits<double>::epsilon()};
}

std::string Text(const Json& json, std::string_view key) {
  const auto text = base::GetString(json, key);
  return text.ok() ? std::string(base::Trim(*text)) : std::string();
}

class Document {
 public:
  explicit Document(const Json& document) : document_(document) {}

  RunRecord Read() {
    run_.dialect = "nccl-json";
    run_.tool = "nccl-tests";
    run_.collective.emplace();
    ReadConfig(*base::Find(document_, "config"));
    for (const Json& result : base::Find(document_, "results")->get_array()) ReadResult(result);
    ReadFooter();
    return std::move(run_);
  }

 private:
  void ReadConfig(const Json& config) {
    RunRequest& request = run_.collective->request;
    request.threads = Count(config, "nthreads");
    request.gpus = Count(config, "ngpus");
    request.min_bytes = Count(config, "minimum_bytes");
    request.max_bytes = Count(config, "maximum_bytes");
    request.step_is_factor = base::Find(config, "step_factor") != nullptr;
    request.step = Count(config, request.step_is_factor ? "step_factor" : "step_bytes");
    request.iterations = Count(config, "iterations");
    request.validation = Count(config, "validation");
    const Json* devices = base::Find(config, "devices");
    if (devices == nullptr || !devices->is_array()) return;
    for (const Json& device : devices->get_array()) {
      if (run_.collective->devices.size() >= kMostDevices) break;
      run_.collective->devices.push_back({.line = kLine,
                                          .rank = base::GetInt(device, "rank").value_or(-1),
                                          .group = Count(device, "group"),
                                          .pid = Count(device, "pid"),
                                          .host = Text(device, "hostname"),
                                          .device = Count(device, "device"),
                                          .bus_id = Text(device, "device_hex"),
                                          .name = Text(device, "device_info")});
    }
    AddUnlistedRanks(request.threads.value_or(1) * request.gpus.value_or(1));
  }

  // Each listed rank stands for the `each` ranks of its process, when the listed ones are so far apart.
  void AddUnlistedRanks(uint64_t each) {
    auto& devices = run_.collective->devices;
    if (each < 2 || devices.empty() || devices.size() * each > kMostDevices) return;
    for (size_t i = 0; i < devices.size(); ++i) {
      if (devices[i].rank != static_cast<int64_t>(i * each)) return;
    }
    std::vector<RunDevice> all;
    for (const RunDevice& device : devices) {
      all.push_back(device);
      for (uint64_t i = 1; i < each; ++i) {
        all.push_back({.line = kLine,
                       .rank = device.rank + static_cast<int64_t>(i),
                       .group = device.group,
                       .pid = device.pid,
                       .host = device.host});
      }
    }
    devices = std::move(all);
    Note("the ranks that share a process with a listed one were added: the file lists one of each", false);
  }

  void ReadResult(const Json& result) {
    const auto size = Count(result, "size");
    const auto count = Count(result, "count");
    if (!size || !count || run_.collective->rows.size() >= kMostRows) {
      Note(fmt::format("result {} has no size and count, or is one too many", ++results_), true);
      return;
    }
    ++results_;
    CollectiveRow row{.line = kLine,
                      .size_bytes = *size,
                      .count = *count,
                      .type = Text(result, "type"),
                      .redop = Text(result, "redop"),
                      .root = Text(result, "root")};
    for (const char* name : {"out_of_place", "in_place"}) {
      const Json* body = base::Find(result, name);
      if (body == nullptr || body->is_null()) continue;
      PrintedPlacement placement{.time = Figure(*body, base::Find(*body, "time") != nullptr ? "time" : "cpu_time"),
                                 .algbw = Figure(*body, "alg_bw"),
                                 .busbw = Figure(*body, "bus_bw"),
                                 .wrong = std::nullopt};
      if (const auto wrong = Figure(*body, "nwrong"); wrong && wrong->value < static_cast<double>(kMostWrongElements)) {
        placement.wrong = static_cast<uint64_t>(wrong->value);
      }
      if (!placement.time || !placement.algbw || !placement.busbw) {
        Note(fmt::format("result {}: a figure of {} is missing or no number", results_, name), true);
      }
      row.placements.push_back(placement);
    }
    if (row.placements.empty()) Note(fmt::format("result {} has no figures", results_), true);
    run_.collective->rows.push_back(std::move(row));
  }

  void ReadFooter() {
    CollectiveTable& table = *run_.collective;
    if (const Json* bounds = base::Find(document_, "out_of_bounds")) table.out_of_bounds = Count(*bounds, "count");
    if (const Json* average = base::Find(document_, "average_bus_bandwidth")) {
      table.average_busbw = Figure(*average, "bandwidth");
    }
    if (const Json* errors = base::Find(document_, "errors"); errors != nullptr && errors->is_array()) {
      for (const Json& error : errors->get_array()) Note(fmt::format("error: {}", base::WriteJson(error)), true);
    }
    table.footer_line = kLine;
    run_.is_complete = base::Find(document_, "end_time") != nullptr && table.out_of_bounds && table.average_busbw;
  }

  void Note(std::string text, bool is_damage) {
    if (run_.notes.size() < kMostNotes) {
      run_.notes.push_back({.line = kLine, .text = std::move(text), .is_damage = is_damage});
    }
  }

  const Json& document_;
  RunRecord run_;
  uint64_t results_ = 0;
};

}  // namespace

void TakeNcclJson(const Json& document, const EmitRun& emit) {
  const Json* config = base::Find(document, "config");
  const Json* results = base::Find(document, "results");
  const bool is_ours = config != nullptr && config->is_object() && results != nullptr && results->is_array() &&
                       base::Find(document, "nccl_version") != nullptr;
  if (is_ours) emit(Document(document).Read());
}

}  // namespace ashlar::bench
