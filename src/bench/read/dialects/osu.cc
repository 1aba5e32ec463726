#include "bench/read/dialects/osu.h"

#include <array>

#include "bench/read/limits.h"
#include "bench/read/sample_run.h"
#include "bench/read/sample_table.h"

namespace ashlar::bench {
namespace {

constexpr double kMicro = 1e-6;
constexpr double kMega = 1e6;

constexpr ColumnForm Time(std::string_view heading, std::string_view name) {
  return {.heading = heading, .name = name, .unit = "seconds", .factor = kMicro};
}

constexpr ColumnForm Rate(std::string_view heading, std::string_view name) {
  return {.heading = heading, .name = name, .unit = "bytes_per_second", .factor = kMega};
}

constexpr std::array kColumns = {
    ColumnForm{.heading = "Size", .name = "size_bytes", .use = ColumnUse::kLabel},
    ColumnForm{.heading = "Iterations", .name = "iterations"},
    ColumnForm{.heading = "Validation", .name = "validation", .use = ColumnUse::kWord},
    ColumnForm{.heading = "Overlap(%)", .name = "overlap", .factor = 0.01},
    ColumnForm{.heading = "Messages/s", .name = "message_rate", .unit = "per_second"},
    Time("Latency (us)", "time_avg"),
    Time("Latency(us)", "time_avg"),
    Time("Avg Latency(us)", "time_avg"),
    Time("Avg Lat(us)", "time_avg"),
    Time("Min Latency(us)", "time_min"),
    Time("Max Latency(us)", "time_max"),
    Time("P50 Tail Lat(us)", "time_tail_p50"),
    Time("P90 Tail Lat(us)", "time_tail_p90"),
    Time("P95 Tail Lat(us)", "time_tail_p95"),
    Time("P99 Tail Lat(us)", "time_tail_p99"),
    Time("Overall(us)", "time_overall"),
    Time("Compute(us)", "time_compute"),
    Time("Coll. Init(us)", "time_init"),
    Time("MPI_Test(us)", "time_test"),
    Time("MPI_Wait(us)", "time_wait"),
    Time("Pure Comm.(us)", "time_pure"),
    Time("Min Comm.(us)", "time_pure_min"),
    Time("Max Comm.(us)", "time_pure_max"),
    Rate("Bandwidth (MB/s)", "bandwidth"),
    Rate("MB/s", "bandwidth"),
    Rate("P50 Tail BW(MB/s)", "bandwidth_tail_p50"),
    Rate("P90 Tail BW(MB/s)", "bandwidth_tail_p90"),
    Rate("P95 Tail BW(MB/s)", "bandwidth_tail_p95"),
    Rate("P99 Tail BW(MB/s)", "bandwidth_tail_p99"),
};

constexpr uint64_t kLargestOfPairs = uint64_t{4} << 20U;        // MAX_MESSAGE_SIZE
constexpr uint64_t kLargestOfCollectives = uint64_t{1} << 20U;  // MAX_MSG_SIZE_COLL
constexpr uint64_t kAtomicSize = 8;                             // the only row of fetch-and-op and compare-and-swap
constexpr uint64_t kLargestFirst = 8;                           // a sweep begins at 0, 1 or the size of its type

// Where a sweep ends when nobody asks for another end; nullopt when the test is not known. `test` in lower case.
std::optional<uint64_t> DefaultEnd(std::string_view interface, std::string_view test) {
  if (!interface.starts_with("MPI")) return std::nullopt;
  if (test.find("bandwidth") != std::string_view::npos) return kLargestOfPairs;
  if (test.starts_with("mpi_fetch_and_op") || test.starts_with("mpi_compare_and_swap")) return kAtomicSize;
  if (test.starts_with("mpi_")) return kLargestOfPairs;
  for (const char* pair : {"latency", "multi latency", "multi-threaded latency", "multi-process latency"}) {
    if (test == pair) return kLargestOfPairs;
  }
  for (const char* part :
       {"allgather", "allreduce", "all-to-all", "alltoall", "broadcast", "gather", "reduce", "scatter", "bcast"}) {
    if (test.find(part) != std::string_view::npos) return kLargestOfCollectives;
  }
  return std::nullopt;
}

// Figures have two decimals, so a row that ends in them is not cut, whatever follows.
bool EndsWithTwoDecimals(std::string_view text) {
  const size_t point = text.rfind('.');
  return point != std::string_view::npos && point + 3 == text.size();
}

class OsuReader : public DialectReader {
 public:
  explicit OsuReader(EmitRun emit) : run_(std::move(emit), "osu", "osu-micro-benchmarks") {}

  void Take(const ReadLine& line) override {
    const std::string_view text = base::Trim(line.text);
    if (text.empty()) return;
    if (text.front() == '#') {
      if (text.size() <= kLongestHeading) TakeComment(line, text);
    } else if (columns_ && text.front() >= '0' && text.front() <= '9') {
      TakeRow(line, text);
    }
  }

  void Finish() override {
    if (!run_.is_open()) return;
    run_.End(WhyNotWhole());
    columns_.reset();
    first_size_.reset();
    last_size_.reset();
  }

