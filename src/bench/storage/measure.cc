#include "bench/storage/measure.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>

#include "bench/storage/io_engine.h"
#include "bench/storage/judge.h"
#include "bench/storage/limits.h"
#include "bench/storage/metadata_stage.h"
#include "bench/storage/scratch.h"
#include "bench/storage/space.h"
#include "bench/storage/sync_stage.h"
#include "bench/storage/test_file.h"

namespace ashlar::bench {
namespace {

using base::Status;
using base::StatusCode;
using base::StatusOr;

// Shares of a budget: writing the file, fsync, names; the cells divide the rest.
constexpr double kLayoutShare = 0.25;
constexpr double kSyncShare = 0.08;
constexpr double kMetadataShare = 0.08;
// Closing the file gives its space back, and that takes time too.
constexpr double kCleanupShare = 0.04;
constexpr absl::Duration kStageWindow = absl::Seconds(2);  // fsync and names, without a budget
constexpr double kRampShare = 0.15;                        // of a cell's time, when the budget sets it

StatusOr<std::string> ResolvePath(const std::string& path) {
  char resolved[PATH_MAX];
  if (realpath(path.c_str(), resolved) == nullptr) {
    return base::ErrnoStatus(errno, fmt::format("folder {}", path));
  }
  return std::string(resolved);
}

class Measurement {
 public:
  Measurement(const StorageOptions& options, const StorageProgress& progress, std::stop_token stop)
      : options_(options), progress_(progress), stop_(std::move(stop)), begun_(MonotonicNanoseconds()) {}

  StatusOr<StorageResult> Run() {
    ASHLAR_RETURN_IF_ERROR(ValidateStorageOptions(options_));
    ASHLAR_RETURN_IF_ERROR(Describe());
    NoteLeftovers();
    ASHLAR_ASSIGN_OR_RETURN(const SpaceFacts space, ReadSpace(result_.path));
    ASHLAR_RETURN_IF_ERROR(CheckSpace(space, options_.size, result_.path));
    ASHLAR_ASSIGN_OR_RETURN(Scratch scratch, Scratch::Create(result_.path));
    ASHLAR_RETURN_IF_ERROR(MeasureFile(scratch));
    if (options_.sync) ASHLAR_RETURN_IF_ERROR(MeasureSyncs(scratch));
    if (options_.metadata) {
      ASHLAR_RETURN_IF_ERROR(MeasureNames(scratch, AllowedFiles(space, kMaxStorageMetadataFiles)));
    }
    ASHLAR_RETURN_IF_ERROR(scratch.Remove());
    result_.wall = Elapsed();
    result_.demand = options_.demand;
    result_.findings = JudgeStorage(result_);
    return std::move(result_);
  }

 private:
  absl::Duration Elapsed() const { return absl::Nanoseconds(MonotonicNanoseconds() - begun_); }
  bool budgeted() const { return options_.budget > absl::ZeroDuration(); }
  void Report(std::string_view step) const {
    if (progress_) progress_(step);
  }

  Status Describe() {
    result_.started = base::SystemClock().Now();
    result_.run = options_.run.empty() ? base::NewId(result_.started) : options_.run;
    ASHLAR_ASSIGN_OR_RETURN(result_.path, ResolvePath(options_.path));
    result_.huge_pages = options_.huge_pages;
    result_.target = ReadStorageTarget(os::SysReader(), result_.path);
    ChosenEngine chosen = ChooseEngine();
    engine_ = std::move(chosen.engine);
    result_.engine = std::string(engine_->name());
    result_.engine_reason = chosen.reason;
    return base::OkStatus();
  }

  void NoteLeftovers() {
    for (const std::string& path : RemoveStaleScratch(result_.path, result_.started)) {
      result_.notes.push_back(fmt::format("removed {}, left by a measurement that was killed", path));
    }
  }

