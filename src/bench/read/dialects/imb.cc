#include "bench/read/dialects/imb.h"

#include <array>
#include <map>

#include "bench/read/limits.h"
#include "bench/read/sample_run.h"
#include "bench/read/sample_table.h"

namespace ashlar::bench {
namespace {

constexpr double kMicro = 1e-6;
constexpr double kMega = 1e6;
constexpr double kMebi = 1U << 20U;
constexpr uint64_t kFirstDecimalVersion = 2018;
constexpr uint64_t kLastBinaryVersion = 4;
constexpr uint64_t kLargestFirst = 8;  // bytes: sizes begin at 0, 1 or that of the type

constexpr ColumnForm Time(std::string_view heading, std::string_view name) {
  return {.heading = heading, .name = name, .unit = "seconds", .factor = kMicro};
}

constexpr std::array kColumns = {
    ColumnForm{.heading = "#bytes", .name = "size_bytes", .use = ColumnUse::kLabel},
    ColumnForm{.heading = "Group", .name = "group", .use = ColumnUse::kLabel},
    ColumnForm{.heading = "#repetitions", .name = "iterations"},
    ColumnForm{.heading = "Mbytes/sec", .name = "bandwidth", .unit = "bytes_per_second"},
    ColumnForm{.heading = "Msg/sec", .name = "message_rate", .unit = "per_second"},
    ColumnForm{.heading = "overlap[%]", .name = "overlap", .factor = 0.01},
    ColumnForm{.heading = "defects", .name = "defects"},
    Time("t[usec]", "time_max"),  // the slowest rank's
    Time("t_min[usec]", "time_min"),
    Time("t_max[usec]", "time_max"),
    Time("t_avg[usec]", "time_avg"),
    Time("t_ovrl[usec]", "time_overall"),
    Time("t_pure[usec]", "time_pure"),
    Time("t_CPU[usec]", "time_compute"),
};

// "2021.3" of "Intel(R) MPI Benchmarks 2021.3, MPI-1 part"; "3.2" of "... MPI Benchmark Suite V3.2, MPI-1 part".
std::string_view VersionOf(std::string_view title) {
  constexpr std::string_view kName = "MPI Benchmark";
  title.remove_prefix(title.find(kName) + kName.size());
  for (const std::string_view word : {"s", " Suite", " V"}) {
    if (title.starts_with(word)) title.remove_prefix(word.size());
  }
  return base::Trim(title.substr(0, title.find(',')));
}

// Bytes in what this version calls a megabyte; nullopt when that is not known.
std::optional<double> MegabyteOf(std::string_view version) {
  const auto major = base::ParseUint64(version.substr(0, version.find_first_not_of("0123456789")));
  if (!major) return std::nullopt;
  if (*major >= kFirstDecimalVersion) return kMega;
  if (*major <= kLastBinaryVersion) return kMebi;
  return std::nullopt;
}

std::optional<uint64_t> NumberAtBegin(std::string_view text) {
  text = base::Trim(text);
  return base::ParseUint64(text.substr(0, text.find_first_not_of("0123456789")));
}

// What the head of one program says.
struct Program {
  std::string version;
  std::optional<uint64_t> min_bytes;
  std::optional<uint64_t> max_bytes;
  bool has_own_sizes = false;  // from a file (-msglen), which is not printed
};

class ImbReader : public DialectReader {
 public:
  explicit ImbReader(EmitRun emit) : run_(std::move(emit), "imb", "intel-mpi-benchmarks") {}

  void Take(const ReadLine& line) override {
    const std::string_view text = base::Trim(line.text);
    if (text.empty()) return;
    if (text.front() == '#') {
      if (text.size() <= kLongestHeading) TakeComment(line, text);
    } else if (columns_ && text.front() >= '0' && text.front() <= '9') {
      TakeRow(line, text);
    } else if (run_.is_open() && !columns_ && text.starts_with("Group")) {
      TakeHeading(line, text);
    }
  }

  void Finish() override { EndBlock(false); }

 private:
  void TakeComment(const ReadLine& line, std::string_view text) {
    if (run_.is_open() && !columns_ && (text.starts_with("#bytes") || text.starts_with("#repetitions"))) {
      TakeHeading(line, text);
      return;
    }
    if (text.starts_with("#-")) {
      if (!run_.record().samples.empty()) columns_.reset();  // the next block's frame
      return;
    }
    const std::string_view body = base::Trim(text.substr(1));
    if (body.starts_with("Benchmarking ")) {
      TakeBlock(line, base::Trim(body.substr(13)));
    } else if (body.starts_with("Intel") && body.find("MPI Benchmark") != std::string_view::npos) {
      EndBlock(false);
      program_ = {.version = std::string(VersionOf(body))};
    } else if (body == "All processes entering MPI_Finalize") {
      EndBlock(true);
      program_ = {};
    } else if (run_.is_open()) {
      TakeProcesses(line, body);
    } else {
      TakeHead(body);
    }
  }

  void TakeHead(std::string_view body) {
    if (body.starts_with("Minimum message length") || body.starts_with("Minimum io portion")) {
      program_.min_bytes = NumberAtBegin(body.substr(std::min(body.size(), body.find(':') + 1)));
    } else if (body.starts_with("Maximum message length") || body.starts_with("Maximum io portion")) {
      program_.max_bytes = NumberAtBegin(body.substr(std::min(body.size(), body.find(':') + 1)));
    } else if (body.ends_with("lengths were user defined")) {
      program_.has_own_sizes = true;
    }
  }

