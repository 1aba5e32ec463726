// Writers that are killed at any point: nothing acknowledged is lost, and what is left verifies.
//
// ASHLAR_KILL_POINTS sets how many kills there are; ASHLAR_KILL_SEED where they fall.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>

#include "ledger/ledger.h"
#include "ledger/ledger_place_testing.h"
#include "ledger/postgres_server_testing.h"

namespace ashlar::ledger {
namespace {

constexpr int kDefaultKillPoints = 1000;
constexpr int kVerifyEvery = 100;  // kills
constexpr int kWriterThreads = 3;
constexpr absl::Duration kLatestKill = absl::Milliseconds(12);
constexpr uint64_t kReady = ~uint64_t{0};  // said once before the first entry

int FromEnvironment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  const auto number = text == nullptr ? std::nullopt : base::ParseInt64(text);
  return number ? static_cast<int>(*number) : otherwise;
}

// What a writer says through its pipe once Append has returned.
struct Acknowledged {
  uint64_t sequence;
  int64_t number;
};

// Appends without end from several threads; the body's number is unique over all writers.
[[noreturn]] void WriteUntilKilled(const LedgerPlace& place, int pipe, int64_t first_number) {
  const auto ledger = place.Open();
  if (!ledger.ok()) {
    fmt::print(stderr, "writer: {}\n", base::Message(ledger.status()));
    _exit(3);
  }
  const Acknowledged ready{.sequence = kReady, .number = 0};
  if (write(pipe, &ready, sizeof ready) != sizeof ready) _exit(5);
  std::vector<std::jthread> threads;
  for (int t = 0; t < kWriterThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int64_t number = first_number + t;; number += kWriterThreads) {
        const auto entry = (*ledger)->Append(TestDraft(number));
        if (!entry.ok()) {
          fmt::print(stderr, "writer: {}\n", base::Message(entry.status()));
          _exit(4);
        }
        const Acknowledged said{.sequence = entry->sequence, .number = number};
        if (write(pipe, &said, sizeof said) != sizeof said) _exit(5);
      }
    });
  }
  for (std::jthread& thread : threads) thread.join();
  _exit(6);
}

struct KillPoint {
  bool once_ready = false;  // counted from the moment before the first append, else from the start of the process
  absl::Duration after;
};

// Starts a writer, kills it at `point` and returns what it acknowledged before.
std::vector<Acknowledged> KillOneWriter(const LedgerPlace& place, int64_t first_number, const KillPoint& point) {
  int ends[2] = {-1, -1};
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    WriteUntilKilled(place, ends[1], first_number);
  }
  close(ends[1]);
  Acknowledged said{};
  if (point.once_ready) {
    EXPECT_EQ(read(ends[0], &said, sizeof said), static_cast<ssize_t>(sizeof said));
  }
  // Nothing is waited for: the point of the kill is the time that has passed.
  const timespec wait = absl::ToTimespec(point.after);
  EXPECT_EQ(ppoll(nullptr, 0, &wait, nullptr), 0);
  kill(child, SIGKILL);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "the writer ended by itself: " << status;
  std::vector<Acknowledged> acknowledged;
  while (read(ends[0], &said, sizeof said) == sizeof said) {
    if (said.sequence != kReady) acknowledged.push_back(said);
  }
  close(ends[0]);
  return acknowledged;
}

void ExpectAllThere(Ledger& ledger, const std::vector<Acknowledged>& acknowledged) {
  for (const Acknowledged& said : acknowledged) {
    const auto entries = ledger.Read({.from_sequence = said.sequence, .limit = 1});
    ASSERT_TRUE(entries.ok()) << entries.status();
    ASSERT_EQ(entries->size(), 1U) << "acknowledged entry " << said.sequence << " is lost";
    ASSERT_EQ(entries->front().sequence, said.sequence);
    ASSERT_EQ(entries->front().body, TestDraft(said.number).body);
  }
}

