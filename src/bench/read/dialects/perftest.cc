#include "bench/read/dialects/perftest.h"

#include <array>

#include "bench/read/limits.h"
#include "bench/read/sample_run.h"
#include "bench/read/sample_table.h"

namespace ashlar::bench {
namespace {

constexpr double kMicro = 1e-6;
constexpr double kMega = 1e6;
constexpr double kMebi = 1U << 20U;
constexpr double kBytesPerGigabit = 1e9 / 8;
constexpr size_t kRule = 87;          // dashes, no more and no fewer: a job's own separators end no table
constexpr size_t kRulePerPort = 163;  // with --report-per-port

constexpr ColumnForm Time(std::string_view heading, std::string_view name) {
  return {.heading = heading, .name = name, .unit = "seconds", .factor = kMicro};
}

constexpr ColumnForm Rate(std::string_view heading, std::string_view name, double factor) {
  return {.heading = heading, .name = name, .unit = "bytes_per_second", .factor = factor};
}

constexpr ColumnForm Messages(std::string_view heading, std::string_view name) {
  return {.heading = heading, .name = name, .unit = "per_second", .factor = kMega};
}

constexpr std::array kColumns = {
    ColumnForm{.heading = "#bytes", .name = "size_bytes", .use = ColumnUse::kLabel},
    ColumnForm{.heading = "#sl", .name = "service_level", .use = ColumnUse::kLabel},
    ColumnForm{.heading = "#iterations", .name = "iterations"},
    ColumnForm{.heading = "CPU_Util[%]", .name = "cpu_use", .factor = 0.01},
    Rate("BW peak[MB/sec]", "bandwidth_peak", kMebi),
    Rate("BW peak[MiB/sec]", "bandwidth_peak", kMebi),
    Rate("BW peak[Gb/sec]", "bandwidth_peak", kBytesPerGigabit),
    Rate("BW average[MB/sec]", "bandwidth_avg", kMebi),
    Rate("BW average[MiB/sec]", "bandwidth_avg", kMebi),
    Rate("BW average[Gb/sec]", "bandwidth_avg", kBytesPerGigabit),
    Rate("BW Port1[MB/sec]", "bandwidth_port_1", kMebi),
    Rate("BW Port1[MiB/sec]", "bandwidth_port_1", kMebi),
    Rate("BW Port1[Gb/sec]", "bandwidth_port_1", kBytesPerGigabit),
    Rate("BW Port2[MB/sec]", "bandwidth_port_2", kMebi),
    Rate("BW Port2[MiB/sec]", "bandwidth_port_2", kMebi),
    Rate("BW Port2[Gb/sec]", "bandwidth_port_2", kBytesPerGigabit),
    Messages("MsgRate[Mpps]", "message_rate"),
    Messages("MsgRate Port1[Mpps]", "message_rate_port_1"),
    Messages("MsgRate Port2[Mpps]", "message_rate_port_2"),
    Time("t_min[usec]", "time_min"),
    Time("t_max[usec]", "time_max"),
    Time("t_typical[usec]", "time_typical"),
    Time("t_avg[usec]", "time_avg"),
    Time("t_stdev[usec]", "time_stdev"),
    Time("99% percentile[usec]", "time_p99"),
    Time("99.9% percentile[usec]", "time_p999"),
    ColumnForm{.heading = "tps average", .name = "transaction_rate", .unit = "per_second"},
};

// What the box above the table says, two to a line: "Number of qps   : 1            Transport type : IB".
struct OptionForm {
  std::string_view key;
  std::string_view label;
  bool is_number;  // as far as its digits go: "4096[B]"
};
constexpr std::array kOptions = {
    OptionForm{"Device", "device", false},
    OptionForm{"Number of qps", "queue_pairs", true},
    OptionForm{"Connection type", "connection", false},
    OptionForm{"Link type", "link", false},
    OptionForm{"Mtu", "mtu_bytes", true},
};

// The word behind `key` and its colon; "" when `text` does not have them.
std::string_view ValueOf(std::string_view text, std::string_view key) {
  const size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  std::string_view rest = base::Trim(text.substr(at + key.size()));
  if (!rest.starts_with(':')) return {};
  rest = base::Trim(rest.substr(1));
  return rest.substr(0, rest.find_first_of(" \t"));
}

bool IsRule(std::string_view text) {
  if (text.size() != kRule && text.size() != kRulePerPort) return false;
  return text.find_first_not_of('-') == std::string_view::npos;
}

// Messages of a start, before its title, that follow a dashed line of their own.
bool IsStartMessage(std::string_view text) { return text.starts_with("Device not recognized"); }

bool IsTitle(std::string_view text) {
  if (!text.ends_with(" BW Test") && !text.ends_with(" Latency Test")) return false;
  return text.starts_with("RDMA_") || text.starts_with("Send ") || text.starts_with("Atomic ");
}

class PerftestReader : public DialectReader {
 public:
  explicit PerftestReader(EmitRun emit) : run_(std::move(emit), "perftest", "perftest") {}

