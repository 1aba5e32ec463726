#include "cli/bench_coll.h"

#include <cstdio>

#include "bench/bench.h"
#include "cli/record.h"
#include "node/node.h"
#include "os/os.h"

namespace ashlar::cli {
namespace {

void Print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

class BenchCollCommand : public Command {
 public:
  void Describe(CLI::App& app) override {
    app.add_option("collective", values_["collective"],
                   "all_reduce all_gather reduce_scatter broadcast reduce alltoall gather scatter sendrecv, or all")
        ->type_name("NAME");
    for (const bench::CollectiveArgument& argument : bench::CollectiveArguments()) {
      const std::string name(argument.name);
      const std::string letter = argument.letter == 0 ? "" : fmt::format("-{},", argument.letter);
      const std::string help = argument.default_value.empty()
                                   ? std::string(argument.help)
                                   : fmt::format("{} (default {})", argument.help, argument.default_value);
      if (argument.flag) {
        app.add_flag(letter + "--" + name, flags_[name], help);
      } else {
        app.add_option(letter + "--" + name, values_[name], help)->type_name("VALUE");
      }
    }
    app.add_flag("--json", json_, "One JSON document (an array for \"all\") on standard output instead of the table");
    AddRecordOptions(app, record_);
    // How a run starts its own ranks.
    app.add_option(bench::kRankOption, as_rank_)->group("");
    app.add_option(bench::kBoardOption, board_)->group("");
  }

  base::StatusOr<base::ExitStatus> Run() override {
    if (!as_rank_.empty()) return static_cast<base::ExitStatus>(bench::RunAsRank(as_rank_, board_));
    for (const auto& [name, given] : flags_) {
      if (given) values_[name] = "true";
    }
    ASHLAR_ASSIGN_OR_RETURN(bench::CollectiveRun run, bench::InsideLauncher() ? Join() : Launch());
    // Of the ranks that a launcher started, the first one speaks for all.
    if (json_ && !run.documents.empty()) Print(base::WriteJson(bench::JoinDocuments(run.documents)) + "\n");
    const std::string& file = values_["output_file"];
    if (!file.empty() && !run.documents.empty()) {
      ASHLAR_ASSIGN_OR_RETURN(const std::string path, bench::SaveDocuments(file, run.documents, os::RealFileSystem()));
      std::fprintf(stderr, "ashlar bench coll: wrote %s\n", path.c_str());
    }
    if (!record_.no_record && run.fault.empty()) {
      for (const base::Json& document : run.documents) {
        // What a drill measured is kept apart from evidence.
        const bool drill = base::GetBool(document, "drill").value_or(false);
        RecordOrSay({.data = record_.data}, "ashlar bench coll", drill ? "bench.coll.drill" : "bench.coll", document);
      }
    }
    if (!run.fault.empty()) std::fprintf(stderr, "ashlar bench coll: %s\n", run.fault.c_str());
    return run.exit_status;
  }

 private:
  bench::SessionListener Listener() const {
    if (json_) return {};
    return [](bench::SessionEvent event, const base::Json& body) { Print(bench::TableText(event, body)); };
  }

  static base::Json Machine() {
    const node::IdentitySources sources;
    return node::MachineFingerprint(node::ReadIdentity(sources));
  }

  base::StatusOr<bench::CollectiveRun> Launch() {
    const os::StopOnSignal stop;
    ASHLAR_ASSIGN_OR_RETURN(const std::string self, os::SelfPath());
    return bench::RunCollectives({.arguments = values_,
                                  .rank_command = {self, "bench", "coll"},
                                  .machine = Machine(),
                                  .listener = Listener(),
                                  .stop = stop.token()});
  }

  base::StatusOr<bench::CollectiveRun> Join() {
    return bench::JoinAsRun({.arguments = values_, .machine = Machine(), .listener = Listener()});
  }

  bench::ArgumentValues values_;
  std::map<std::string, bool> flags_;
  bool json_ = false;
  RecordOptions record_;
  std::string as_rank_;
  std::string board_;
};

}  // namespace

std::unique_ptr<Command> MakeBenchCollCommand() { return std::make_unique<BenchCollCommand>(); }

}  // namespace ashlar::cli
