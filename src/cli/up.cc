#include "cli/up.h"

#include <unistd.h>

#include <cstdio>

#include "os/os.h"
#include "service/service.h"

namespace ashlar::cli {
namespace {

class UpCommand : public Command {
 public:
  void Describe(CLI::App& app) override {
    AddCommonOptions(app, common_);
    app.add_flag("--once", once_, "End after the scorecard, with its exit status, and serve nothing");
    app.add_option("--port", port_, "Port on 127.0.0.1 for report, API and metrics; 0 takes a free one")
        ->type_name("PORT")
        ->capture_default_str();
    app.add_flag("--no-collectives", no_collectives_, "Leave the collective benchmark out");
    app.add_flag("--no-storage", no_storage_, "Leave the storage benchmark out");
  }

  base::StatusOr<base::ExitStatus> Run() override {
    const os::StopOnSignal stop;
    service::UpOptions options;
    options.folder = DataDirectory(common_);
    ASHLAR_ASSIGN_OR_RETURN(options.config, LoadConfig(common_));
    ASHLAR_ASSIGN_OR_RETURN(options.ledger_url, LedgerUrl(common_));
    ASHLAR_ASSIGN_OR_RETURN(options.program, os::SelfPath());
    options.port = port_;
    options.once = once_;
    options.collectives = !no_collectives_;
    options.storage = !no_storage_;
    options.json = common_.json;
    options.colour = UseColour(STDOUT_FILENO);
    options.stop = stop.token();
    options.on_result = [](const std::string& text) {
      std::fwrite(text.data(), 1, text.size(), stdout);
      std::fflush(stdout);
    };
    options.on_progress = [](const std::string& line) { std::fprintf(stderr, "ashlar: %s\n", line.c_str()); };
    return service::Up(options);
  }

 private:
  CommonOptions common_;
  uint16_t port_ = 7413;
  bool once_ = false;
  bool no_collectives_ = false;
  bool no_storage_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeUpCommand() { return std::make_unique<UpCommand>(); }

}  // namespace ashlar::cli
