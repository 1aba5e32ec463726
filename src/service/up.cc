#include "service/up.h"

#include <memory>

#include "assess/assess.h"
#include "ledger/ledger.h"
#include "net/net.h"
#include "os/os.h"
#include "service/site.h"
#include "service/state_folder.h"
#include "service/summary.h"
#include "service/validation.h"

namespace ashlar::service {
namespace {

// Holds the thread until a stop is requested.
void WaitForStop(const std::stop_token& stop) {
  base::Mutex mutex;
  base::CondVar asked;
  bool stopped = false;
  const std::stop_callback callback(stop, [&] {
    const base::MutexLock lock(mutex);
    stopped = true;
    asked.SignalAll();
  });
  const base::MutexLock lock(mutex);
  while (!stopped) asked.Wait(mutex);
}

base::StatusOr<std::unique_ptr<net::Server>> Serve(const UpOptions& options, Site& site) {
  net::ServerOptions server;
  server.address = options.address;
  server.port = options.port;
  auto started = net::Server::Start(server, [&site](const net::Request& request) { return site.Answer(request); });
  if (!started.ok()) return base::Annotate(started.status(), "cannot serve the report (choose another with --port N)");
  return started;
}

void Show(const UpOptions& options, const Validation& validation) {
  if (!options.on_result) return;
  if (options.json) {
    options.on_result(base::WriteJsonIndented(assess::ScorecardToJson(validation.scorecard)));
  } else {
    options.on_result(FormatMeasurements(validation.evidence, options.colour) + "\n" +
                      assess::RenderTable(validation.scorecard, options.colour));
  }
}

}  // namespace

base::StatusOr<base::ExitStatus> Up(const UpOptions& options) {
  const auto progress = [&options](const std::string& line) {
    if (options.on_progress) options.on_progress(line);
  };
  ASHLAR_ASSIGN_OR_RETURN(const StateFolder folder, StateFolder::Open(options.folder));
  ASHLAR_ASSIGN_OR_RETURN(const auto ledger, ledger::Ledger::Open({.url = options.ledger_url}, base::SystemClock()));
  Site site(*ledger, true);
  std::unique_ptr<net::Server> server;
  if (!options.once) {
    ASHLAR_ASSIGN_OR_RETURN(server, Serve(options, site));
    progress(fmt::format("report, API and metrics: {}/", server->url()));
  }
  ValidationOptions validation_options;
  validation_options.config = options.config;
  validation_options.folder = folder.path();
  validation_options.program = options.program;
  validation_options.collectives = options.collectives;
  validation_options.storage = options.storage;
  validation_options.stop = options.stop;
  validation_options.on_progress = [&](const std::string& line) {
    site.SetProgress(line);
    progress(line);
  };
  ASHLAR_ASSIGN_OR_RETURN(Validation validated, Validate(*ledger, validation_options));
  const auto validation = std::make_shared<const Validation>(std::move(validated));
  ASHLAR_RETURN_IF_ERROR(os::WriteFileDurably(os::RealFileSystem(), folder.report_path(),
                                              assess::RenderHtml(validation->scorecard, validation->evidence)));
  site.SetValidation(validation);
  Show(options, *validation);
  progress(fmt::format("report: {}", folder.report_path()));
  if (server != nullptr) {
    progress(fmt::format("serving {}/ until interrupted (Ctrl-C)", server->url()));
    WaitForStop(options.stop);
    server->Stop();
  }
  return assess::ExitStatusOf(validation->scorecard);
}

}  // namespace ashlar::service
