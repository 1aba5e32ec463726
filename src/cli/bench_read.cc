#include "cli/bench_read.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "bench/bench.h"
#include "cli/record.h"

namespace ashlar::cli {
namespace {

constexpr size_t kPieceBytes = size_t{1} << 16U;

// Everything up to the end. kResourceExhausted over what one file may hold.
base::StatusOr<std::string> ReadStandardInput() {
  std::string text;
  std::string piece(kPieceBytes, '\0');
  while (true) {
    const ssize_t length = read(STDIN_FILENO, piece.data(), piece.size());
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) return base::ErrnoStatus(errno, "reading standard input");
    if (length == 0) return text;
    text.append(piece, 0, static_cast<size_t>(length));
    if (text.size() > bench::kMostFileBytes) {
      return base::Error(base::StatusCode::kResourceExhausted, "standard input is longer than {}",
                         base::HumanBytes({bench::kMostFileBytes}));
    }
  }
}

class BenchReadCommand : public Command {
 public:
  void Describe(CLI::App& app) override {
    AddCommonOptions(app, common_);
    app.add_option("paths", paths_, "Files, folders or - for standard input; gzip and zstd are unpacked")
        ->type_name("FILE...")
        ->required();
    app.add_flag("--record", record_, "Keep each run in the ledger, where `ashlar explain` finds its verdicts");
  }

  base::StatusOr<base::ExitStatus> Run() override {
    std::string standard_input;
    if (std::find(paths_.begin(), paths_.end(), "-") != paths_.end()) {
      ASHLAR_ASSIGN_OR_RETURN(standard_input, ReadStandardInput());
    }
    const bench::ReadReport report = bench::ReadResults(os::RealFileSystem(), paths_, std::move(standard_input));
    const std::string text = common_.json ? base::WriteJson(bench::ReadReportToJson(report)) + "\n"
                                          : bench::FormatReadReport(report);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
    if (record_) ASHLAR_RETURN_IF_ERROR(RecordRuns(bench::ReadReportToJson(report)));
    return base::ExitStatusOf(bench::ReadVerdict(report));
  }

 private:
  // Who asked for a record and gets none must know: the first that cannot be kept is an error.
  base::Status RecordRuns(const base::Json& report) const {
    const base::Json* runs = base::Find(report, "runs");
    if (runs == nullptr || !runs->is_array()) return base::OkStatus();
    for (const base::Json& run : runs->get_array()) {
      ASHLAR_RETURN_IF_ERROR(Record(common_, "ashlar bench read", "bench.read", run));
    }
    return base::OkStatus();
  }

  CommonOptions common_;
  std::vector<std::string> paths_;
  bool record_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeBenchReadCommand() { return std::make_unique<BenchReadCommand>(); }

}  // namespace ashlar::cli
