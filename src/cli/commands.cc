#include "cli/commands.h"

#include <array>

#include "cli/assess.h"
#include "cli/bench_coll.h"
#include "cli/bench_read.h"
#include "cli/bench_storage.h"
#include "cli/check.h"
#include "cli/explain.h"
#include "cli/ledger.h"
#include "cli/up.h"
#include "cli/validate.h"

namespace ashlar::cli {
namespace {

constexpr std::array kCommands = {
    CommandRow{"up", "Validate this machine, show the scorecard, serve the report", "ashlar up --once", &MakeUpCommand},
    CommandRow{"check", "Check the health of this machine, one line for each check", "ashlar check --skip dns",
               &MakeCheckCommand},
    CommandRow{"validate", "Test many nodes against each other and name who is at fault",
               "ashlar validate --hostfile hosts.txt --nodes-per-switch 16", &MakeValidateCommand},
    CommandRow{"bench coll", "Measure collectives over MPI, in the table of nccl-tests",
               "ashlar bench coll all_reduce -b 8 -e 64M -f 2", &MakeBenchCollCommand},
    CommandRow{"bench read", "Read results of other tools and hold them against themselves",
               "ashlar bench read logs/ nccl.log.gz", &MakeBenchReadCommand},
    CommandRow{"bench storage", "Measure the storage of a folder and hold it against a demand",
               "ashlar bench storage /scratch --demand checkpoint_bytes=80G,interval=30m", &MakeBenchStorageCommand},
    CommandRow{"assess", "Judge the 38 considerations from what the ledger holds",
               "ashlar assess --format sarif --output scorecard.sarif", &MakeAssessCommand},
    CommandRow{"explain", "Show what a verdict rests on, down to the file, the line and the entry of the ledger",
               "ashlar explain bench-node-health", &MakeExplainCommand},
    CommandRow{"ledger", "Show, verify and prove the record of everything that was measured", "ashlar ledger verify",
               &MakeLedgerCommand},
};

}  // namespace

std::span<const CommandRow> CommandTable() { return kCommands; }

}  // namespace ashlar::cli
