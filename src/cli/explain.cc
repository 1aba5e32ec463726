#include "cli/explain.h"

#include <cstdio>

#include "assess/assess.h"
#include "cli/assessed_ledger.h"
#include "cli/explanation.h"

namespace ashlar::cli {
namespace {

class ExplainCommand : public Command {
 public:
  void Describe(CLI::App& app) override {
    AddCommonOptions(app, common_);
    app.add_option("id", id_, "A consideration (bench-nccl), a finding (clock-synchronised), or an entry's number")
        ->type_name("ID")
        ->required();
  }

  base::StatusOr<base::ExitStatus> Run() override {
    ASHLAR_ASSIGN_OR_RETURN(const AssessedLedger opened, OpenAssessedLedger(common_, "explain"));
    ASHLAR_ASSIGN_OR_RETURN(const base::Json explanation,
                            Explain(*opened.ledger, assess::Assess(opened.evidence), id_));
    const std::string text = common_.json ? base::WriteJsonIndented(explanation) + "\n" : ExplanationText(explanation);
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (!opened.report.ok()) {
      std::fprintf(stderr, "ashlar explain: the ledger does not verify: %s\n",
                   opened.report.faults.front().message.c_str());
      return base::ExitStatus::kCouldNotRun;
    }
    return base::ExitStatus::kPass;
  }

 private:
  CommonOptions common_;
  std::string id_;
};

}  // namespace

std::unique_ptr<Command> MakeExplainCommand() { return std::make_unique<ExplainCommand>(); }

}  // namespace ashlar::cli
