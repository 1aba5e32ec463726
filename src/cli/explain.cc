#include "cli/explain.h"

#include <cstdio>

#include "assess/assess.h"
#include "cli/explanation.h"
#include "ledger/ledger.h"

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
    ASHLAR_ASSIGN_OR_RETURN(const base::Json config, LoadConfig(common_));
    ASHLAR_ASSIGN_OR_RETURN(const std::string url, LedgerUrl(common_));
    auto ledger = ledger::Ledger::Open({.url = url, .create = false, .read_only = true}, base::SystemClock());
    if (!ledger.ok()) {
      const bool missing = ledger.status().code() == base::StatusCode::kNotFound;
      return missing ? base::Annotate(ledger.status(), "nothing to explain yet, run `ashlar up --once` first")
                     : ledger.status();
    }
    ASHLAR_ASSIGN_OR_RETURN(const auto report, (*ledger)->Verify({}));
    ASHLAR_ASSIGN_OR_RETURN(assess::Evidence evidence,
                            assess::Evidence::Load(**ledger, config, base::SystemClock().Now()));
    evidence.SetLedgerFacts({report.entries, report.ok(), report.ok() ? "" : report.faults.front().message});
    ASHLAR_ASSIGN_OR_RETURN(const base::Json explanation, Explain(**ledger, assess::Assess(evidence), id_));
    const std::string text = common_.json ? base::WriteJsonIndented(explanation) + "\n" : ExplanationText(explanation);
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (!report.ok()) {
      std::fprintf(stderr, "ashlar explain: the ledger does not verify: %s\n", report.faults.front().message.c_str());
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
