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
    auto* only = app.add_option("--only", only_, "Run these checks alone (ids with commas)");
    only->delimiter(',')->type_name("ID,...");
    auto* skip = app.add_option("--skip", skip_, "Leave these checks out (ids with commas)");
    skip->delimiter(',')->type_name("ID,...");
    app.add_flag("--no-record", no_record_, "Show the result and do not keep it in the ledger");
    auto* list = app.add_flag("--list", list_, "List the checks and what each asks, and end");
    conf_option_ = app.add_option("--conf", conf_,
                                  "Run the checks of this configuration of NHC or AzNHC instead, without a shell "
                                  "(ashlar check --conf /etc/nhc/nhc.conf); the result is not kept in the ledger");
    conf_option_->type_name("FILE")->excludes(only)->excludes(skip)->excludes(list);
    app.add_flag("--explain", explain_, "With --conf: say line by line what each becomes, run nothing, and end")
        ->needs(conf_option_);
    AddSlurmCheckOptions(app, slurm_);
  }

  base::StatusOr<base::ExitStatus> Run() override {
    if (list_) {
      Print(node::FormatCheckList());
      return base::ExitStatus::kPass;
    }
    const bool by_conf = conf_option_->count() > 0;
    node::NhcPlan plan;
    if (by_conf) {
      ASHLAR_ASSIGN_OR_RETURN(plan, node::ReadNhcPlan(os::RealFileSystem(), conf_, node::RealKernelCalls()));
    }
    if (explain_) return Explain(plan);
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
      SlurmCheckRequest slurm{
          .options = slurm_, .common = common_, .checks = std::move(request), .record = !no_record_, .own = !by_conf};
      if (by_conf) {
        slurm.run_checks = [&plan](const node::CheckMachineRequest& checks) {
          return node::CheckMachineByPlan(plan, checks);
        };
      }
      return RunSlurmCheck(std::move(slurm));
    }
    ASHLAR_ASSIGN_OR_RETURN(const auto findings,
                            by_conf ? node::CheckMachineByPlan(plan, request) : node::CheckMachine(request));
    Show(findings);
    // A part of the checks, or other ones, is no answer to whether the machine is healthy.
    if (!no_record_ && !by_conf && only_.empty() && skip_.empty()) {
      base::Json body = node::ChecksToJson(findings);
      RecordOrSay(common_, "ashlar check", "node.check", std::move(body));
    }
    return base::ExitStatusOf(base::WorstVerdict(findings));
  }

 private:
  base::ExitStatus Explain(const node::NhcPlan& plan) const {
    Print(common_.json ? base::WriteJsonIndented(node::NhcPlanToJson(plan)) + "\n" : node::FormatNhcPlan(plan));
    return base::ExitStatusOf(node::NhcPlanVerdict(plan));
  }

  void Show(const std::vector<base::Finding>& findings) const {
    if (common_.json) {
      Print(base::WriteJsonIndented(node::ChecksToJson(findings)) + "\n");
      return;
    }
    const node::CheckReportOptions options{.colour = UseColour(STDOUT_FILENO)};
    for (const auto& finding : findings) Print(node::FormatFinding(finding, options));
    Print(node::FormatCheckSummary(findings) + "\n");
  }

  static void Print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

  CommonOptions common_;
  std::vector<std::string> only_;
  std::vector<std::string> skip_;
  std::string conf_;
  CLI::Option* conf_option_ = nullptr;  // of the app, which outlives the run
  bool list_ = false;
  bool no_record_ = false;
  SlurmCheckOptions slurm_;
  bool explain_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeCheckCommand() { return std::make_unique<CheckCommand>(); }

}  // namespace ashlar::cli
