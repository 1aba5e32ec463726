#include "bench/read/consistency.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "bench/read/limits.h"

namespace ashlar::bench {
namespace {

using base::Finding;
using base::Verdict;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSlack = 1e-9;             // of arithmetic, not of measuring
constexpr uint64_t kSizeAlignment = 16;     // bytes: sizes are cut to multiples of it on each rank
constexpr uint64_t kMostRanks = 1U << 20U;  // of a run whose header does not say

Finding Unknown(std::string id, std::string reason) { return {.id = std::move(id), .reason = std::move(reason)}; }

Finding Passed(std::string id, base::Json value, std::string unit) {
  return {.id = std::move(id), .verdict = Verdict::kPass, .value = std::move(value), .unit = std::move(unit)};
}

// Sizes as the header asks for them; nullopt when it does not say, or says something that has no end.
std::optional<std::vector<uint64_t>> SizesAskedFor(const RunRequest& request) {
  if (!request.min_bytes || !request.max_bytes || !request.step) return std::nullopt;
  if (*request.step < (request.step_is_factor ? 2 : 1)) {
    if (*request.min_bytes == *request.max_bytes) return std::vector<uint64_t>{*request.min_bytes};
    return std::nullopt;
  }
  std::vector<uint64_t> sizes;
  for (uint64_t size = *request.min_bytes; size <= *request.max_bytes;) {
    if (sizes.size() >= kMostRows) return std::nullopt;
    sizes.push_back(size);
    const uint64_t next = request.step_is_factor ? size * *request.step : size + *request.step;
    if (next <= size) break;  // 0 times anything, or beyond 64 bits
    size = next;
  }
  return sizes;
}

// The first size that was asked for and is not there, in any block of one type, operation and root.
std::string FirstMissingSize(const CollectiveTable& run, const std::vector<uint64_t>& sizes) {
  const uint64_t ranks = run.devices.empty() ? kMostRanks : run.devices.size();
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<const CollectiveRow*>> blocks;
  for (const CollectiveRow& row : run.rows) blocks[{row.type, row.redop, row.root}].push_back(&row);
  for (const auto& [block, rows] : blocks) {
    for (size_t i = 0; i < std::max(rows.size(), sizes.size()); ++i) {
      if (i >= rows.size())
        return fmt::format("{} bytes ({}) was asked for and is missing", sizes[i], std::get<0>(block));
      if (i >= sizes.size()) return fmt::format("line {} was not asked for", rows[i]->line);
      const uint64_t size = rows[i]->size_bytes;
      if (size > sizes[i] || sizes[i] - size >= kSizeAlignment * ranks) {
        return fmt::format("line {} has {} bytes where {} was asked for", rows[i]->line, size, sizes[i]);
      }
    }
  }
  return "";
}

Finding CheckComplete(const RunRecord& record) {
  constexpr const char* kId = "read-complete";
  const CollectiveTable& run = *record.collective;
  for (const ReadNote& note : record.notes) {
    if (note.is_damage) return Unknown(kId, fmt::format("line {}: {}", note.line, note.text));
  }
  if (run.rows.empty()) return Unknown(kId, "there is no row of figures");
  if (!record.is_complete) {
    return Unknown(kId, fmt::format("the footer is missing: cut off after line {}", record.source.last_line));
  }
  const auto sizes = SizesAskedFor(run.request);
  if (!sizes) return Unknown(kId, "the header does not say which sizes were asked for");
  if (std::string missing = FirstMissingSize(run, *sizes); !missing.empty()) return Unknown(kId, std::move(missing));
  Finding finding = Passed(kId, run.rows.size(), "rows");
  finding.expectation = fmt::format("{} sizes from {} to {} bytes", sizes->size(), sizes->front(), sizes->back());
  finding.expectation_source = "the run's header";
  return finding;
}

// Each placement that has figures, with its row.
struct Cell {
  const CollectiveRow* row;
  const PrintedPlacement* placement;
};

std::vector<Cell> CellsOf(const CollectiveTable& run) {
  std::vector<Cell> cells;
  for (const CollectiveRow& row : run.rows) {
    for (const PrintedPlacement& placement : row.placements) {
      if (placement.time && placement.algbw && placement.busbw) cells.push_back({.row = &row, .placement = &placement});
    }
  }
  return cells;
}

// What the printed bandwidth would be off by if the column were not in its unit.
struct UnitSlip {
  double factor;
  const char* what;
};
constexpr std::array kSlips = {
    UnitSlip{1e-3, "the time is in milliseconds, not in µs"},
    UnitSlip{1e3, "the time is in nanoseconds, or the bandwidth in MB/s"},
    UnitSlip{8, "the bandwidth is in Gb/s, not in GB/s"},
    UnitSlip{1e9 / (1U << 30U), "the bandwidth is in GiB/s, not in GB/s"},
    UnitSlip{1e9 / (1U << 20U), "the bandwidth is in MiB/s, not in GB/s"},
};

// size / time in GB/s, for times in `unit`.
Interval BandwidthOf(const Cell& cell, std::string_view unit) {
  const Interval time = cell.placement->time->Range();
  const double units_per_gigabyte = unit == "ms" ? 1e6 : 1e3;
  const auto size = static_cast<double>(cell.row->size_bytes);
  return {.low = size / time.high / units_per_gigabyte * (1 - kSlack),
          .high = time.low <= 0 ? kInfinity : size / time.low / units_per_gigabyte * (1 + kSlack)};
}

bool Fits(const Cell& cell, std::string_view unit, double factor) {
  Interval expected = BandwidthOf(cell, unit);
  expected.low *= factor;
  expected.high *= factor;
  return expected.Meets(cell.placement->algbw->Range());
}

Finding CheckBandwidth(const CollectiveTable& run) {
  constexpr const char* kId = "read-bandwidth";
  std::vector<Cell> cells = CellsOf(run);
  std::erase_if(cells, [](const Cell& cell) { return cell.row->size_bytes == 0; });
  if (cells.empty()) return Unknown(kId, "there is no row with a size, a time and a bandwidth");
  const auto wrong =
      std::find_if(cells.begin(), cells.end(), [&run](const Cell& cell) { return !Fits(cell, run.time_unit, 1); });
  if (wrong == cells.end()) {
    Finding finding = Passed(kId, cells.size(), "figures");
    finding.expectation = "algbw = size / time in every row";
    return finding;
  }
  for (const UnitSlip& slip : kSlips) {
    const bool fits_all = std::all_of(cells.begin(), cells.end(),
                                      [&](const Cell& cell) { return Fits(cell, run.time_unit, slip.factor); });
    if (fits_all)
      return Unknown(kId, fmt::format("{}: so it is in every row from line {}", slip.what, wrong->row->line));
  }
  const Interval expected = BandwidthOf(*wrong, run.time_unit);
  return Unknown(
      kId, fmt::format("line {} is impossible: {} bytes in {} {} are {:.4g} GB/s, it says {}", wrong->row->line,
                       wrong->row->size_bytes, wrong->placement->time->value, run.time_unit,
                       (expected.low + std::min(expected.high, 2 * expected.low)) / 2, wrong->placement->algbw->value));
}

double RanksAt(double ratio, BusFactor factor) {
  const double most = factor == BusFactor::kTwiceRing ? 2 : 1;
  return ratio >= most ? kInfinity : most / (most - std::max(ratio, 0.0));
}

bool HoldsAnInteger(const Interval& ranks) { return std::floor(ranks.high + kSlack) >= std::ceil(ranks.low - kSlack); }

std::string RanksInWords(const Interval& ranks) {
  const double low = std::ceil(ranks.low - kSlack);
  const double high = std::floor(ranks.high + kSlack);
  if (std::isinf(high)) return fmt::format("{:.0f} or more", low);
  return low == high ? fmt::format("{:.0f}", low) : fmt::format("{:.0f} to {:.0f}", low, high);
}

// Why the list of devices cannot be that of one run; "" when it can.
std::string DeviceFault(const CollectiveTable& run) {
  std::map<int64_t, uint64_t> times;
  for (const RunDevice& device : run.devices) ++times[device.rank];
  const auto most =
      std::max_element(times.begin(), times.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most->second > 1) {
    return fmt::format(
        "rank {0} is listed {1} times: {1} copies of the program ran, each for itself; it was built "
        "without MPI (make MPI=1), or started by another MPI's mpirun",
        most->first, most->second);
  }
  if (times.begin()->first != 0 || times.rbegin()->first != static_cast<int64_t>(times.size()) - 1) {
    return fmt::format("the ranks listed are {} to {}, but only {} of them: the list is cut", times.begin()->first,
                       times.rbegin()->first, times.size());
  }
  const uint64_t each = run.request.threads.value_or(1) * run.request.gpus.value_or(1);
  if (each != 0 && run.devices.size() % each != 0) {
    return fmt::format("{} ranks are listed, which {} of each process do not divide", run.devices.size(), each);
  }
  return "";
}

// Ranks of the group whose figures the table shows: all, unless the run was split.
uint64_t RanksOfTable(const CollectiveTable& run) {
  const auto group = run.devices.front().group;
  return static_cast<uint64_t>(std::count_if(run.devices.begin(), run.devices.end(),
                                             [&group](const RunDevice& device) { return device.group == group; }));
}

Finding CheckRanks(const RunRecord& record) {
  constexpr const char* kId = "read-ranks";
  const CollectiveTable& run = *record.collective;
  if (run.devices.empty()) return Unknown(kId, "the run names no ranks");
  if (std::string fault = DeviceFault(run); !fault.empty()) return Unknown(kId, std::move(fault));
  const uint64_t listed = RanksOfTable(run);
  std::vector<BusFactor> candidates = {BusFactor::kTwiceRing, BusFactor::kRing, BusFactor::kOne};
  if (!record.test.empty()) {
    const auto factor = BusFactorOf(record.test);
    if (!factor) return Unknown(kId, fmt::format("how busbw follows from algbw in {} is not known", record.test));
    candidates = {*factor};
  }
  std::string contradiction = "the bandwidths contradict one another or the formula: no number of ranks fits";
  for (const BusFactor factor : candidates) {
    const auto ranks = RanksFromBandwidths(run, factor);
    if (!ranks) continue;
    if (ranks->Contains(static_cast<double>(listed))) {
      Finding finding = Passed(kId, listed, "ranks");
      finding.expectation = fmt::format("{} by busbw / algbw", RanksInWords(*ranks));
      finding.expectation_source = "NVIDIA/nccl-tests doc/PERFORMANCE.md";
      return finding;
    }
    contradiction = fmt::format("the bandwidths are those of {} ranks, {} are listed", RanksInWords(*ranks), listed);
  }
  return Unknown(kId, std::move(contradiction));
}

Finding CheckAverage(const CollectiveTable& run) {
  constexpr const char* kId = "read-average";
  if (!run.average_busbw) return Unknown(kId, "the average bus bandwidth is missing");
  const std::vector<Cell> cells = CellsOf(run);
  if (cells.empty()) return Unknown(kId, "there are no figures to average");
  Interval sum;
  for (const Cell& cell : cells) {
    sum.low += cell.placement->busbw->Range().low;
    sum.high += cell.placement->busbw->Range().high;
  }
  const auto count = static_cast<double>(cells.size());
  const Interval mean{.low = sum.low / count * (1 - kSlack), .high = sum.high / count * (1 + kSlack)};
  if (!mean.Meets(run.average_busbw->Range())) {
    return Unknown(kId,
                   fmt::format("line {} says {} GB/s, the rows average {:.4f}: rows are missing, or from another run",
                               run.footer_line, run.average_busbw->value, (mean.low + mean.high) / 2));
  }
  return Passed(kId, run.average_busbw->value, "GB/s");
}

Finding CheckCorrect(const CollectiveTable& run) {
  constexpr const char* kId = "read-correct";
  for (const CollectiveRow& row : run.rows) {
    for (const PrintedPlacement& placement : row.placements) {
      if (placement.wrong.value_or(0) == 0) continue;
      return {.id = kId,
              .verdict = Verdict::kFail,
              .value = *placement.wrong,
              .unit = "wrong elements",
              .expectation = "0",
              .reason = fmt::format("line {}: {} elements of {} bytes came out wrong", row.line, *placement.wrong,
                                    row.size_bytes)};
    }
  }
  if (run.out_of_bounds.value_or(0) > 0) {
    return {.id = kId,
            .verdict = Verdict::kFail,
            .value = *run.out_of_bounds,
            .unit = "values out of bounds",
            .expectation = "0",
            .reason = "the footer counts wrong results"};
  }
  // "0 OK" stands in the footer whether or not anything was checked.
  const bool all_checked = !run.rows.empty() && std::all_of(run.rows.begin(), run.rows.end(), [](const auto& row) {
    return !row.placements.empty() && (row.placements.front().wrong || row.placements.front().error);
  });
  if (!all_checked || run.request.validation.value_or(1) == 0) {
    return Unknown(kId, "the results were not checked: run it with -c 1");
  }
  if (!run.out_of_bounds) return Unknown(kId, "the footer with the number of wrong results is missing");
  return Passed(kId, 0, "wrong elements");
}

}  // namespace

std::optional<BusFactor> BusFactorOf(std::string_view test) {
  // One name for all_reduce, AllReduce, all_reduce_perf and MPI_Allreduce.
  std::string name = base::Lowercase(test);
  std::erase(name, '_');
  if (name.ends_with("perf")) name.resize(name.size() - 4);
  if (name == "allreduce") return BusFactor::kTwiceRing;
  for (const char* ring : {"allgather", "reducescatter", "alltoall", "gather", "scatter"}) {
    if (name == ring) return BusFactor::kRing;
  }
  for (const char* one : {"reduce", "broadcast", "sendrecv"}) {
    if (name == one) return BusFactor::kOne;
  }
  return std::nullopt;
}

std::optional<Interval> RanksFromBandwidths(const CollectiveTable& run, BusFactor factor) {
  Interval ranks{.low = 1, .high = kInfinity};
  for (const Cell& cell : CellsOf(run)) {
    const Interval algbw = cell.placement->algbw->Range();
    const Interval busbw = cell.placement->busbw->Range();
    if (algbw.low <= 0) continue;
    const Interval ratio{.low = std::max(0.0, busbw.low / algbw.high) * (1 - kSlack),
                         .high = busbw.high / algbw.low * (1 + kSlack)};
    if (factor == BusFactor::kOne) {
      if (!ratio.Contains(1)) return std::nullopt;
      continue;
    }
    ranks.low = std::max(ranks.low, RanksAt(ratio.low, factor));
    ranks.high = std::min(ranks.high, RanksAt(ratio.high, factor));
  }
  if (std::isinf(ranks.low) || !HoldsAnInteger(ranks)) return std::nullopt;
  return ranks;
}

std::vector<Finding> CheckConsistency(const RunRecord& record) {
  if (!record.collective) return {};
  const CollectiveTable& run = *record.collective;
  std::vector<Finding> findings = {CheckComplete(record), CheckBandwidth(run), CheckRanks(record), CheckAverage(run),
                                   CheckCorrect(run)};
  for (Finding& finding : findings) {
    finding.read_from = fmt::format("{}:{}-{}", record.source.path, record.source.first_line, record.source.last_line);
  }
  return findings;
}

}  // namespace ashlar::bench
