#include "cli/check_slurm.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "cli/record.h"
#include "cluster/cluster.h"
#include "os/os.h"

namespace ashlar::cli {
namespace {

using base::StatusCode;

constexpr absl::Duration kSlurmKills = absl::Seconds(60);  // run_script_health_check() of slurmd
constexpr absl::Duration kMostAfterChecks = absl::Seconds(15);
constexpr double kShareAfterChecks = 0.3;                    // of a short deadline
constexpr absl::Duration kMostForLedger = absl::Seconds(5);  // for one entry
constexpr absl::Duration kLeastForLedger = absl::Seconds(1);
constexpr double kShareForLedger = 0.1;
constexpr std::string_view kActor = "ashlar check --slurm";

void Print(std::FILE* to, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), to);
  std::fflush(to);
}

base::StatusOr<absl::Duration> ParseOption(std::string_view option, const std::string& text) {
  const auto duration = base::ParseDuration(text);
  if (!duration.ok()) return base::Annotate(duration.status(), option);
  return *duration;
}

base::StatusOr<std::string> NodeName(const SlurmCheckOptions& options) {
  std::string name = options.node;
  const char* const given = std::getenv("SLURMD_NODENAME");
  if (name.empty() && given != nullptr) name = given;
  if (name.empty()) {
    return base::Error(StatusCode::kInvalidArgument,
                       "which node of Slurm is this? slurmd says it in SLURMD_NODENAME; by hand give --node NAME");
  }
  if (!cluster::IsHostName(name)) {
    return base::Error(StatusCode::kInvalidArgument, "\"{}\" is no name of a node", base::Utf8Text(name));
  }
  return name;
}

class SlurmCheck {
 public:
  explicit SlurmCheck(SlurmCheckRequest request) : request_(std::move(request)) {}

  base::StatusOr<base::ExitStatus> Run() {
    ASHLAR_RETURN_IF_ERROR(ReadOptions());
    const absl::Duration after = std::min(kMostAfterChecks, deadline_ * kShareAfterChecks);
    request_.checks.run.deadline = deadline_ - after;
    ASHLAR_ASSIGN_OR_RETURN(findings_, request_.run_checks(request_.checks));
    if (!request_.common.json) PrintFindings();
    const base::Status settled = Settle();
    if (request_.common.json) PrintJson(settled);
    // Last: the node comes before the record of it. A part of the checks, or other ones, is no answer to whether the
    // machine is healthy.
    if (request_.own && !partial() && request_.checks.run.skip.empty())
      Keep("node.check", node::ChecksToJson(findings_));
    if (!settled.ok()) {
      Print(stderr, fmt::format("{}: {}\n", kActor, base::Message(settled)));
      return base::ExitStatus::kCouldNotRun;
    }
    return base::ExitStatusOf(base::WorstVerdict(findings_));
  }

 private:
  absl::Duration Left() const { return deadline_ - (base::SystemClock().Monotonic() - start_); }
  bool partial() const { return !request_.checks.run.only.empty(); }

  base::Status ReadOptions() {
    const SlurmCheckOptions& options = request_.options;
    ASHLAR_ASSIGN_OR_RETURN(deadline_, ParseOption("--deadline", options.deadline));
    ASHLAR_ASSIGN_OR_RETURN(wait_, ParseOption("--wait", options.wait));
    if (deadline_ <= absl::ZeroDuration() || deadline_ >= kSlurmKills) {
      return base::Error(StatusCode::kInvalidArgument,
                         "--deadline {}: want more than nothing and less than the 60 s after which slurmd ends its "
                         "health check",
                         options.deadline);
    }
    ASHLAR_ASSIGN_OR_RETURN(node_, NodeName(options));
    return base::OkStatus();
  }

  void PrintFindings() const {
    const node::CheckReportOptions options{.colour = UseColour(STDOUT_FILENO)};
    for (const auto& finding : findings_) Print(stdout, node::FormatFinding(finding, options));
    Print(stdout, node::FormatCheckSummary(findings_) + "\n");
  }

