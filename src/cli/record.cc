#include "cli/record.h"

#include <cstdio>

#include "ledger/ledger.h"
#include "os/os.h"

namespace ashlar::cli {

void AddRecordOptions(CLI::App& app, RecordOptions& options) {
  app.add_option("--data", options.data, "Folder of the ledger that keeps the result (default: $XDG_STATE_HOME/ashlar)")
      ->type_name("DIR");
  app.add_flag("--no-record", options.no_record, "Show the result and do not keep it in the ledger");
}

base::Status Record(const CommonOptions& options, std::string_view actor, std::string_view kind, base::Json body) {
  ASHLAR_ASSIGN_OR_RETURN(const std::string url, LedgerUrl(options));
  ASHLAR_ASSIGN_OR_RETURN(const std::string host, os::SysReader().ReadTrimmed("/proc/sys/kernel/hostname"));
  ASHLAR_ASSIGN_OR_RETURN(const auto ledger, ledger::Ledger::Open({.url = url}, base::SystemClock()));
  base::JsonObject& object = body.as_object();
  if (!object.contains("run")) object["run"] = base::NewId(base::SystemClock().Now());
  return ledger->Append({std::string(kind), host, std::string(actor), std::move(body)}).status();
}

void RecordOrSay(const CommonOptions& options, std::string_view actor, std::string_view kind, base::Json body) {
  const base::Status kept = Record(options, actor, kind, std::move(body));
  if (kept.ok()) return;
  std::fprintf(stderr, "%s\n",
               fmt::format("{}: the result is not kept in the ledger: {}", actor, base::Message(kept)).c_str());
}

}  // namespace ashlar::cli
