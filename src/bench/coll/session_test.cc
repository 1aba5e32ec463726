#include "bench/coll/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/coll/thread_backend_testing.h"

namespace ashlar::bench {
namespace {

using ::testing::HasSubstr;

struct Outcome {
  base::StatusOr<std::vector<base::Json>> documents = std::vector<base::Json>{};
  std::vector<SessionEvent> events;
};

// Runs the whole sweep in a world of threads with made-up times; rank 0's outcome.
Outcome RunIn(ThreadWorld& world, ArgumentValues arguments, base::Bytes memory = {}) {
  arguments.try_emplace("iters", "2");
  Outcome outcome;
  const CollectiveOptions options = ReadArguments(arguments).value();
  const base::FakeClock clock(absl::FromUnixSeconds(1'700'000'000));
  world.Run([&](CollectiveBackend& backend) {
    SessionParts parts{.backend = &backend,
                       .clock = &clock,
                       .memory_available = memory,
                       .host = "a",
                       .settling = absl::ZeroDuration()};
    parts.environment = base::JsonObject();
    if (backend.rank() == 0) {
      parts.listener = [&outcome](SessionEvent event, const base::Json&) { outcome.events.push_back(event); };
    }
    auto documents = Session(std::move(parts), options, arguments).Run();
    if (backend.rank() == 0) outcome.documents = std::move(documents);
  });
  return outcome;
}

double Microsecond(const CollectiveCall&, int64_t) { return 1e-6; }

TEST(Session, ErrorsComeOnEveryRankAlike) {
  ThreadWorld no_memory(2, Microsecond, {.no_memory = true});
  EXPECT_EQ(RunIn(no_memory, {{"collective", "reduce"}}).documents.status().code(),
            base::StatusCode::kResourceExhausted);
  ThreadWorld world(2, Microsecond);
  const auto bad_root = RunIn(world, {{"collective", "broadcast"}, {"root", "2"}});
  EXPECT_EQ(bad_root.documents.status().code(), base::StatusCode::kInvalidArgument);
  const auto too_large = RunIn(world, {{"collective", "all_reduce"}, {"minbytes", "1M"}, {"maxbytes", "1M"}}, {1024});
  EXPECT_EQ(too_large.documents.status().code(), base::StatusCode::kResourceExhausted);
}

TEST(Session, EveryCollectiveIsRightOnEveryTypeInBothPlaces) {
  ThreadWorld world(3, Microsecond);
  const Outcome outcome = RunIn(world, {{"collective", "all"},
                                        {"minbytes", "9K"},
                                        {"maxbytes", "9K"},
                                        {"iters", "1"},
                                        {"datatype", "all"},
                                        {"op", "all"},
                                        {"root", "1"}});
  ASSERT_TRUE(outcome.documents.ok()) << outcome.documents.status();
  ASSERT_EQ(outcome.documents->size(), 9U);
  for (const base::Json& document : *outcome.documents) {
    EXPECT_EQ(base::GetInt(document, "out_of_bounds").value(), 0) << base::WriteJson(document.at("collective"));
    for (const base::Json& row : document.at("rows").as_array()) {
      EXPECT_EQ(row.at("out_of_place").at("wrong"), base::Json(0));
      EXPECT_EQ(row.at("in_place").at("wrong"), base::Json(0));
    }
  }
}

TEST(Session, OneDamagedElementIsFoundInEveryCollective) {
  // Rank 1 is not the root, so reduce and gather, whose result only the root holds, are damaged through rank 0.
  for (const CollectiveInfo& info : Collectives()) {
    const bool at_root = info.collective == Collective::kReduce || info.collective == Collective::kGather;
    ThreadWorld world(2, Microsecond, {.corrupt_rank = at_root ? 0 : 1, .corrupt_element = 3});
    const Outcome outcome =
        RunIn(world, {{"collective", std::string(info.name)}, {"minbytes", "256"}, {"maxbytes", "256"}});
    ASSERT_TRUE(outcome.documents.ok()) << info.name << outcome.documents.status();
    const base::Json& document = outcome.documents->front();
    EXPECT_EQ(base::GetInt(document, "out_of_bounds").value(), 2) << info.name;  // one in each place
    EXPECT_EQ(ExitStatusOfDocument(document), base::ExitStatus::kFallsShort) << info.name;
    EXPECT_EQ(base::GetString(document.at("findings").at(0), "verdict").value(), "fail") << info.name;
  }
}

TEST(Session, WithoutChecksNothingIsCalledRight) {
  ThreadWorld world(2, Microsecond, {.corrupt_rank = 1});
  const Outcome outcome = RunIn(world, {{"collective", "all_reduce"}, {"maxbytes", "8"}, {"check", "0"}});
  ASSERT_TRUE(outcome.documents.ok());
  const base::Json& document = outcome.documents->front();
  EXPECT_TRUE(document.at("rows").at(0).at("out_of_place").at("wrong").is_null());
  EXPECT_EQ(base::GetString(document.at("findings").at(0), "verdict").value(), "unknown");
}

TEST(Session, TellsHeaderRowsAndDocument) {
  ThreadWorld world(2, Microsecond);
  const Outcome outcome = RunIn(world, {{"collective", "all_gather"}, {"minbytes", "32"}, {"maxbytes", "64"}});
  ASSERT_TRUE(outcome.documents.ok());
  EXPECT_THAT(outcome.events, ::testing::ElementsAre(SessionEvent::kHeader, SessionEvent::kRow, SessionEvent::kRow,
                                                     SessionEvent::kDocument));
  const base::Json& document = outcome.documents->front();
  EXPECT_EQ(base::GetString(document, "schema").value(), "ashlar.bench.coll/1");
  EXPECT_EQ(base::GetInt(document, "ranks").value(), 2);
  EXPECT_EQ(base::GetInt(document, "nodes").value(), 1);
  const base::Json& row = document.at("rows").at(1);
  // 64 bytes over two ranks: 8 floats a block; 64 B in 1 us are 64 MB/s, times (n - 1)/n = 1/2 on the bus.
  EXPECT_EQ(base::GetInt(row, "count").value(), 8);
  EXPECT_NEAR(base::GetNumber(row.at("out_of_place"), "algbw_bytes_per_second").value(), 64e6, 1);
  EXPECT_NEAR(base::GetNumber(row.at("out_of_place"), "busbw_bytes_per_second").value(), 32e6, 1);
}

TEST(Session, CyclesRepeatTheSweep) {
  ThreadWorld world(2, Microsecond);
  const Outcome outcome = RunIn(world, {{"collective", "sendrecv"}, {"maxbytes", "16"}, {"run_cycles", "3"}});
  ASSERT_TRUE(outcome.documents.ok());
  EXPECT_EQ(outcome.documents->front().at("rows").as_array().size(), 6U);
}

TEST(Session, LargeSizesAreCutWhenMemoryIsShort) {
  // Two ranks on one machine share half of 32 KiB: 8 KiB each, for a send and a receive buffer of 4 KiB.
  ThreadWorld world(2, Microsecond);
  const Outcome outcome = RunIn(world, {{"collective", "all_reduce"}, {"minbytes", "2K"}, {"maxbytes", "8K"}}, {32768});
  ASSERT_TRUE(outcome.documents.ok()) << outcome.documents.status();
  const base::Json& document = outcome.documents->front();
  EXPECT_EQ(document.at("rows").as_array().size(), 2U);
  EXPECT_THAT(base::WriteJson(document.at("notes")), HasSubstr("Reducing maxBytes to 4096 due to memory limitation"));
}

TEST(Session, ASpentBudgetSaysWhatIsMissing) {
  // The clock of the session jumps by a minute whenever it is read: the budget is gone before the first size.
  class JumpingClock : public base::Clock {
   public:
    absl::Time Now() const override { return absl::FromUnixSeconds(0); }
    absl::Duration Monotonic() const override { return absl::Minutes(++reads_); }

   private:
    mutable std::atomic<int> reads_{0};
  };
  const JumpingClock clock;
  ThreadWorld world(1, Microsecond);
  const ArgumentValues arguments = {{"collective", "all_reduce"}, {"maxbytes", "8"}, {"budget", "10s"}};
  const CollectiveOptions options = ReadArguments(arguments).value();
  world.Run([&](CollectiveBackend& backend) {
    SessionParts parts{.backend = &backend, .clock = &clock, .host = "a", .settling = absl::ZeroDuration()};
    const auto documents = Session(std::move(parts), options, arguments).Run();
    ASSERT_TRUE(documents.ok()) << documents.status();
    EXPECT_EQ(ExitStatusOfDocument(documents->front()), base::ExitStatus::kCouldNotRun);
    EXPECT_THAT(base::WriteJson(documents->front().at("findings")), HasSubstr("the budget of 10"));
  });
}

}  // namespace
}  // namespace ashlar::bench
