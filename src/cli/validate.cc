#include "cli/validate.h"

#include <cstdio>

#include "bench/bench.h"
#include "cli/record.h"
#include "os/os.h"

namespace ashlar::cli {
namespace {

using base::Error;
using base::StatusCode;

class ValidateCommand : public Command {
 public:
  void Describe(CLI::App& app) override {
    app.add_option("--hostfile", hostfile_, "The nodes: \"host slots=8\", \"host:8\" or plain names, a line each")
        ->type_name("FILE");
    app.add_option("--local", local_, "So many processes of this machine in the place of nodes")->type_name("N");
    app.add_option("--simulate", simulate_, "So many nodes that are not there: shows what a search would do")
        ->type_name("N");
    app.add_option("--nodes-per-switch", nodes_per_switch_,
                   "Nodes in their order, so many behind each switch (default: not known; 4 with --simulate)")
        ->type_name("N");
    app.add_option("--size", size_, "Message of each test (default 4M)")->type_name("SIZE");
    app.add_option("--collective", collective_, "What a test runs (default alltoall: it uses every link of a group)")
        ->type_name("NAME");
    app.add_option("--expect", expect_, "Bus bandwidth that healthy pairs reach, in GB/s (10^9 bytes)")
        ->type_name("GB/S");
    app.add_option("--inject", inject_,
                   "Faults on purpose: KIND:PLACE[:SHARE], as slow_link:2-5:0.4,hang:3. Kinds: slow_rank slow_link "
                   "slow_switch corrupt hang crash throttled flapping")
        ->type_name("LIST");
    app.add_flag("--drill", drill_, "This is a drill: allow --inject; the result says so and is no evidence");
    app.add_option("--seed", seed_, "Of everything random in a drill or a simulation (default 1)")->type_name("N");
    app.add_flag("--json", json_, "The whole result, each test in it, as one JSON document");
    AddRecordOptions(app, record_);
  }

  base::StatusOr<base::ExitStatus> Run() override {
    if (!inject_.empty() && !drill_) {
      return Error(StatusCode::kInvalidArgument, "--inject {} makes faults on purpose and needs --drill", inject_);
    }
    ASHLAR_ASSIGN_OR_RETURN(const std::unique_ptr<bench::NodeTester> tester, MakeTester());
    const os::StopOnSignal stop;
    bench::ValidationRequest request{.tester = *tester, .stop = stop.token()};
    if (!expect_.empty()) {
      const auto rate = base::ParseDouble(expect_);
      if (!rate.has_value() || !(*rate > 0)) {
        return Error(StatusCode::kInvalidArgument, "--expect {}: must be GB/s above 0, as 40", expect_);
      }
      constexpr double kGigabyte = 1e9;
      request.expected = bench::ExpectedSpeed{*rate * kGigabyte, "--expect " + expect_};
    }
    request.on_progress = [](const bench::ValidationProgress& progress) {
      std::fprintf(stderr, "ashlar validate: round %d of at most %d: %s\n", progress.round, progress.most_rounds,
                   progress.text.c_str());
    };
    ASHLAR_ASSIGN_OR_RETURN(const base::Json document, bench::Validate(request));
    const std::string text = json_ ? base::WriteJson(document) + "\n" : bench::ValidationText(document);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
    if (!record_.no_record) {
      // What was made up is kept apart from evidence.
      RecordOrSay({.data = record_.data}, "ashlar validate", tester->drill().empty() ? "validate" : "validate.drill",
                  document);
    }
    return bench::ExitStatusOfValidation(document);
  }

 private:
  base::StatusOr<std::unique_ptr<bench::NodeTester>> MakeTester() {
    const int ways = (hostfile_.empty() ? 0 : 1) + (local_ > 0 ? 1 : 0) + (simulate_ > 0 ? 1 : 0);
    if (ways != 1) {
      return Error(StatusCode::kInvalidArgument,
                   "which nodes? Give one of --hostfile FILE, --local N and --simulate N");
    }
    if (simulate_ > 0) {
      return bench::MakeSimulatedTester({.nodes = simulate_,
                                         .nodes_per_switch = nodes_per_switch_ > 0 ? nodes_per_switch_ : 4,
                                         .inject = inject_,
                                         .seed = seed_});
    }
    bench::CollectiveTesterOptions options{
        .local_nodes = local_, .collective = collective_, .size = size_, .inject = inject_, .seed = seed_};
    ASHLAR_ASSIGN_OR_RETURN(const std::string self, os::SelfPath());
    options.rank_command = {self, "bench", "coll"};
    int nodes = local_;
    if (!hostfile_.empty()) {
      ASHLAR_ASSIGN_OR_RETURN(const std::string text, os::ReadWholeFile(os::RealFileSystem(), hostfile_,
                                                                        base::Bytes{bench::kMaxHostfileBytes}));
      auto hosts = bench::ParseHostfile(text);
      if (!hosts.ok()) return base::Annotate(hosts.status(), hostfile_);
      options.hosts = std::move(*hosts);
      nodes = static_cast<int>(options.hosts.size());
    }
    for (int node = 0; node < nodes && nodes_per_switch_ > 0; ++node) {
      if (node % nodes_per_switch_ == 0) options.switches.emplace_back();
      options.switches.back().push_back(node);
    }
    return bench::MakeCollectiveTester(std::move(options));
  }

  std::string hostfile_;
  int local_ = 0;
  int simulate_ = 0;
  int nodes_per_switch_ = 0;
  std::string size_ = "4M";
  std::string collective_ = "alltoall";
  std::string expect_;
  std::string inject_;
  bool drill_ = false;
  uint64_t seed_ = 1;
  bool json_ = false;
  RecordOptions record_;
};

}  // namespace

std::unique_ptr<Command> MakeValidateCommand() { return std::make_unique<ValidateCommand>(); }

}  // namespace ashlar::cli
