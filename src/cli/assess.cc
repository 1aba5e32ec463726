#include "cli/assess.h"

#include <unistd.h>

#include <cstdio>

#include "assess/assess.h"
#include "cli/assessed_ledger.h"
#include "os/os.h"

namespace ashlar::cli {
namespace {

class AssessCommand : public Command {
 public:
  void Describe(CLI::App& app) override {
    AddCommonOptions(app, common_);
    app.add_option("--format", format_, "table, json, markdown, sarif, junit or html")
        ->check(CLI::IsMember({"table", "json", "markdown", "sarif", "junit", "html"}))
        ->type_name("FORMAT");
    app.add_option("--output", output_, "Write to this file, whole or not at all, instead of standard output")
        ->type_name("FILE");
  }

  base::StatusOr<base::ExitStatus> Run() override {
    ASHLAR_ASSIGN_OR_RETURN(const AssessedLedger opened, OpenAssessedLedger(common_, "assess"));
    const assess::Scorecard scorecard = assess::Assess(opened.evidence);
    ASHLAR_RETURN_IF_ERROR(Write(Render(scorecard, opened.evidence)));
    return assess::ExitStatusOf(scorecard);
  }

 private:
  std::string Render(const assess::Scorecard& scorecard, const assess::Evidence& evidence) const {
    const std::string format = !format_.empty() ? format_ : common_.json ? "json" : "table";
    if (format == "json") return base::WriteJsonIndented(assess::ScorecardToJson(scorecard));
    if (format == "markdown") return assess::RenderMarkdown(scorecard);
    if (format == "sarif") return assess::RenderSarif(scorecard);
    if (format == "junit") return assess::RenderJunit(scorecard);
    if (format == "html") return assess::RenderHtml(scorecard, evidence);
    return assess::RenderTable(scorecard, output_.empty() && UseColour(STDOUT_FILENO));
  }

  base::Status Write(const std::string& text) const {
    if (!output_.empty()) return os::WriteFileDurably(os::RealFileSystem(), output_, text);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return std::fflush(stdout) == 0 ? base::OkStatus()
                                    : base::Error(base::StatusCode::kInternal, "standard output cannot be written");
  }

  CommonOptions common_;
  std::string format_;
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> MakeAssessCommand() { return std::make_unique<AssessCommand>(); }

}  // namespace ashlar::cli