void ExpectVerifies(Ledger& ledger, const std::string& checkpoint) {
  const auto report = ledger.Verify({.checkpoint = checkpoint});
  ASSERT_TRUE(report.ok()) << report.status();
  ASSERT_TRUE(report->ok()) << report->faults.front().message;
}

// Kills `count` writers at random points: every fourth may still be making or opening file, key and tables, or
// recovering what the one before left.
void KillWriters(const LedgerPlace& place, int count) {
  const int seed = FromEnvironment("ASHLAR_KILL_SEED", 1);
  std::mt19937_64 random(static_cast<uint64_t>(seed));
  std::uniform_int_distribution<int64_t> point(0, absl::ToInt64Microseconds(kLatestKill));
  std::vector<Acknowledged> unchecked;
  std::string checkpoint;
  uint64_t total = 0;
  for (int i = 0; i < count; ++i) {
    const auto said = KillOneWriter(place, int64_t{i} * 1'000'000,
                                    {.once_ready = i % 4 != 0, .after = absl::Microseconds(point(random))});
    unchecked.insert(unchecked.end(), said.begin(), said.end());
    total += said.size();
    if ((i + 1) % kVerifyEvery != 0 && i + 1 != count) continue;
    const auto ledger = place.Open();
    ASSERT_TRUE(ledger.ok()) << "after " << i + 1 << " kills, seed " << seed << ": " << ledger.status();
    ASSERT_NO_FATAL_FAILURE(ExpectAllThere(**ledger, unchecked)) << "after " << i + 1 << " kills, seed " << seed;
    ASSERT_NO_FATAL_FAILURE(ExpectVerifies(**ledger, checkpoint)) << "after " << i + 1 << " kills, seed " << seed;
    unchecked.clear();
    if (const auto head = (*ledger)->SignHead(); head.ok()) checkpoint = head->note;
  }
  fmt::print("{} kills, {} acknowledged entries, seed {}\n", count, total, seed);
}

TEST(CrashTest, KilledSqliteWritersLoseNothingAcknowledged) {
  const auto place = LedgerPlace::Make(PlaceKind::kSqlite);
  ASSERT_TRUE(place.ok()) << place.status();
  KillWriters(*place, FromEnvironment("ASHLAR_KILL_POINTS", kDefaultKillPoints));
}

TEST(CrashTest, KilledPostgresWritersLoseNothingAcknowledged) {
  const auto place = LedgerPlace::Make(PlaceKind::kPostgres);
  ASSERT_TRUE(place.ok()) << place.status();
  KillWriters(*place, FromEnvironment("ASHLAR_KILL_POINTS", kDefaultKillPoints) / 20);
}

TEST(CrashTest, CrashedPostgresServerLosesNothingAcknowledged) {
  const auto server = PostgresServer::Start();
  ASSERT_TRUE(server.ok()) << server.status();
  const auto url = (*server)->CreateDatabase();
  ASSERT_TRUE(url.ok()) << url.status();
  const auto folder = os::TemporaryDirectory::Create();
  const auto ledger = Ledger::Open({.url = *url, .key_path = folder->path() + "/key"}, base::SystemClock());
  ASSERT_TRUE(ledger.ok()) << ledger.status();
  ASSERT_TRUE(Fill(**ledger, 100).ok());
  ASSERT_TRUE((*server)->CrashAndRestart().ok());
  // The first use of each broken connection fails; the next ones connect anew.
  EXPECT_EQ((*ledger)->Append(TestDraft(100)).status().code(), base::StatusCode::kUnavailable);
  const auto entry = (*ledger)->Append(TestDraft(101));
  ASSERT_TRUE(entry.ok()) << entry.status();
  EXPECT_EQ(entry->sequence, 100U);
  ASSERT_NO_FATAL_FAILURE(ExpectVerifies(**ledger, ""));
}

}  // namespace
}  // namespace ashlar::ledger