 private:
  void TakeComment(const ReadLine& line, std::string_view text) {
    if (text.starts_with("# OSU ")) {
      TakeTitle(line, text.substr(6));
      return;
    }
    if (!run_.is_open()) return;
    const std::string_view body = base::Trim(text.substr(1));
    if (body.starts_with("Datatype: ")) {
      TakeDatatype(line, body.substr(10));
    } else if (body.starts_with("[ pairs: ")) {
      const std::string_view number = body.substr(9);
      if (const auto pairs = base::ParseUint64(number.substr(0, number.find(' ')))) run_.SetLabel("pairs", *pairs);
      run_.Touch(line);
    } else if (body.starts_with("Size") || body.starts_with("Avg Lat") || body.starts_with("Overall(")) {
      run_.Touch(line);
      columns_ = SampleColumns::FromHeading(body, kColumns);
      if (!columns_) run_.NoteHeading(line);
    }
  }

  // "MPI-CUDA Allreduce Latency Test v7.4"; versions before 5 may leave the version out.
  void TakeTitle(const ReadLine& line, std::string_view title) {
    const size_t blank = title.find(' ');
    const size_t test_end = title.find(" Test");
    if (blank == std::string_view::npos || test_end == std::string_view::npos || test_end <= blank) return;
    Finish();
    interface_ = title.substr(0, blank);
    test_ = base::Lowercase(title.substr(blank + 1, test_end - blank - 1));
    // "MPI_Put-CUDA Latency Test": the function stands where others have the interface.
    if (interface_.starts_with("MPI_")) {
      const std::string function = interface_.substr(0, interface_.find('-'));
      interface_ = "MPI" + interface_.substr(function.size());
      test_ = base::Lowercase(function) + " " + test_;
    }
    // "MPI-CUDA MANAGED Latency Test": two words for the one interface.
    if (test_.starts_with("managed ")) {
      interface_ += " MANAGED";
      test_.erase(0, 8);
    }
    const std::string_view rest = base::Trim(title.substr(test_end + 5));
    version_ = rest.starts_with('v') ? rest.substr(1) : "";
    BeginRun(line);
  }

  void BeginRun(const ReadLine& line) {
    run_.Begin(line, test_, version_);
    run_.SetLabel("interface", interface_);
    end_ = DefaultEnd(interface_, test_);
  }

  // With several types the tool prints one table after another, each a sweep of its own.
  void TakeDatatype(const ReadLine& line, std::string_view name) {
    if (!run_.record().samples.empty()) {
      Finish();
      BeginRun(line);
    }
    if (name.ends_with('.')) name.remove_suffix(1);
    run_.SetLabel("datatype", name);
    run_.Touch(line);
  }

  void TakeRow(const ReadLine& line, std::string_view text) {
    if (!line.is_whole && !EndsWithTwoDecimals(text)) {
      run_.Note(line.number, "the text ends inside this row", true);
      return;
    }
    // Behind a sweep's end a number begins whatever the log goes on with, unless sizes beyond it were asked for.
    if (IsAtEnd() && !BeginsWithNextSize(text)) {
      columns_.reset();
      return;
    }
    auto sample = columns_->ReadRow(line.number, text);
    if (!sample) {
      run_.Note(line.number, "this is no whole row of the table", true);
      return;
    }
    if (const auto size = NumberLabel(*sample, "size_bytes")) TakeSize(line, *size);
    if (!run_.Add(*std::move(sample))) columns_.reset();
  }

  void TakeSize(const ReadLine& line, uint64_t size) {
    const bool is_gap = last_size_ && size > *last_size_ &&
                        (*last_size_ == 0 ? size > kLargestFirst : size != NextSize());
    if (is_gap)
      run_.Note(line.number, fmt::format("a row is missing between {} and {} bytes", *last_size_, size), true);
    if (!first_size_) first_size_ = size;
    last_size_ = size;
  }

  uint64_t NextSize() const { return *last_size_ > UINT64_MAX / 2 ? 0 : *last_size_ * 2; }

  bool IsAtEnd() const {
    return columns_->Has("size_bytes") ? end_ && last_size_ && *last_size_ >= *end_ : !run_.record().samples.empty();
  }

  bool BeginsWithNextSize(std::string_view text) const {
    return last_size_ && base::ParseUint64(text.substr(0, text.find_first_of(" \t"))) == NextSize();
  }

  // "" when the sweep is known to be whole.
  std::string WhyNotWhole() const {
    if (run_.record().samples.empty()) return "there is no row";
    if (!last_size_) return "";  // a test without sizes has one row
    if (!end_) return "where a sweep of this test ends is not known, and the tool prints no end";
    if (*first_size_ > kLargestFirst) {
      return fmt::format("it begins at {} bytes, so sizes were chosen (-m), and the tool does not print which",
                         *first_size_);
    }
    if (*last_size_ < *end_) return fmt::format("it stops at {} bytes, by default it goes to {}", *last_size_, *end_);
    if (*last_size_ > *end_) {
      return fmt::format("it goes beyond {} bytes, so sizes were chosen (-m), and the tool does not print which",
                         *end_);
    }
    return "";
  }

  SampleRun run_;
  std::string interface_;
  std::string test_;
  std::string version_;
  std::optional<uint64_t> end_;
  std::optional<SampleColumns> columns_;  // once the table's heading was read
  std::optional<uint64_t> first_size_;
  std::optional<uint64_t> last_size_;
};

}  // namespace

std::unique_ptr<DialectReader> MakeOsuReader(EmitRun emit) { return std::make_unique<OsuReader>(std::move(emit)); }

}  // namespace ashlar::bench
