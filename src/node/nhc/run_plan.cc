#include "node/nhc/run_plan.h"

#include "node/checks/finding.h"

namespace ashlar::node {
namespace {

using base::StatusCode;

std::string FindingId(const NhcLine& line) {
  return line.name.empty() ? fmt::format("nhc:{}", line.number) : fmt::format("nhc:{} {}", line.number, line.name);
}

std::string Place(const NhcPlan& plan, const NhcLine& line) {
  return fmt::format("{}:{}", base::Utf8Text(plan.path), line.number);
}

base::Finding RunLine(const NhcPlan& plan, const NhcLine& line, const CheckContext& context) {
  base::Finding finding = line.check.run(context);
  finding.id = FindingId(line);
  if (finding.expectation.empty()) finding.expectation = line.says;
  // A number that the line leaves to the machine's own expectations has a second place.
  const std::string beside = finding.expectation_source;
  finding.expectation_source = Place(plan, line);
  if (!beside.empty()) finding.expectation_source += "; " + beside;
  return finding;
}

base::Finding UnknownLine(const NhcPlan& plan, const NhcLine& line) {
  base::Finding finding = StartFinding({FindingId(line), ""});
  Expect(finding, line.text, Place(plan, line));
  return CannotTell(std::move(finding), line.says);
}

}  // namespace

base::StatusOr<NhcPlan> ReadNhcPlan(os::FileSystem& files, const std::string& path, const KernelCalls& kernel) {
  const auto stat = files.Stat(path);
  base::Status status = stat.status();
  if (status.ok() && !stat->is_regular) {
    status = base::Error(StatusCode::kFailedPrecondition, "{} is no regular file", path);
  }
  std::string text;
  if (status.ok()) {
    auto read = os::ReadWholeFile(files, path, kMaxNhcConf);
    status = read.status();
    if (read.ok()) text = *std::move(read);
  }
  // A wrong path is no wrong usage: nothing was measured.
  if (status.code() == StatusCode::kInvalidArgument) {
    status = base::Error(StatusCode::kFailedPrecondition, "{}", base::Message(status));
  }
  if (!status.ok()) return base::Annotate(status, "reading --conf");
  ASHLAR_ASSIGN_OR_RETURN(std::string host, kernel.HostName());
  return MakeNhcPlan({.path = path, .text = std::move(text), .host = std::move(host)});
}

base::StatusOr<std::vector<base::Finding>> RunNhcPlan(const NhcPlan& plan, const CheckContext& context,
                                                      const RunChecksOptions& options) {
  std::vector<CheckJob> jobs;
  for (const auto& line : plan.lines) {
    if (line.outcome != NhcOutcome::kCheck) continue;
    jobs.push_back({.id = FindingId(line),
                    .alone = fmt::format("put {} line {} into a file of its own", plan.path, line.number),
                    .time_limit = line.check.time_limit,
                    .run = [&plan, &line](const CheckContext& machine) {
                      return std::vector<base::Finding>{RunLine(plan, line, machine)};
                    }});
  }
  if (jobs.empty() && plan.Count(NhcOutcome::kUnknown) == 0) {
    return base::Error(StatusCode::kFailedPrecondition,
                       "{}: no check for {} among {} lines: look at its targets with ashlar check --conf {} --explain",
                       plan.path, plan.host, plan.lines.size(), plan.path);
  }
  auto results = RunCheckJobs(std::move(jobs), context, options);
  std::vector<base::Finding> findings;
  size_t next = 0;
  for (const auto& line : plan.lines) {
    if (line.outcome == NhcOutcome::kUnknown) findings.push_back(UnknownLine(plan, line));
    if (line.outcome != NhcOutcome::kCheck) continue;
    base::Finding& finding = findings.emplace_back(std::move(results.at(next++)));
    // A check that hung or crashed was replaced on the way, and says nothing of its line.
    if (finding.expectation_source.empty()) Expect(finding, line.says, Place(plan, line));
  }
  return findings;
}

base::StatusOr<std::vector<base::Finding>> CheckMachineByPlan(const NhcPlan& plan, const CheckMachineRequest& request) {
  const os::SysReader system;
  ASHLAR_ASSIGN_OR_RETURN(const Expectations expectations, LoadExpectations(system, request));
  const CheckContext context{
      .system = system, .expectations = expectations, .writable_directory = request.writable_directory};
  return RunNhcPlan(plan, context, request.run);
}

}  // namespace ashlar::node