  void Take(const ReadLine& line) override {
    const std::string_view text = base::Trim(line.text);
    if (text.empty()) return;
    if (is_ending_) SettleEnd(text);
    switch (text.front()) {
      case 'R':
      case 'S':
      case 'A':
        if (text.size() <= kLongestHeading && IsTitle(text)) TakeTitle(line, text);
        break;
      case '#':
        if (text.starts_with("#bytes")) TakeHeading(line, text);
        break;
      case '-':
        if (run_.is_open() && IsRule(text)) TakeRule(line);
        break;
      default:
        if (run_.is_open()) TakeBody(line, text);
    }
    // The box above the table; 'S', 'R' and 'A' begin none of its lines that are wanted.
    if (run_.is_open() && !columns_ && text.size() <= kLongestHeading) TakeOptions(text);
  }

  void Finish() override {
    if (!run_.is_open()) return;
    run_.End(WhyNotWhole());
    columns_.reset();
    last_row_.clear();
    tables_ = 0;
    ended_ = 0;
    is_ending_ = false;
  }

 private:
  bool HasRows() const { return !run_.record().samples.empty(); }

  // Both ends of a loopback test print their title before the first row.
  void TakeTitle(const ReadLine& line, std::string_view text) {
    if (run_.is_open() && !HasRows() && run_.record().test == TestOf(text)) return;
    Finish();
    run_.Begin(line, TestOf(text), "");
  }

  static std::string_view TestOf(std::string_view title) { return title.substr(0, title.size() - 5); }

  void TakeHeading(const ReadLine& line, std::string_view text) {
    if (text.size() > kLongestHeading) return;
    auto columns = SampleColumns::FromHeading(text, kColumns);
    // IMB's headings begin with the same word.
    if (!run_.is_open() &&
        (!columns || (!columns->Has("bandwidth_avg") && !columns->Has("time_avg") && !columns->Has("time_typical"))))
      return;
    if (!columns && text.find("#repetitions") != std::string_view::npos) return;
    const std::string test = run_.record().test;
    if (HasRows()) Finish();
    if (!run_.is_open()) run_.Begin(line, test, "");
    run_.Touch(line);
    ++tables_;
    columns_ = std::move(columns);
    if (!columns_) run_.NoteHeading(line);
  }

  void TakeRule(const ReadLine& line) {
    run_.Touch(line);
    if (!columns_ || !HasRows()) return;
    ++ended_;
    is_ending_ = ended_ >= tables_;
  }

  // The same line opens the box of the next start: then the run before it was cut off.
  void SettleEnd(std::string_view next) {
    if (IsTitle(next) || IsStartMessage(next)) --ended_;
    Finish();
  }

  void TakeBody(const ReadLine& line, std::string_view text) {
    const bool is_row = text.front() >= '0' && text.front() <= '9';
    if (columns_ && is_row) {
      TakeRow(line, text);
    } else if (columns_ && text.starts_with("Conflicting CPU frequency")) {
      run_.Note(line.number, "the clock of the CPU varied: the figures are less exact than their digits", false);
    }
  }

  void TakeRow(const ReadLine& line, std::string_view text) {
    run_.Touch(line);
    // The end that only waits prints the last row once more.
    if (ended_ > 0 && text == last_row_) return;
    auto sample = columns_->ReadRow(line.number, text);
    if (!sample) {
      run_.Note(line.number, "this is no whole row of the table", true);
      return;
    }
    std::erase_if(sample->quantities,
                  [](const Quantity& quantity) { return quantity.name == "bandwidth_peak" && quantity.value == 0; });
    last_row_ = text;
    if (!run_.Add(*std::move(sample))) columns_.reset();
  }

  void TakeOptions(std::string_view text) {
    for (const OptionForm& option : kOptions) {
      const std::string_view value = ValueOf(text, option.key);
      if (value.empty()) continue;
      if (!option.is_number) {
        run_.SetLabel(option.label, value);
      } else if (const auto number = base::ParseUint64(value.substr(0, value.find('[')))) {
        run_.SetLabel(option.label, *number);
      }
    }
  }

  // "" when every table that was begun has ended.
  std::string WhyNotWhole() const {
    if (tables_ == 0) return "there is no table";
    if (!HasRows()) return "there is no row";
    if (ended_ == 0) return "the dashed line that ends the table is missing";
    if (ended_ < tables_) return fmt::format("{} copies wrote into this log, and {} of them ended", tables_, ended_);
    return "";
  }

  SampleRun run_;
  std::optional<SampleColumns> columns_;  // once the table's heading was read
  std::string last_row_;
  uint64_t tables_ = 0;  // headings before the first row
  uint64_t ended_ = 0;
  bool is_ending_ = false;  // the last end line was seen, what follows it not yet
};

}  // namespace

std::unique_ptr<DialectReader> MakePerftestReader(EmitRun emit) {
  return std::make_unique<PerftestReader>(std::move(emit));
}

}  // namespace ashlar::bench
