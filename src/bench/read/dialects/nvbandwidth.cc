#include "bench/read/dialects/nvbandwidth.h"

#include <cmath>

#include "bench/read/limits.h"

namespace ashlar::bench {
namespace {

using Words = std::vector<std::string_view>;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// What the cells of a matrix are, from its title.
struct CellUnit {
  const char* name;
  const char* unit;
  double factor;
};
constexpr CellUnit kBandwidth{"bandwidth", "bytes_per_second", 1e9};
constexpr CellUnit kLatency{"latency", "seconds", 1e-9};

class NvbandwidthReader : public DialectReader {
 public:
  explicit NvbandwidthReader(EmitRun emit) : emit_(std::move(emit)) {}

  void Take(const ReadLine& line) override {
    const std::string_view text = line.text;
    if (text.starts_with("nvbandwidth Version:")) {
      Finish();
      Begin(line);
      run_.version = base::Trim(text.substr(20));
    } else if (text.starts_with("Running ") && text.ends_with(".") && text.find(' ', 8) == std::string_view::npos) {
      Begin(line);
      EndMatrix();
      matrix_ = text.substr(8, text.size() - 9);
      line_ = line.number;
    } else if (is_open_ && !matrix_.empty()) {
      TakeMatrix(line);
    } else if (is_open_ && text.starts_with("NOTE: ")) {
      has_end_ = true;
      run_.source.last_line = line.number;
    }
  }

  void Finish() override {
    if (!is_open_) return;
    EndMatrix();
    run_.is_complete = has_end_ && sums_ > 0 && sums_ == matrices_;
    if (!has_end_) Note(run_.source.last_line, "the closing NOTE is missing: tests after this line may be, too", false);
    is_open_ = has_end_ = false;
    matrices_ = sums_ = 0;
    emit_(std::move(run_));
    run_ = {};
  }

 private:
  void Begin(const ReadLine& line) {
    run_.source.last_line = line.number;
    if (is_open_) return;
    is_open_ = true;
    run_.dialect = "nvbandwidth";
    run_.tool = "nvbandwidth";
    run_.test = "copies";
    run_.source.first_line = line.number;
  }

  void TakeMatrix(const ReadLine& line) {
    const std::string_view text = base::Trim(line.text);
    if (text.empty()) return;
    run_.source.last_line = line.number;
    if (text.starts_with("SUM ")) {
      TakeSum(line.number, base::SplitWords(text));
    } else if (text.find("(row)") != std::string_view::npos) {
      unit_ = text.ends_with("(ns)") ? &kLatency : text.ends_with("(GB/s)") ? &kBandwidth : nullptr;
      ++matrices_;
      if (unit_ == nullptr) Note(line.number, "the unit of the matrix is neither GB/s nor ns", true);
    } else if (IsDigit(text.front()) && unit_ != nullptr) {
      TakeRow(line.number, base::SplitWords(text));
    } else if (text.starts_with("ERROR")) {
      Note(line.number, std::string(text), true);
    }
  }

  // The first is the line of column indices; each other has its index in front.
  void TakeRow(uint64_t line, const Words& words) {
    if (columns_ == 0) {
      columns_ = words.size();
      return;
    }
    if (words.size() < 2 || words.size() > kMostMatrixColumns || run_.samples.size() >= kMostRows) {
      Note(line, "this is no whole row of the matrix", true);
      return;
    }
    // The older versions print one column less in the index line than the rows have where memories differ.
    for (size_t column = 1; column < words.size(); ++column) {
      if (words[column] == "N/A") continue;
      const auto cell = ParsePrinted(words[column]);
      if (!cell) {
        Note(line, fmt::format("{} is no figure", base::Utf8Text(words[column].substr(0, 40))), true);
        continue;
      }
      total_.low += cell->Range().low;
      total_.high += cell->Range().high;
      run_.samples.push_back(
          {.line = line,
           .labels = {{"test", matrix_}, {"row", base::ParseInt64(words[0]).value_or(-1)}, {"column", column - 1}},
           .quantities = {{.name = unit_->name, .value = cell->value * unit_->factor, .unit = unit_->unit}}});
    }
  }

  void TakeSum(uint64_t line, const Words& words) {
    const auto sum = words.size() == 3 ? ParsePrinted(words[2]) : std::nullopt;
    if (!sum || words[1] != matrix_) {
      Note(line, "the sum of the matrix cannot be read", true);
    } else if (!sum->Range().Meets(total_)) {
      Note(line,
           fmt::format("the sum says {}, the cells add up to {:.2f}: cells are missing", sum->value,
                       (total_.low + total_.high) / 2),
           true);
    } else {
      ++sums_;
    }
    matrix_.clear();
    EndMatrix();
  }

  void EndMatrix() {
    if (!matrix_.empty() && unit_ != nullptr) Note(line_, fmt::format("{} has no sum: it is cut", matrix_), true);
    matrix_.clear();
    unit_ = nullptr;
    columns_ = 0;
    total_ = {};
  }

  void Note(uint64_t line, std::string_view text, bool is_damage) {
    if (run_.notes.size() < kMostNotes) {
      run_.notes.push_back({.line = line, .text = base::Utf8Text(text), .is_damage = is_damage});
    }
  }

  EmitRun emit_;
  RunRecord run_;
  bool is_open_ = false;
  bool has_end_ = false;  // the closing note was seen
  std::string matrix_;    // the test whose matrix is being read
  uint64_t line_ = 0;     // where it began
  const CellUnit* unit_ = nullptr;
  size_t columns_ = 0;
  Interval total_;
  uint64_t matrices_ = 0;
  uint64_t sums_ = 0;
};

}  // namespace

std::unique_ptr<DialectReader> MakeNvbandwidthReader(EmitRun emit) {
  return std::make_unique<NvbandwidthReader>(std::move(emit));
}

}  // namespace ashlar::bench
