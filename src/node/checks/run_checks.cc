#include <algorithm>
#include <atomic>
#include <deque>
#include <thread>

#include "node/checks/check.h"
#include "node/checks/finding.h"

namespace ashlar::node {
namespace {

using base::StatusCode;

bool Holds(const std::vector<std::string>& ids, std::string_view id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

base::Status RefuseUnknown(std::span<const CheckRow> rows, const std::vector<std::string>& ids) {
  for (const auto& id : ids) {
    const bool known = std::any_of(rows.begin(), rows.end(), [&](const CheckRow& row) { return row.id == id; });
    if (!known)
      return base::Error(StatusCode::kInvalidArgument, "no check is called \"{}\"; see ashlar check --list", id);
  }
  return base::OkStatus();
}

base::StatusOr<std::vector<CheckJob>> Choose(std::span<const CheckRow> rows, const RunChecksOptions& options) {
  ASHLAR_RETURN_IF_ERROR(RefuseUnknown(rows, options.only));
  ASHLAR_RETURN_IF_ERROR(RefuseUnknown(rows, options.skip));
  std::vector<CheckJob> chosen;
  for (const auto& row : rows) {
    const bool wanted = options.only.empty() || Holds(options.only, row.id);
    if (!wanted || Holds(options.skip, row.id)) continue;
    chosen.push_back({.id = std::string(row.id),
                      .alone = fmt::format("ashlar check --only {}", row.id),
                      .time_limit = row.time_limit,
                      .run = row.run});
  }
  if (chosen.empty()) return base::Error(StatusCode::kInvalidArgument, "no check is left to run");
  return chosen;
}

std::vector<base::Finding> OneUnknown(const CheckJob& job, std::string reason) {
  return {CannotTell(StartFinding({job.id, ""}), std::move(reason))};
}

// What the child sends: its findings as one JSON array.
std::string RunInChild(const CheckJob& job, const CheckContext& context) {
  base::JsonArray array;
  for (const auto& finding : job.run(context)) array.push_back(base::FindingToJson(finding));
  return base::WriteJson(array);
}

base::StatusOr<std::vector<base::Finding>> ReadAnswer(const CheckJob& job, const std::string& text) {
  ASHLAR_ASSIGN_OR_RETURN(const base::Json json, base::ParseJson(text));
  if (!json.is_array() || json.get_array().empty()) {
    return base::Error(StatusCode::kInternal, "the check {} gave no finding", job.id);
  }
  std::vector<base::Finding> findings;
  for (const auto& item : json.get_array()) {
    ASHLAR_ASSIGN_OR_RETURN(base::Finding finding, base::FindingFromJson(item));
    const std::string_view id = finding.id;
    if (id != job.id && !id.starts_with(job.id + "-")) {
      return base::Error(StatusCode::kInternal, "the check {} gave a finding called {}", job.id, id);
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<base::Finding> RunOne(const CheckJob& job, const CheckContext& context, absl::Duration left) {
  const auto text = os::RunIsolated([&] { return RunInChild(job, context); },
                                    {.deadline = std::min(job.time_limit, left), .limit = kMaxFindingsBytes});
  if (!text.ok()) {
    const std::string_view cut = left < job.time_limit ? ", cut short by the deadline of all checks" : "";
    return OneUnknown(job,
                      fmt::format("the check {} {} (its time limit is {}{}); run it alone: {}", job.id,
                                  base::Message(text.status()), base::HumanDuration(job.time_limit), cut, job.alone));
  }
  auto findings = ReadAnswer(job, *text);
  if (!findings.ok()) return OneUnknown(job, std::string(base::Message(findings.status())));
  return *std::move(findings);
}

// Jobs are taken in their order by a few threads; the caller's thread hands findings on as they come.
class CheckRun {
 public:
  CheckRun(std::vector<CheckJob> jobs, const CheckContext& context, const RunChecksOptions& options)
      : jobs_(std::move(jobs)), context_(context), options_(options), results_(jobs_.size()) {}

  std::vector<base::Finding> Run() {
    const size_t count = std::clamp<size_t>(options_.parallel, 1, std::min(jobs_.size(), kMaxParallelChecks));
    {
      std::vector<std::jthread> workers;
      // One at a time needs no thread: a child forked from a single-threaded process is the plainest.
      if (count == 1) {
        Work(true);
      } else {
        for (size_t worker = 0; worker < count; ++worker) workers.emplace_back([this] { Work(false); });
        HandOn();
      }
    }
    std::vector<base::Finding> all;
    for (auto& findings : results_) std::move(findings.begin(), findings.end(), std::back_inserter(all));
    return all;
  }

 private:
  std::vector<base::Finding> RunUnlessOver(const CheckJob& job) const {
    if (options_.stop.stop_requested()) return OneUnknown(job, "stopped before it ran; run ashlar check again");
    const absl::Duration left = options_.deadline - (base::SystemClock().Monotonic() - start_);
    if (left > absl::ZeroDuration()) return RunOne(job, context_, left);
    return OneUnknown(job, fmt::format("not run: the deadline of all checks, {}, was over; look for one that is slow",
                                       base::HumanDuration(options_.deadline)));
  }

  void Work(bool hand_on) {
    while (true) {
      const size_t index = next_.fetch_add(1);
      if (index >= jobs_.size()) return;
      results_[index] = RunUnlessOver(jobs_[index]);
      if (hand_on) {
        Report(index);
        continue;
      }
      base::MutexLock lock(mutex_);
      finished_.push_back(index);
      changed_.Signal();
    }
  }

  void HandOn() {
    for (size_t handed = 0; handed < jobs_.size(); ++handed) Report(NextFinished());
  }

  size_t NextFinished() {
    base::MutexLock lock(mutex_);
    // Each check ends within its limit, so this wait does too; the timeout only bounds a single sleep.
    while (finished_.empty()) changed_.WaitFor(mutex_, absl::Seconds(1));
    const size_t index = finished_.front();
    finished_.pop_front();
    return index;
  }

  void Report(size_t index) const {
    if (!options_.on_finding) return;
    for (const auto& finding : results_[index]) options_.on_finding(finding);
  }

  const std::vector<CheckJob> jobs_;
  const CheckContext& context_;
  const RunChecksOptions& options_;
  const absl::Duration start_ = base::SystemClock().Monotonic();
  std::vector<std::vector<base::Finding>> results_;  // each written by one worker, read once its index is in finished_
  std::atomic<size_t> next_{0};
  base::Mutex mutex_;
  base::CondVar changed_;
  std::deque<size_t> finished_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

std::vector<base::Finding> RunCheckJobs(std::vector<CheckJob> jobs, const CheckContext& context,
                                        const RunChecksOptions& options) {
  if (jobs.empty()) return {};
  return CheckRun(std::move(jobs), context, options).Run();
}

base::StatusOr<std::vector<base::Finding>> RunCheckRows(std::span<const CheckRow> rows, const CheckContext& context,
                                                        const RunChecksOptions& options) {
  ASHLAR_ASSIGN_OR_RETURN(auto chosen, Choose(rows, options));
  return RunCheckJobs(std::move(chosen), context, options);
}

base::StatusOr<std::vector<base::Finding>> RunChecks(const CheckContext& context, const RunChecksOptions& options) {
  return RunCheckRows(CheckTable(), context, options);
}

}  // namespace ashlar::node
