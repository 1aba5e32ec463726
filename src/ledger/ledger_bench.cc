// Appends and verification, with what bounds them beside it: a bare SQLite loop of the same durability, and SHA-256.
//
// The folder is $TMPDIR: point it at the disk that is meant.
#include "ledger/ledger.h"

#include <benchmark/benchmark.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "ledger/merkle.h"
#include "os/os.h"

namespace ashlar::ledger {
namespace {

constexpr int kVerifyEntries = 200'000;
constexpr int kBatch = 8;  // writers that share one commit

Draft SomeDraft(int64_t number) {
  return {.kind = "bench.ledger",
          .subject = "host-17",
          .actor = "ledger_bench",
          .body = {{"finding", "memory-amount"},
                   {"number", number},
                   {"value", 25769803776},
                   {"unit", "bytes"},
                   {"read_from", "/proc/meminfo"},
                   {"verdict", "pass"}}};
}

// Ends the benchmark with a message instead of a figure.
template <typename Result>
bool Failed(benchmark::State& state, const Result& result) {
  if (result.ok()) return false;
  state.SkipWithError(result.status().ToString().c_str());
  return true;
}

struct OpenLedger {
  os::TemporaryDirectory folder;
  std::unique_ptr<Ledger> ledger;
};

base::StatusOr<OpenLedger> NewLedger() {
  ASHLAR_ASSIGN_OR_RETURN(auto folder, os::TemporaryDirectory::Create());
  ASHLAR_ASSIGN_OR_RETURN(auto ledger, Ledger::Open({.url = folder.path() + "/ledger.db"}, base::SystemClock()));
  return OpenLedger{std::move(folder), std::move(ledger)};
}

void Append(benchmark::State& state) {
  static std::unique_ptr<base::StatusOr<OpenLedger>> shared;  // of the threads of one run; the first makes it
  if (state.thread_index() == 0) shared = std::make_unique<base::StatusOr<OpenLedger>>(NewLedger());
  int64_t number = 0;
  for (auto unused : state) {
    if (Failed(state, *shared)) break;
    const auto entry = (*shared)->ledger->Append(SomeDraft(++number));
    if (Failed(state, entry)) break;
  }
  state.SetItemsProcessed(state.iterations());
  if (state.thread_index() == 0) shared.reset();
}
BENCHMARK(Append)->Threads(1)->Threads(8)->Threads(64)->MinTime(1)->UseRealTime()->Name("append/ledger");

// Eight processes with a connection each: they share no commit, only the write lock.
void AppendFromProcesses(benchmark::State& state) {
  constexpr int kProcesses = 8;
  constexpr int kEach = 500;
  for (auto unused : state) {
    state.PauseTiming();
    auto open = NewLedger();
    if (Failed(state, open)) break;
    const std::string url = open->folder.path() + "/ledger.db";
    open->ledger.reset();
    state.ResumeTiming();
    std::vector<pid_t> children;
    for (int i = 0; i < kProcesses; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        auto ledger = Ledger::Open({.url = url}, base::SystemClock());
        bool good = ledger.ok();
        for (int k = 0; good && k < kEach; ++k) good = (*ledger)->Append(SomeDraft(k)).ok();
        _exit(good ? 0 : 1);
      }
      children.push_back(child);
    }
    for (const pid_t child : children) {
      int status = 0;
      waitpid(child, &status, 0);
      if (status != 0) state.SkipWithError("a writer failed");
    }
  }
  state.SetItemsProcessed(state.iterations() * kProcesses * kEach);
}
BENCHMARK(AppendFromProcesses)->UseRealTime()->Iterations(3)->Name("append/ledger from 8 processes");

// The peer: what a program writes that keeps its history in SQLite itself, state.range(0) rows a transaction.
void AppendToBareSqlite(benchmark::State& state) {
  const auto folder = os::TemporaryDirectory::Create();
  if (Failed(state, folder)) return;
  sqlite3* database = nullptr;
  sqlite3_open((folder->path() + "/bare.db").c_str(), &database);
  sqlite3_exec(database,
               "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1024;"
               "CREATE TABLE rows (id INTEGER PRIMARY KEY, kind TEXT, subject TEXT, bytes TEXT);"
               "CREATE INDEX rows_kind ON rows (kind, id, subject)",
               nullptr, nullptr, nullptr);
  sqlite3_stmt* insert = nullptr;
  sqlite3_prepare_v2(database, "INSERT INTO rows (kind, subject, bytes) VALUES ('bench.ledger', 'host-17', ?1)", -1,
                     &insert, nullptr);
  int64_t number = 0;
  for (auto unused : state) {
    sqlite3_exec(database, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
    for (int64_t i = 0; i < state.range(0); ++i) {
      const std::string bytes = *base::CanonicalJson(SomeDraft(++number).body);
      sqlite3_bind_text(insert, 1, bytes.data(), static_cast<int>(bytes.size()), SQLITE_STATIC);
      if (sqlite3_step(insert) != SQLITE_DONE) state.SkipWithError(sqlite3_errmsg(database));
      sqlite3_reset(insert);
    }
    sqlite3_exec(database, "COMMIT", nullptr, nullptr, nullptr);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  sqlite3_finalize(insert);
  sqlite3_close(database);
}
BENCHMARK(AppendToBareSqlite)
    ->Arg(1)
    ->Arg(kBatch)
    ->MinTime(1)
    ->UseRealTime()
    ->Name("append/bare SQLite by rows a commit");

// A ledger of kVerifyEntries, made once for the program: far more batches than a single writer would make.
const base::StatusOr<OpenLedger>& LargeLedger() {
  static const base::StatusOr<OpenLedger> large = [] {
    auto open = NewLedger();
    if (!open.ok()) return open;
    std::vector<std::jthread> writers;
    constexpr int kWriters = 200;
    for (int i = 0; i < kWriters; ++i) {
      writers.emplace_back([&open] {
        for (int k = 0; k < kVerifyEntries / kWriters; ++k) open->ledger->Append(SomeDraft(k)).IgnoreError();
      });
    }
    writers.clear();
    return open;
  }();
  return large;
}

void Verify(benchmark::State& state) {
  if (Failed(state, LargeLedger())) return;
  uint64_t entries = 0;
  for (auto unused : state) {
    const auto report = LargeLedger()->ledger->Verify({});
    if (Failed(state, report)) return;
    if (!report->ok() || report->entries != kVerifyEntries) state.SkipWithError("the ledger does not verify");
    entries += report->entries;
  }
  state.SetItemsProcessed(static_cast<int64_t>(entries));
}
BENCHMARK(Verify)->UseRealTime()->Unit(benchmark::kMillisecond)->Name("verify/ledger");

// The ceiling: one leaf and one node of the tree hashed for each entry, the bytes already in memory.
void HashOnly(benchmark::State& state) {
  const auto entries = LargeLedger()->ledger->Read({.limit = 1});
  if (Failed(state, entries)) return;
  const std::string bytes = *base::CanonicalJson(entries->front().body) + std::string(130, ' ');
  base::Sha256Digest hash{};
  for (auto unused : state) hash = NodeHash(hash, LeafHash(bytes));
  benchmark::DoNotOptimize(hash);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(HashOnly)->Name("verify/SHA-256 alone");

}  // namespace
}  // namespace ashlar::ledger
