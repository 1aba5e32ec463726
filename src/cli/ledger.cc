#include "cli/ledger.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "ledger/ledger.h"
#include "os/os.h"

namespace ashlar::cli {
namespace {

using base::ExitStatus;

constexpr base::Bytes kMaxKeyFile{ledger::kMaxKeyFileBytes};
constexpr base::Bytes kMaxCheckpointFile{ledger::kMaxNoteBytes};
constexpr base::Bytes kMaxProofFile{ledger::kMaxProofBytes};

base::Status Print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) == 0) return base::OkStatus();
  return base::Error(base::StatusCode::kInternal, "standard output cannot be written");
}

class LedgerCommand : public Command {
 public:
  void Describe(CLI::App& app) override {
    AddCommonOptions(app, common_);
    app.require_subcommand(1);
    app.fallthrough();
    DescribeShow(*app.add_subcommand("show", "The newest entries, oldest first; with --json one JSON text a line"));
    DescribeVerify(*app.add_subcommand("verify", "Hash everything anew and hold it against tree, head and checkpoint"));
    DescribeProve(*app.add_subcommand("prove", "A proof that others can check with the public key alone"));
    checkpoint_ = app.add_subcommand("checkpoint", "The signed head, to keep elsewhere");
    checkpoint_->add_flag("--key", print_key_, "The public key instead, for verify --key");
  }

  base::StatusOr<ExitStatus> Run() override {
    // A proof is checked without the ledger.
    if (verify_->parsed() && !proof_file_.empty()) return VerifyProofFile();
    ASHLAR_ASSIGN_OR_RETURN(const std::string url, LedgerUrl(common_));
    ASHLAR_ASSIGN_OR_RETURN(
        ledger_, ledger::Ledger::Open({.url = url, .create = false, .read_only = true}, base::SystemClock()));
    if (show_->parsed()) return Show();
    if (verify_->parsed()) return Verify();
    if (prove_->parsed()) return Prove();
    return PrintCheckpoint();
  }

 private:
  void DescribeShow(CLI::App& app) {
    show_ = &app;
    app.add_option("--kind", query_.kind, "Only entries of this kind, as node.check")->type_name("KIND");
    app.add_option("--subject", query_.subject, "Only entries about this host, or cluster")->type_name("NAME");
    from_ = app.add_option("--from", query_.from_sequence, "Begin with this entry instead of the newest")
                ->type_name("SEQUENCE");
    app.add_option("--limit", query_.limit, "At most so many entries")
        ->default_val(20)
        ->check(CLI::Range(size_t{1}, ledger::kMaxReadEntries))
        ->type_name("N");
  }

  void DescribeVerify(CLI::App& app) {
    verify_ = &app;
    app.add_option("--checkpoint", checkpoint_file_, "A checkpoint kept elsewhere: the ledger must extend it")
        ->type_name("FILE");
    app.add_option("--key", key_, "The public key, or a file with it, instead of the one beside the ledger")
        ->type_name("KEY");
    app.add_option("--proof", proof_file_, "Check this proof instead of the ledger; needs no ledger, only --key")
        ->type_name("FILE");
  }

  void DescribeProve(CLI::App& app) {
    prove_ = &app;
    auto* entry =
        app.add_option("sequence", sequence_, "Prove that this entry is in the ledger")->type_name("SEQUENCE");
    consistency_ = app.add_option("--consistency", sizes_,
                                  "Prove that the ledger of TO entries (all there are) extends the one of FROM")
                       ->expected(2)
                       ->type_name("FROM TO");
    consistency_->excludes(entry);
  }

  base::StatusOr<ExitStatus> Show() {
    query_.newest_first = from_->count() == 0;
    ASHLAR_ASSIGN_OR_RETURN(std::vector<ledger::Entry> entries, ledger_->Read(query_));
    if (query_.newest_first) std::reverse(entries.begin(), entries.end());
    std::string text;
    if (common_.json) {
      for (const ledger::Entry& entry : entries) text += base::WriteJson(ledger::EntryToJson(entry)) + "\n";
    } else {
      text = ledger::FormatEntries(entries);
    }
    ASHLAR_RETURN_IF_ERROR(Print(text));
    return ExitStatus::kPass;
  }

