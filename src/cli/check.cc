#include "cli/check.h"

#include <unistd.h>

#include <cstdio>

#include "cli/check_slurm.h"
#include "cli/record.h"
#include "node/node.h"
#include "os/os.h"

namespace ashlar::cli {
namespace {

class CheckCommand : public Command {
 public:
  void Describe(CLI::App& app) override {
    AddCommonOptions(app, common_);
    app.add_option("--only", only_, "Run these checks alone (ids with commas)")->delimiter(',')->type_name("ID,...");
    app.add_option("--skip", skip_, "Leave these checks out (ids with commas)")->delimiter(',')->type_name("ID,...");
    app.add_flag("--no-record", no_record_, "Show the result and do not keep it in the ledger");
    app.add_flag("--list", list_, "List the checks and what each asks, and end");
    AddSlurmCheckOptions(app, slurm_);
  }

  base::StatusOr<base::ExitStatus> Run() override {
    if (list_) {
      Print(node::FormatCheckList());
      return base::ExitStatus::kPass;
    }
    const os::StopOnSignal stop;
    node::CheckMachineRequest request{.azure = node::MakeAzureFetch()};
    ASHLAR_ASSIGN_OR_RETURN(request.configuration, LoadConfig(common_));
    request.run.only = only_;
    request.run.skip = skip_;
    request.run.stop = stop.token();
    // The state folder is where runs write; before the first run it may not be there yet.
    const std::string folder = DataDirectory(common_);
    if (os::RealFileSystem().Stat(folder).ok()) request.writable_directory = folder;
    if (slurm_.enabled) {
      return RunSlurmCheck({.options = slurm_, .common = common_, .checks = std::move(request), .record = !no_record_});
    }
    ASHLAR_ASSIGN_OR_RETURN(const auto findings, node::CheckMachine(request));
    if (common_.json) {
      Print(base::WriteJsonIndented(node::ChecksToJson(findings)) + "\n");
    } else {
      const node::CheckReportOptions options{.colour = UseColour(STDOUT_FILENO)};
      for (const auto& finding : findings) Print(node::FormatFinding(finding, options));
      Print(node::FormatCheckSummary(findings) + "\n");
    }
    // A part of the checks is no answer to whether the machine is healthy.
    if (!no_record_ && only_.empty() && skip_.empty()) {
      base::Json body = node::ChecksToJson(findings);
      RecordOrSay(common_, "ashlar check", "node.check", std::move(body));
    }
    return base::ExitStatusOf(base::WorstVerdict(findings));
  }

 private:
  static void Print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

  CommonOptions common_;
  std::vector<std::string> only_;
  std::vector<std::string> skip_;
  bool list_ = false;
  bool no_record_ = false;
  SlurmCheckOptions slurm_;
};

}  // namespace

std::unique_ptr<Command> MakeCheckCommand() { return std::make_unique<CheckCommand>(); }

}  // namespace ashlar::cli
