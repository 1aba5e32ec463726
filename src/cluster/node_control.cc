#include "cluster/node_control.h"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "cluster/hostlist.h"
#include "cluster/limits.h"
#include "cluster/node_decision.h"
#include "os/os.h"

namespace ashlar::cluster {
namespace {

using base::StatusCode;

// Where packages and builds by hand put it.
constexpr auto kUsualPlaces = std::to_array<std::string_view>({
    "/usr/bin/scontrol",
    "/usr/local/bin/scontrol",
    "/opt/slurm/bin/scontrol",
    "/usr/local/slurm/bin/scontrol",
});

// What scontrol says, and what it means; the first that is found counts.
struct Complaint {
  std::string_view says;
  StatusCode code;
  std::string_view advice;
};

constexpr auto kComplaints = std::to_array<Complaint>({
    {"not found", StatusCode::kNotFound, "give the NodeName of slurm.conf"},
    {"Invalid node name", StatusCode::kNotFound, "give the NodeName of slurm.conf"},
    {"No nodes in the system", StatusCode::kNotFound, "slurm.conf has no NodeName that this user may see"},
    {"Invalid user id", StatusCode::kPermissionDenied, "only root, SlurmUser and Slurm's operators change a node"},
    {"Access/permission denied", StatusCode::kPermissionDenied, "only Slurm's operators may do that"},
    {"Invalid node state specified", StatusCode::kFailedPrecondition, "the node is in a state that does not allow it"},
    {"Unable to contact slurm controller", StatusCode::kUnavailable, "is slurmctld running and reachable from here?"},
    {"onnection refused", StatusCode::kUnavailable, "is slurmctld running and reachable from here?"},
    {"authentication error", StatusCode::kUnavailable, "is munged running, with the same key as the controller's?"},
    {"nable to connect to munge", StatusCode::kUnavailable, "is munged running?"},
    {"configuration source", StatusCode::kUnavailable, "set SLURM_CONF to the path of slurm.conf"},
});

std::string OneLine(std::string_view text) {
  std::vector<std::string> lines;
  for (const std::string_view line : base::SplitLines(text)) {
    const std::string_view trimmed = base::Trim(line);
    if (!trimmed.empty()) lines.emplace_back(base::Utf8Text(trimmed.substr(0, 200)));
  }
  // The last line is what it ended with; those before it are often retries.
  return lines.empty() ? "it says nothing" : lines.back();
}

base::Status ReadFailure(const std::vector<std::string>& words, const os::SubprocessResult& result) {
  const std::string all = result.error + result.output;
  const std::string said = OneLine(all);
  for (const Complaint& complaint : kComplaints) {
    if (all.find(complaint.says) == std::string::npos) continue;
    return base::Error(complaint.code, "scontrol {}: {} ({})", base::Join(words, " "), said, complaint.advice);
  }
  return base::Error(StatusCode::kInternal, "scontrol {} ended with {}: {}", base::Join(words, " "), result.exit_code,
                     said);
}

base::Status CheckName(const std::string& name) {
  if (IsHostName(name)) return base::OkStatus();
  return base::Error(StatusCode::kInvalidArgument, "\"{}\" is no name of a node",
                     base::Utf8Text(std::string_view(name).substr(0, 80)));
}

}  // namespace

base::StatusOr<Scontrol> Scontrol::Find(const std::string& program, std::stop_token stop) {
  if (!program.empty()) return Scontrol(program, std::move(stop));
  const auto found = os::FindProgram("scontrol");
  if (found.ok()) return Scontrol(*found, std::move(stop));
  for (const std::string_view place : kUsualPlaces) {
    const std::string path(place);
    if (::access(path.c_str(), X_OK) == 0) return Scontrol(path, std::move(stop));
  }
  return base::Error(StatusCode::kNotFound,
                     "scontrol is neither in PATH nor where Slurm is usually installed: add its folder to PATH");
}

base::StatusOr<std::string> Scontrol::Run(const std::vector<std::string>& words, absl::Duration limit) const {
  if (limit <= absl::ZeroDuration()) {
    return base::Error(StatusCode::kDeadlineExceeded, "no time was left for scontrol {}", base::Join(words, " "));
  }
  os::SubprocessOptions options;
  options.command = words;
  options.command.insert(options.command.begin(), program_);
  // One format of time, whatever the user set.
  options.environment = {{"SLURM_TIME_FORMAT", "standard"}, {"LC_ALL", "C.UTF-8"}};
  options.deadline = std::min(limit, kSlurmCallLimit);
  options.grace = absl::Milliseconds(200);
  options.output_limit = kMaxListing;
  options.stop = stop_;
  ASHLAR_ASSIGN_OR_RETURN(const auto result, os::RunSubprocess(options));
  if (result.timed_out) {
    return base::Error(StatusCode::kDeadlineExceeded,
                       "scontrol {} did not end within {}: the controller does not answer", base::Join(words, " "),
                       base::HumanDuration(options.deadline));
  }
  if (result.exit_code != 0) return ReadFailure(words, result);
  return result.output;
}

base::StatusOr<SlurmNode> Scontrol::Read(const std::string& name, absl::Duration limit) {
  ASHLAR_RETURN_IF_ERROR(CheckName(name));
  ASHLAR_ASSIGN_OR_RETURN(const std::string text, Run({"-o", "-a", "show", "node", name}, limit));
  ASHLAR_ASSIGN_OR_RETURN(auto nodes, ParseNodeListing(text));
  for (SlurmNode& node : nodes) {
    if (node.name == name) return std::move(node);
  }
  return base::Error(StatusCode::kNotFound, "the controller has no node {}", name);
}

base::Status Scontrol::Drain(const std::string& name, const std::string& reason, absl::Duration limit) {
  ASHLAR_RETURN_IF_ERROR(CheckName(name));
  return Run({"update", "NodeName=" + name, "State=DRAIN", "Reason=" + CleanReason(reason)}, limit).status();
}

base::Status Scontrol::Resume(const std::string& name, absl::Duration limit) {
  ASHLAR_RETURN_IF_ERROR(CheckName(name));
  return Run({"update", "NodeName=" + name, "State=RESUME"}, limit).status();
}

base::StatusOr<std::vector<SlurmNode>> Scontrol::List(std::string_view hosts, absl::Duration limit) {
  std::vector<std::string> words = {"-o", "-a", "show", "node"};
  if (!base::Trim(hosts).empty()) {
    // Checked here, written anew for scontrol: it gets names and ranges and nothing else.
    ASHLAR_ASSIGN_OR_RETURN(const auto names, ExpandHostList(hosts));
    words.push_back(CompressHostList(names));
  }
  ASHLAR_ASSIGN_OR_RETURN(const std::string text, Run(words, limit));
  return ParseNodeListing(text);
}

}  // namespace ashlar::cluster
