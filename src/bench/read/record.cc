#include "bench/read/record.h"

#include <array>

namespace ashlar::bench {
namespace {

using base::Json;
using base::JsonArray;
using base::JsonObject;

constexpr double kBytesPerGigabyte = 1e9;

Json Scaled(const std::optional<PrintedNumber>& number, double factor) {
  return number ? base::NumberOrNull(number->value * factor) : Json(nullptr);
}

template <typename Value>
Json OrNull(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

JsonObject PlacementToJson(const PrintedPlacement& placement, double seconds_per_unit) {
  return {{"time_seconds", Scaled(placement.time, seconds_per_unit)},
          {"algbw_bytes_per_second", Scaled(placement.algbw, kBytesPerGigabyte)},
          {"busbw_bytes_per_second", Scaled(placement.busbw, kBytesPerGigabyte)},
          {"wrong_elements", OrNull(placement.wrong)},
          {"largest_error", Scaled(placement.error, 1)}};
}

JsonObject RowToJson(const CollectiveRow& row, double seconds_per_unit) {
  JsonObject json = {{"line", row.line}, {"size_bytes", row.size_bytes}, {"count", row.count},
                     {"type", row.type}, {"redop", row.redop},           {"root", row.root}};
  constexpr std::array kNames = {"out_of_place", "in_place"};
  for (size_t i = 0; i < row.placements.size() && i < kNames.size(); ++i) {
    json[kNames.at(i)] = PlacementToJson(row.placements[i], seconds_per_unit);
  }
  return json;
}

JsonObject DeviceToJson(const RunDevice& device) {
  return {{"line", device.line},       {"rank", device.rank}, {"group", OrNull(device.group)},
          {"pid", OrNull(device.pid)}, {"host", device.host}, {"device", OrNull(device.device)},
          {"bus_id", device.bus_id},   {"name", device.name}};
}

JsonObject CollectiveToJson(const CollectiveTable& run) {
  const double seconds_per_unit = run.time_unit == "ms" ? 1e-3 : 1e-6;
  JsonArray devices;
  for (const RunDevice& device : run.devices) devices.push_back(DeviceToJson(device));
  JsonArray rows;
  for (const CollectiveRow& row : run.rows) rows.push_back(RowToJson(row, seconds_per_unit));
  const RunRequest& request = run.request;
  return {{"request", JsonObject{{"min_bytes", OrNull(request.min_bytes)},
                                 {"max_bytes", OrNull(request.max_bytes)},
                                 {"step", OrNull(request.step)},
                                 {"step_is_factor", request.step_is_factor},
                                 {"threads", OrNull(request.threads)},
                                 {"gpus_per_thread", OrNull(request.gpus)},
                                 {"iterations", OrNull(request.iterations)},
                                 {"validation", OrNull(request.validation)}}},
          {"devices", std::move(devices)},
          {"rows", std::move(rows)},
          {"out_of_bounds", OrNull(run.out_of_bounds)},
          {"average_busbw_bytes_per_second", Scaled(run.average_busbw, kBytesPerGigabyte)}};
}

JsonObject SampleToJson(const Sample& sample) {
  JsonArray quantities;
  for (const Quantity& quantity : sample.quantities) {
    quantities.push_back(
        JsonObject{{"name", quantity.name}, {"value", base::NumberOrNull(quantity.value)}, {"unit", quantity.unit}});
  }
  return {{"line", sample.line}, {"labels", sample.labels}, {"quantities", std::move(quantities)}};
}

}  // namespace

Json RunRecordToJson(const RunRecord& record) {
  JsonArray samples;
  for (const Sample& sample : record.samples) samples.push_back(SampleToJson(sample));
  JsonArray notes;
  for (const ReadNote& note : record.notes) {
    notes.push_back(JsonObject{{"line", note.line}, {"text", note.text}, {"is_damage", note.is_damage}});
  }
  JsonArray findings;
  for (const base::Finding& finding : record.findings) findings.push_back(base::FindingToJson(finding));
  // A log may hold any byte.
  return base::StorableJson(
      JsonObject{{"schema", "ashlar.bench.read/1"},
                 {"dialect", record.dialect},
                 {"tool", record.tool},
                 {"version", record.version},
                 {"test", record.test},
                 {"source", JsonObject{{"path", record.source.path},
                                       {"stream", record.source.stream},
                                       {"first_line", record.source.first_line},
                                       {"last_line", record.source.last_line}}},
                 {"collective", record.collective ? Json(CollectiveToJson(*record.collective)) : Json(nullptr)},
                 {"samples", std::move(samples)},
                 {"is_complete", record.is_complete},
                 {"notes", std::move(notes)},
                 {"findings", std::move(findings)}});
}

}  // namespace ashlar::bench