  // OK when what was decided for the node is so.
  base::Status Settle() {
    ASHLAR_ASSIGN_OR_RETURN(auto control, cluster::Scontrol::Find("", request_.checks.run.stop));
    const SlurmCheckOptions& options = request_.options;
    const cluster::SettleNodeRequest settle{
        .node = node_,
        .health = {.verdict = base::WorstVerdict(findings_),
                   .partial = partial(),
                   .drain_on_unknown = options.drain_unknown},
        .reason = cluster::DrainReason(findings_),
        .limit = Left(),
        .wait = wait_,
        .dry_run = options.dry_run,
        .on_decision = [this](const cluster::NodeOutcome& outcome) { KeepOutcome("cluster.decision", outcome); },
        .stop = request_.checks.run.stop};
    ASHLAR_ASSIGN_OR_RETURN(outcome_, cluster::SettleNode(control, settle));
    const bool told = outcome_->acted || !outcome_->status.ok();
    if (told) KeepOutcome("cluster.action", *outcome_);
    if (!outcome_->status.ok()) {
      return base::Status(outcome_->status.code(), cluster::OutcomeText(*outcome_, options.dry_run));
    }
    const std::string text = fmt::format("slurm: {}\n", cluster::OutcomeText(*outcome_, options.dry_run));
    if (!request_.common.json) Print(stdout, text);
    if (outcome_->decision.attention) Print(stderr, fmt::format("{}: {}", kActor, text));
    return base::OkStatus();
  }

  void PrintJson(const base::Status& settled) const {
    base::Json json = node::ChecksToJson(findings_);
    base::Json slurm = outcome_ ? cluster::OutcomeToJson(*outcome_)
                                : base::Json(base::JsonObject{{"error", base::Message(settled)}});
    slurm.as_object()["dry_run"] = request_.options.dry_run;
    json.as_object()["slurm"] = std::move(slurm);
    Print(stdout, base::WriteJsonIndented(json) + "\n");
  }

  void KeepOutcome(std::string_view kind, const cluster::NodeOutcome& outcome) const {
    if (request_.options.dry_run) return;
    base::Json body = cluster::OutcomeToJson(outcome);
    body.as_object()["verdict"] = base::VerdictName(base::WorstVerdict(findings_));
    body.as_object()["run"] = run_;
    Keep(kind, std::move(body));
  }

  // In a child with a time limit: a database whose server does not answer must not keep a sick node in service.
  void Keep(std::string_view kind, base::Json body) const {
    if (!request_.record) return;
    body.as_object()["run"] = run_;
    const auto record = [&] { return std::string(base::Message(Record(request_.common, "ashlar check", kind, body))); };
    const absl::Duration most = std::clamp(deadline_ * kShareForLedger, kLeastForLedger, kMostForLedger);
    const absl::Duration limit = std::clamp(Left(), kLeastForLedger, most);
    const auto said = os::RunIsolated(record, {.deadline = limit});
    const std::string problem = said.ok() ? *said : fmt::format("the ledger {}", base::Message(said.status()));
    if (!problem.empty()) {
      Print(stderr, fmt::format("{}: {} is not kept in the ledger: {}\n", kActor, kind, problem));
    }
  }

  SlurmCheckRequest request_;
  const absl::Duration start_ = base::SystemClock().Monotonic();
  const std::string run_ = base::NewId(base::SystemClock().Now());
  absl::Duration deadline_;
  absl::Duration wait_;
  std::string node_;
  std::vector<base::Finding> findings_;
  std::optional<cluster::NodeOutcome> outcome_;
};

}  // namespace

void AddSlurmCheckOptions(CLI::App& app, SlurmCheckOptions& options) {
  auto* const slurm = app.add_flag(
      "--slurm", options.enabled,
      "Be Slurm's HealthCheckProgram: drain this node when the checks fail, resume it when they pass and the drain is "
      "ours; try it with: ashlar check --slurm --node n1 --dry-run");
  const auto add = [&](const std::string& name, std::string& value, const std::string& help) {
    return app.add_option(name, value, help)->needs(slurm);
  };
  add("--node", options.node, "Slurm's name of this machine (default: SLURMD_NODENAME, which slurmd sets)")
      ->type_name("NAME");
  add("--deadline", options.deadline, "End everything by then; slurmd allows 60s")
      ->type_name("DURATION")
      ->capture_default_str();
  add("--wait", options.wait,
      "Wait so long for a node that has not registered or boots; not from slurmd, which registers afterwards")
      ->type_name("DURATION")
      ->capture_default_str();
  app.add_flag("--drain-unknown", options.drain_unknown, "Drain the node also when its checks are unknown")
      ->needs(slurm);
  app.add_flag("--dry-run", options.dry_run, "Say what would be done to the node, and do nothing")->needs(slurm);
}

base::StatusOr<base::ExitStatus> RunSlurmCheck(SlurmCheckRequest request) {
  return SlurmCheck(std::move(request)).Run();
}

}  // namespace ashlar::cli