  // One program's blocks follow each other: the next one's title shows that this one has ended.
  void TakeBlock(const ReadLine& line, std::string_view name) {
    EndBlock(true);
    run_.Begin(line, name, program_.version);
  }

  void TakeProcesses(const ReadLine& line, std::string_view body) {
    if (columns_) return;
    if (body.starts_with("#processes = ")) {
      if (const auto ranks = NumberAtBegin(body.substr(13))) run_.SetLabel("ranks", *ranks);
    } else if (body.starts_with("( ") && body.find(" groups of ") != std::string_view::npos) {
      groups_ = NumberAtBegin(body.substr(2)).value_or(0);
      if (const auto ranks = NumberAtBegin(body.substr(body.find(" groups of ") + 11))) run_.SetLabel("ranks", *ranks);
    } else if (body.starts_with("MODE: ")) {
      run_.SetLabel("mode", body.substr(6));
    }
    run_.Touch(line);
  }

  void TakeHeading(const ReadLine& line, std::string_view text) {
    run_.Touch(line);
    columns_ = SampleColumns::FromHeading(text, kColumns);
    if (!columns_) {
      run_.NoteHeading(line);
      return;
    }
    megabyte_ = MegabyteOf(program_.version);
    if (!megabyte_ && columns_->Has("bandwidth")) {
      run_.Note(line.number, "Mbytes/sec is left out: by version it is 10^6 or 2^20 bytes, and this one is not known",
                false);
    }
  }

  void TakeRow(const ReadLine& line, std::string_view text) {
    run_.Touch(line);
    auto sample = columns_->ReadRow(line.number, text);
    if (!sample || !line.is_whole) {
      // "out-of-mem.", "time-out." and "int-overflow." stand where figures would.
      const size_t words = text.find_first_not_of("0123456789 \t");
      const bool is_excuse = !sample && words != std::string_view::npos && text.find(".;") != std::string_view::npos;
      run_.Note(line.number,
                is_excuse ? fmt::format("not measured: {}", text.substr(words, kLongestHeading))
                          : "this is no whole row of the table",
                true);
      return;
    }
    SetBandwidth(*sample);
    if (const auto size = NumberLabel(*sample, "size_bytes")) {
      TakeSize(line, *size, NumberLabel(*sample, "group").value_or(0));
    }
    if (!run_.Add(*std::move(sample))) columns_.reset();
  }

  void SetBandwidth(Sample& sample) const {
    if (!megabyte_) {
      std::erase_if(sample.quantities, [](const Quantity& quantity) { return quantity.name == "bandwidth"; });
      return;
    }
    for (Quantity& quantity : sample.quantities) {
      if (quantity.name != "bandwidth") continue;
      quantity.value *= *megabyte_;
      quantity.half_step *= *megabyte_;
    }
  }

  void TakeSize(const ReadLine& line, uint64_t size, uint64_t group) {
    const auto [last, is_first] = last_size_.emplace(group, size);
    if (is_first) {
      first_size_ = std::max(first_size_, size);
      return;
    }
    // After 0 comes whatever the smallest length was set to.
    const bool is_gap = last->second != 0 && size > last->second && size - last->second != last->second;
    if (is_gap && !program_.has_own_sizes) {
      run_.Note(line.number, fmt::format("a row is missing between {} and {} bytes", last->second, size), true);
    }
    last->second = size;
  }

  // `is_over`: what follows in the text shows that the program went on behind this block.
  void EndBlock(bool is_over) {
    if (!run_.is_open()) return;
    run_.End(WhyNotWhole(is_over));
    columns_.reset();
    last_size_.clear();
    first_size_ = 0;
    groups_ = 1;
  }

  // "" when the block is known to be whole.
  std::string WhyNotWhole(bool is_over) const {
    const auto& samples = run_.record().samples;
    if (samples.empty()) return "there is no row";
    const bool is_grouped = samples.front().labels.contains("group");
    if (last_size_.empty()) {
      if (is_grouped && samples.size() != groups_) return fmt::format("{} groups ran, not all are here", groups_);
      return is_over ? "" : "the program's last line is missing";
    }
    if (program_.has_own_sizes) return "sizes were taken from a file, which is not printed";
    if (!program_.max_bytes) return "the program's head, which says how far sizes go, is missing";
    if (is_grouped && last_size_.size() != groups_) return fmt::format("{} groups ran, not all are here", groups_);
    if (first_size_ > std::max(program_.min_bytes.value_or(0), kLargestFirst)) {
      return fmt::format("it begins at {} bytes, the head says {}", first_size_, program_.min_bytes.value_or(0));
    }
    for (const auto& [group, size] : last_size_) {
      if (size != *program_.max_bytes)
        return fmt::format("it stops at {} bytes, the head says {}", size, *program_.max_bytes);
    }
    return is_over ? "" : "the program's last line is missing";
  }

  SampleRun run_;
  Program program_;
  std::optional<SampleColumns> columns_;  // between a table's heading and the next frame
  std::optional<double> megabyte_;
  std::map<uint64_t, uint64_t> last_size_;  // by group
  uint64_t first_size_ = 0;                 // the largest of all groups
  uint64_t groups_ = 1;
};

}  // namespace

std::unique_ptr<DialectReader> MakeImbReader(EmitRun emit) { return std::make_unique<ImbReader>(std::move(emit)); }

}  // namespace ashlar::bench