  // The file lives as long as its cells: its space is back before the names are measured.
  Status MeasureFile(const Scratch& scratch) {
    Report(fmt::format("writing a file of {}", base::HumanBytes(options_.size)));
    TestFileOptions file_options;
    file_options.size = options_.size;
    file_options.no_direct_reason = result_.target.direct_in_name_only;
    file_options.stop = stop_;
    if (budgeted()) file_options.time_limit = options_.budget * kLayoutShare;
    ASHLAR_ASSIGN_OR_RETURN(const TestFile file, TestFile::Create(scratch, file_options));
    result_.direct = file.direct();
    result_.direct_reason = file.direct_reason();
    result_.size = file.size();
    if (file.size() < options_.size) {
      result_.notes.push_back(fmt::format("the file is {} instead of {}: writing it took too long for the budget",
                                          base::HumanBytes(file.size()), base::HumanBytes(options_.size)));
    }
    for (size_t i = 0; i < options_.cells.size(); ++i) {
      const StorageCell& cell = options_.cells[i];
      Report(fmt::format("{} ({} of {})", CellName(cell), i + 1, options_.cells.size()));
      if (cell.block.count > file.size().count / 4) {
        result_.notes.push_back(fmt::format("{} left out: the file is too small for it", CellName(cell)));
        continue;
      }
      ASHLAR_RETURN_IF_ERROR(MeasureCell(file, cell, CellTime(options_.cells.size() - i)));
    }
    return base::OkStatus();
  }

  // What is left of the budget, divided among the cells that are left.
  absl::Duration CellTime(size_t cells_left) const {
    if (!budgeted()) return options_.ramp + options_.cell_time;
    const absl::Duration rest = options_.budget * (1 - kSyncShare - kMetadataShare - kCleanupShare) - Elapsed();
    return std::max(rest / static_cast<double>(cells_left), kMinStorageCellTime);
  }

  Status MeasureCell(const TestFile& file, const StorageCell& cell, absl::Duration time) {
    CellRequest request;
    request.descriptor = file.descriptor();
    request.file_size = file.size();
    request.cell = cell;
    request.ramp = budgeted() ? time * kRampShare : options_.ramp;
    request.window = time - request.ramp;
    request.huge_pages = options_.huge_pages;
    request.seed = static_cast<uint64_t>(MonotonicNanoseconds());
    request.stop = stop_;
    if (!file.direct() && cell.operation == IoOperation::kRead) file.DropCache();
    ASHLAR_ASSIGN_OR_RETURN(const CellOutcome outcome, engine_->Run(request));
    StorageRun run;
    run.cell = cell;
    run.operations = outcome.operations;
    run.elapsed = outcome.elapsed;
    run.latency = SummariseLatency(outcome.latency);
    if (!file.direct() && cell.operation == IoOperation::kWrite) {
      // Through the page cache nothing is written until it is flushed: the flush belongs to the time.
      const int64_t begun = MonotonicNanoseconds();
      if (fdatasync(file.descriptor()) != 0) return base::ErrnoStatus(errno, CellName(cell));
      run.elapsed += absl::Nanoseconds(MonotonicNanoseconds() - begun);
    }
    result_.runs.push_back(run);
    return base::OkStatus();
  }

  // fsync and names are beside the point of a run that was asked for bandwidth: their errors become notes, except that
  // a stop request stops.
  Status MeasureSyncs(const Scratch& scratch) {
    Report("fsync after 4 KiB");
    const absl::Duration window = budgeted() ? options_.budget * kSyncShare : kStageWindow;
    StatusOr<SyncResult> sync = MeasureSync(scratch, window, stop_);
    if (sync.ok()) {
      result_.sync = *std::move(sync);
      return base::OkStatus();
    }
    return NoteUnlessStopped("fsync", sync.status());
  }

  Status MeasureNames(const Scratch& scratch, uint64_t most_files) {
    Report("creating, looking up and removing files");
    const absl::Duration window = budgeted() ? options_.budget * kMetadataShare : kStageWindow;
    StatusOr<MetadataResult> metadata = MeasureMetadata(scratch, window, most_files, stop_);
    if (metadata.ok()) {
      result_.metadata = *std::move(metadata);
      return base::OkStatus();
    }
    return NoteUnlessStopped("names", metadata.status());
  }

  Status NoteUnlessStopped(std::string_view stage, const Status& status) {
    if (status.code() == StatusCode::kCancelled) return status;
    result_.notes.push_back(fmt::format("{} not measured: {}", stage, base::Message(status)));
    return base::OkStatus();
  }

  const StorageOptions& options_;
  const StorageProgress& progress_;
  std::stop_token stop_;
  int64_t begun_;
  std::unique_ptr<IoEngine> engine_;
  StorageResult result_;
};

}  // namespace

StatusOr<StorageResult> MeasureStorage(const StorageOptions& options, const StorageProgress& progress,
                                       std::stop_token stop) {
  return Measurement(options, progress, std::move(stop)).Run();
}

}  // namespace ashlar::bench
