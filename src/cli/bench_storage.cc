#include "cli/bench_storage.h"

#include <algorithm>
#include <cstdio>

#include "bench/bench.h"
#include "cli/record.h"
#include "os/os.h"

namespace ashlar::cli {
namespace {

using base::Error;
using base::StatusCode;

void Print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

std::string FindingsForPeople(const bench::StorageResult& result) {
  std::string text = "\n";
  for (const base::Finding& finding : result.findings) {
    text += fmt::format("{}  {}", base::VerdictName(finding.verdict), finding.id);
    if (!finding.expectation.empty()) text += fmt::format("  expected {}", finding.expectation);
    if (!finding.reason.empty()) text += fmt::format("  {}", finding.reason);
    text += "\n";
  }
  return text;
}

class BenchStorageCommand : public Command {
 public:
  void Describe(CLI::App& app) override {
    AddCommonOptions(app, common_);
    app.add_option("path", options_.path, "Folder to measure; only a new folder below it is written (default .)")
        ->type_name("PATH");
    app.add_option("--block", axes_.blocks, "Block sizes (default 4K,1M)")->type_name("LIST");
    app.add_option("--depth", axes_.depths, "Operations in flight (default 1,8,32)")->type_name("LIST");
    app.add_option("--pattern", axes_.patterns, "seq, rand or both (default both)")->type_name("LIST");
    app.add_option("--operation", axes_.operations, "read, write or both (default both)")->type_name("LIST");
    app.add_flag("--no-record", no_record_, "Show the result and do not keep it in the ledger");
    app.add_flag("--read-write", read_write_, "Read and write: the same as --operation read,write");
    app.add_option("--size", size_, "Size of the test file (default 1G)")->type_name("SIZE");
    app.add_option("--seconds", seconds_, "Measured seconds of each cell (default 3)")->type_name("S");
    app.add_option("--ramp", ramp_, "Time before each cell that is not measured, as 2s (default 300ms)")
        ->type_name("TIME");
    app.add_option("--budget", budget_, "Wall clock for everything, as 12s; the cells share it")->type_name("TIME");
    app.add_flag("--huge-pages", options_.huge_pages, "Buffers in huge pages, as a checkpoint engine may use");
    app.add_option("--skip", skip_, "Leave out fsync, metadata or both")->type_name("LIST");
    app.add_option("--demand", demand_,
                   "What training needs, as checkpoint_bytes=80G,interval=30m,loading_rate=2G,fsync_p99=10ms")
        ->type_name("LIST");
  }

  base::StatusOr<base::ExitStatus> Run() override {
    ASHLAR_RETURN_IF_ERROR(ReadOptions());
    const os::StopOnSignal stop;
    const bench::StorageProgress progress = [](std::string_view step) {
      std::fprintf(stderr, "ashlar bench storage: %.*s\n", static_cast<int>(step.size()), step.data());
    };
    ASHLAR_ASSIGN_OR_RETURN(const bench::StorageResult result, bench::MeasureStorage(options_, progress, stop.token()));
    if (common_.json) {
      Print(base::WriteJson(bench::StorageResultToJson(result)) + "\n");
    } else {
      Print(bench::FormatStorageResult(result) + FindingsForPeople(result));
    }
    if (!no_record_) RecordOrSay(common_, "ashlar bench storage", "bench.storage", bench::StorageResultToJson(result));
    return base::ExitStatusOf(base::WorstVerdict(result.findings));
  }

 private:
  base::Status ReadOptions() {
    ASHLAR_RETURN_IF_ERROR(ReadCells());
    if (!size_.empty()) {
      ASHLAR_ASSIGN_OR_RETURN(options_.size, base::ParseSize(size_));
    }
    options_.cell_time = absl::Seconds(seconds_);
    options_.ramp = std::min(options_.ramp, options_.cell_time / 4);
    if (!ramp_.empty()) {
      ASHLAR_ASSIGN_OR_RETURN(options_.ramp, base::ParseDuration(ramp_));
    }
    if (!budget_.empty()) {
      ASHLAR_ASSIGN_OR_RETURN(options_.budget, base::ParseDuration(budget_));
    }
    if (!skip_.empty()) ASHLAR_RETURN_IF_ERROR(ReadSkip());
    return ReadDemand();
  }

  // Without any axis the standard cells; with one, the product of all four.
  base::Status ReadCells() {
    const bench::StorageAxes defaults;
    if (axes_.blocks.empty() && axes_.depths.empty() && axes_.patterns.empty() && axes_.operations.empty()) {
      return base::OkStatus();
    }
    if (axes_.blocks.empty()) axes_.blocks = defaults.blocks;
    if (axes_.depths.empty()) axes_.depths = defaults.depths;
    if (axes_.patterns.empty()) axes_.patterns = defaults.patterns;
    if (axes_.operations.empty() || read_write_) axes_.operations = defaults.operations;
    ASHLAR_ASSIGN_OR_RETURN(options_.cells, bench::CrossStorageCells(axes_));
    return base::OkStatus();
  }

  base::Status ReadSkip() {
    for (std::string_view word : base::Split(skip_, ',')) {
      if (word == "fsync") {
        options_.sync = false;
      } else if (word == "metadata") {
        options_.metadata = false;
      } else {
        return Error(StatusCode::kInvalidArgument, "--skip '{}' is unknown: say fsync or metadata", word);
      }
    }
    return base::OkStatus();
  }

  // The command line wins over the configuration's `storage.demand`.
  base::Status ReadDemand() {
    if (!demand_.empty()) {
      ASHLAR_ASSIGN_OR_RETURN(options_.demand, bench::ParseStorageDemand(demand_));
      return base::OkStatus();
    }
    ASHLAR_ASSIGN_OR_RETURN(const base::Json config, LoadConfig(common_));
    const base::Json* stated = base::FindPath(config, "storage.demand");
    if (stated == nullptr) return base::OkStatus();
    ASHLAR_ASSIGN_OR_RETURN(options_.demand, bench::StorageDemandFromJson(*stated));
    return base::OkStatus();
  }

  CommonOptions common_;
  bench::StorageOptions options_;
  bench::StorageAxes axes_{.patterns = "", .operations = "", .blocks = "", .depths = ""};
  bool read_write_ = false;
  bool no_record_ = false;
  double seconds_ = 3;
  std::string size_;
  std::string ramp_;
  std::string budget_;
  std::string skip_;
  std::string demand_;
};

}  // namespace

std::unique_ptr<Command> MakeBenchStorageCommand() { return std::make_unique<BenchStorageCommand>(); }

}  // namespace ashlar::cli