  base::StatusOr<ExitStatus> Verify() {
    ledger::VerifyOptions options;
    if (!checkpoint_file_.empty()) {
      ASHLAR_ASSIGN_OR_RETURN(options.checkpoint,
                              os::ReadWholeFile(os::RealFileSystem(), checkpoint_file_, kMaxCheckpointFile));
    }
    if (!key_.empty()) {
      ASHLAR_ASSIGN_OR_RETURN(options.verifier_key, KeyText());
    }
    const bool shows_progress = isatty(STDERR_FILENO) == 1;
    if (shows_progress) {
      options.progress = [](uint64_t done, uint64_t all) { std::fprintf(stderr, "\r%lu of %lu entries", done, all); };
    }
    ASHLAR_ASSIGN_OR_RETURN(const ledger::VerifyReport report, ledger_->Verify(options));
    if (shows_progress) std::fprintf(stderr, "\r\x1b[K");
    ASHLAR_RETURN_IF_ERROR(
        Print(common_.json ? base::WriteJsonIndented(ledger::ReportToJson(report)) : ledger::FormatReport(report)));
    return report.ok() ? ExitStatus::kPass : ExitStatus::kFallsShort;
  }

  base::StatusOr<ExitStatus> VerifyProofFile() {
    if (key_.empty()) {
      return base::Error(base::StatusCode::kInvalidArgument,
                         "verify --proof needs --key: the text that `ashlar ledger checkpoint --key` prints where the "
                         "ledger is");
    }
    ASHLAR_ASSIGN_OR_RETURN(const std::string text, KeyText());
    ASHLAR_ASSIGN_OR_RETURN(const ledger::VerifierKey key, ledger::ParseVerifierKey(text));
    ASHLAR_ASSIGN_OR_RETURN(const std::string proof,
                            os::ReadWholeFile(os::RealFileSystem(), proof_file_, kMaxProofFile));
    const auto fact = ledger::VerifyProof(proof, key);
    if (!fact.ok() && fact.status().code() != base::StatusCode::kDataLoss) return fact.status();
    const std::string said = fact.ok() ? fact->statement : std::string(base::Message(fact.status()));
    ASHLAR_RETURN_IF_ERROR(Print(
        common_.json
            ? base::WriteJson(base::JsonObject{{"verdict", fact.ok() ? "pass" : "fail"}, {"statement", said}}) + "\n"
            : said + "\n"));
    return fact.ok() ? ExitStatus::kPass : ExitStatus::kFallsShort;
  }

  base::StatusOr<ExitStatus> Prove() {
    if (consistency_->count() == 0 && !sequence_) {
      return base::Error(base::StatusCode::kInvalidArgument,
                         "prove needs an entry's sequence, or --consistency FROM TO");
    }
    ASHLAR_ASSIGN_OR_RETURN(const base::Json proof, consistency_->count() > 0
                                                        ? ledger_->ProveConsistency(sizes_.at(0), sizes_.at(1))
                                                        : ledger_->ProveEntry(*sequence_));
    ASHLAR_RETURN_IF_ERROR(Print(base::WriteJsonIndented(proof)));
    return ExitStatus::kPass;
  }

  base::StatusOr<ExitStatus> PrintCheckpoint() {
    if (print_key_) {
      ASHLAR_RETURN_IF_ERROR(Print(ledger_->VerifierKey() + "\n"));
      return ExitStatus::kPass;
    }
    ASHLAR_ASSIGN_OR_RETURN(const ledger::Checkpoint head, ledger_->SignHead());
    ASHLAR_RETURN_IF_ERROR(Print(head.note));
    return ExitStatus::kPass;
  }

  // --key, or what is in the file that it names.
  base::StatusOr<std::string> KeyText() const {
    if (ledger::ParseVerifierKey(key_).ok()) return key_;
    return os::ReadWholeFile(os::RealFileSystem(), key_, kMaxKeyFile);
  }

  CommonOptions common_;
  CLI::App* show_ = nullptr;
  CLI::App* verify_ = nullptr;
  CLI::App* prove_ = nullptr;
  CLI::App* checkpoint_ = nullptr;
  CLI::Option* from_ = nullptr;
  CLI::Option* consistency_ = nullptr;
  ledger::Query query_;
  std::string checkpoint_file_;
  std::string key_;
  std::string proof_file_;
  std::optional<uint64_t> sequence_;
  std::vector<uint64_t> sizes_;
  bool print_key_ = false;
  std::unique_ptr<ledger::Ledger> ledger_;
};

}  // namespace

std::unique_ptr<Command> MakeLedgerCommand() { return std::make_unique<LedgerCommand>(); }

}  // namespace ashlar::cli
