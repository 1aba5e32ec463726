#include "bench/read/dialects/nccl_text.h"

#include <algorithm>

#include "bench/read/launcher_prefix.h"
#include "bench/read/limits.h"

namespace ashlar::bench {
namespace {

using Words = std::vector<std::string_view>;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The columns of a table, as its header names them.
struct Columns {
  size_t left = 0;           // size, count, type, redop, root
  bool has_redop = false;    // among them
  bool has_root = false;     // likewise
  size_t per_placement = 0;  // time, algbw, busbw, and what follows
  size_t placements = 0;
  size_t right = 0;        // after the last placement
  bool has_error = false;  // the fourth column is the largest difference and not the number of wrong elements
};

// nullopt when `words` are no header of a table.
std::optional<Columns> ReadColumns(const Words& words) {
  Columns columns;
  const auto is_time = [](std::string_view word) { return word == "time" || word == "cputime"; };
  const auto first = std::find_if(words.begin(), words.end(), is_time);
  if (first == words.end() || std::find(words.begin(), words.end(), "algbw") == words.end()) return std::nullopt;
  columns.left = static_cast<size_t>(first - words.begin());
  columns.placements = static_cast<size_t>(std::count_if(words.begin(), words.end(), is_time));
  for (auto word = words.begin(); word != first; ++word) {
    columns.has_redop |= *word == "redop" || *word == "op";
    columns.has_root |= *word == "root";
  }
  const auto second = std::find_if(first + 1, words.end(), is_time);
  auto end = std::find(first, words.end(), "timestamp");
  columns.per_placement = static_cast<size_t>((second == words.end() ? end : second) - first);
  columns.has_error = std::find(first, words.end(), "#wrong") == words.end();
  const size_t known = columns.left + columns.per_placement * columns.placements;
  if (columns.left < 3 || columns.per_placement < 3 || known > words.size()) return std::nullopt;
  // A timestamp is two words: date and time of day.
  if (end != words.end()) columns.right = 2;
  return columns;
}

// The number after `name` in a line of "name value" pairs.
std::optional<uint64_t> NumberAfter(const Words& words, std::string_view name) {
  const auto found = std::find(words.begin(), words.end(), name);
  if (found == words.end() || found + 1 == words.end()) return std::nullopt;
  return base::ParseUint64(*(found + 1));
}

// "iters:" twice: once after "warmup" and once after "agg"; the plain one is neither.
std::optional<uint64_t> PlainIterations(const Words& words) {
  for (size_t i = 1; i + 1 < words.size(); ++i) {
    if (words[i] == "iters:" && words[i - 1] != "warmup" && words[i - 1] != "agg")
      return base::ParseUint64(words[i + 1]);
  }
  return std::nullopt;
}

void ReadStep(const Words& words, RunRequest& request) {
  const auto step = std::find(words.begin(), words.end(), "step:");
  if (step == words.end() || step + 1 == words.end()) return;
  const std::string_view text = *(step + 1);
  const size_t open = text.find('(');
  request.step = base::ParseUint64(text.substr(0, open));
  request.step_is_factor = open != std::string_view::npos && text.substr(open).starts_with("(factor");
}

// "Rank 0 Group 0 Pid 7 on host device 0 [0000:0c:00] NVIDIA A100". nullopt when it is another line.
std::optional<RunDevice> ReadDevice(const ReadLine& line, const Words& words) {
  if (words.size() < 4 || words[0] != "Rank") return std::nullopt;
  const auto rank = base::ParseInt64(words[1]);
  if (!rank) return std::nullopt;
  RunDevice device{.line = line.number, .rank = *rank};
  size_t at = 2;
  for (; at + 1 < words.size(); at += 2) {
    const std::string_view name = words[at];
    const std::string_view value = words[at + 1];
    if (name == "Group") {
      device.group = base::ParseInt64(value);
    } else if (name == "Pid") {
      device.pid = base::ParseInt64(value);
    } else if (name == "on") {
      device.host = value;
    } else if (name == "device") {
      device.device = base::ParseInt64(value);
    } else {
      break;
    }
  }
  if (at < words.size() && words[at].starts_with('[')) {
    device.bus_id = words[at].substr(1, words[at].size() - (words[at].ends_with(']') ? 2 : 1));
    ++at;
  }
  for (; at < words.size(); ++at) {
    if (!device.name.empty()) device.name += ' ';
    device.name += words[at];
  }
  return device;
}

std::optional<PrintedPlacement> ReadPlacement(std::span<const std::string_view> cells, bool has_error) {
  PrintedPlacement placement{
      .time = ParsePrinted(cells[0]), .algbw = ParsePrinted(cells[1]), .busbw = ParsePrinted(cells[2])};
  if (!placement.time || !placement.algbw || !placement.busbw) return std::nullopt;
  if (cells.size() < 4 || cells[3] == "N/A") return placement;
  const auto checked = ParsePrinted(cells[3]);
  if (!checked) return std::nullopt;
  if (has_error) {
    placement.error = checked;
  } else if (checked->value < static_cast<double>(kMostWrongElements)) {
    placement.wrong = static_cast<uint64_t>(checked->value);
  } else {
    return std::nullopt;
  }
  return placement;
}

// nullopt when the words are no row of this table.
std::optional<CollectiveRow> ReadRow(uint64_t line, const Words& words, const Columns& columns) {
  const size_t right = columns.placements * columns.per_placement + columns.right;
  if (words.size() < right + 3 || words.size() > right + columns.left) return std::nullopt;
  const size_t left = words.size() - right;
  const auto size = base::ParseUint64(words[0]);
  const auto count = base::ParseUint64(words[1]);
  if (!size || !count || IsDigit(words[2].front())) return std::nullopt;
  CollectiveRow row{.line = line, .size_bytes = *size, .count = *count, .type = std::string(words[2])};
  size_t at = 3;
  // One word too few is the reduction that hypercube leaves empty.
  if (columns.has_redop && left == columns.left) row.redop = words[at++];
  if (columns.has_root && at < left) row.root = words[at++];
  if (at != left) return std::nullopt;
  for (size_t i = 0; i < columns.placements; ++i) {
    const auto placement = ReadPlacement(
        std::span(words).subspan(left + i * columns.per_placement, columns.per_placement), columns.has_error);
    if (!placement) return std::nullopt;
    row.placements.push_back(*placement);
  }
  return row;
}

class NcclTextReader : public DialectReader {
 public:
  explicit NcclTextReader(EmitRun emit) : emit_(std::move(emit)) {}

  void Take(const ReadLine& line) override {
    if (const auto log = FindNcclLog(line.text)) {
      // What stands before it is the first piece of a row that goes on in the next line.
      if (columns_ && !base::Trim(line.text.substr(0, *log)).empty()) piece_ += line.text.substr(0, *log);
      return;
    }
    if (!piece_.empty()) {
      const std::string joined = piece_ + std::string(line.text);
      piece_.clear();
      TakeWhole({.number = line.number, .text = joined}, true);
      return;
    }
    TakeWhole(line, false);
  }

  void Finish() override {
    if (!is_open_) return;
    if (!piece_.empty()) Note(run_.source.last_line, "the last row is cut", true);
    piece_.clear();
    columns_.reset();
    is_open_ = false;
    emit_(std::move(run_));
    run_ = {};
  }

 private:
  void TakeWhole(const ReadLine& line, bool was_joined) {
    const std::string_view text = base::Trim(line.text);
    if (text.empty()) return;
    if (text.front() == '#') {
      TakeComment(line, base::Trim(text.substr(1)));
    } else if (columns_ && IsDigit(text.front())) {
      TakeRow(line, text, was_joined);
    } else if (was_joined && columns_) {
      Note(line.number, "a line of the table is cut by a message", true);
    } else if (text.starts_with("rccl-tests: Version")) {
      Begin(line, "rccl-tests");
      run_.version = base::Trim(text.substr(sizeof("rccl-tests: Version") - 1));
    }
  }

  // A run begins with whichever of its header lines comes first; several copies may print theirs before the rows.
  void Begin(const ReadLine& line, std::string_view tool) {
    if (is_open_ && (!run_.collective->rows.empty() || run_.collective->footer_line != 0)) Finish();
    if (!is_open_) {
      is_open_ = true;
      run_.collective.emplace();
      run_.dialect = "nccl-text";
      run_.source.first_line = line.number;
    }
    if (run_.tool.empty() || run_.tool == "nccl-tests") run_.tool = tool;
    run_.source.last_line = line.number;
  }

  void TakeComment(const ReadLine& line, std::string_view text) {
    if (text.empty()) return;
    const char first = text.front();
    // Most comments of a mixed log are nobody's header.
    if (first == 'n' && text.starts_with("nccl-tests version ")) {
      Begin(line, "nccl-tests");
      const std::string_view version = base::Trim(text.substr(19));
      run_.version = version.substr(0, version.find(' '));
    } else if (first == 'C' && text.starts_with("Collective test starting: ")) {
      Begin(line, "nccl-tests");
      run_.test = base::Trim(text.substr(26));
    } else if (first == 'n' && text.starts_with("nThread ")) {
      TakeRequest(line, base::SplitWords(text));
    } else if (text.find("algbw") != std::string_view::npos) {
      TakeColumns(line, base::SplitWords(text));
    } else if (is_open_) {
      TakeBody(line, text);
    }
  }

  void TakeRequest(const ReadLine& line, const Words& words) {
    Begin(line, "nccl-tests");
    ++run_.collective->headers;
    RunRequest& request = run_.collective->request;
    request.threads = NumberAfter(words, "nThread");
    request.gpus = NumberAfter(words, "nGpus");
    request.min_bytes = NumberAfter(words, "minBytes");
    request.max_bytes = NumberAfter(words, "maxBytes");
    request.iterations = PlainIterations(words);
    request.validation = NumberAfter(words, "validation:");
    ReadStep(words, request);
  }

  void TakeColumns(const ReadLine& line, const Words& words) {
    const auto columns = ReadColumns(words);
    if (!columns) return;
    Begin(line, "nccl-tests");
    columns_ = columns;
  }

  void TakeBody(const ReadLine& line, std::string_view text) {
    CollectiveTable& collective = *run_.collective;
    run_.source.last_line = line.number;
    if (text.starts_with("Out of bounds values : ")) {
      const Words words = base::SplitWords(text.substr(23));
      collective.out_of_bounds = words.empty() ? std::nullopt : base::ParseUint64(words[0]);
      if (!collective.out_of_bounds) Note(line.number, "the number of values out of bounds cannot be read", true);
      collective.footer_line = line.number;
      columns_.reset();
    } else if (text.starts_with("Avg bus bandwidth")) {
      const Words words = base::SplitWords(text.substr(std::min(text.size(), text.find(':') + 1)));
      collective.average_busbw = words.empty() ? std::nullopt : ParsePrinted(words[0]);
      if (!collective.average_busbw) Note(line.number, "the average bus bandwidth cannot be read", true);
      collective.footer_line = line.number;
      run_.is_complete = collective.average_busbw && collective.out_of_bounds;
    } else if (text.starts_with("Collective test concluded")) {
      collective.footer_line = line.number;
    } else if (text.starts_with("Reducing maxBytes to ")) {
      const std::string_view number = text.substr(21);
      collective.request.max_bytes = base::ParseUint64(number.substr(0, number.find(' ')));
      Note(line.number, std::string(text), false);
    } else if (text.starts_with("error: ")) {
      Note(line.number, std::string(text), true);
    } else if (text.starts_with("(B)")) {
      if (text.find("(ms)") != std::string_view::npos) collective.time_unit = "ms";
    } else if (auto device = ReadDevice(line, base::SplitWords(text))) {
      if (collective.devices.size() < kMostDevices) collective.devices.push_back(*std::move(device));
    }
  }

  void TakeRow(const ReadLine& line, std::string_view text, bool was_joined) {
    run_.source.last_line = line.number;
    auto row = ReadRow(line.number, base::SplitWords(text), *columns_);
    if (!row) {
      Note(line.number, "this is no whole row of the table", true);
    } else if (run_.collective->rows.size() >= kMostRows) {
      Note(line.number, fmt::format("more than {} rows: the rest is left out", kMostRows), true);
      columns_.reset();
    } else {
      if (was_joined) Note(line.number, "this row was joined: a message had cut it", false);
      run_.collective->rows.push_back(*std::move(row));
    }
  }

  void Note(uint64_t line, std::string text, bool is_damage) {
    if (run_.notes.size() >= kMostNotes && !is_damage) return;
    if (run_.notes.size() >= 2 * kMostNotes) return;
    run_.notes.push_back({.line = line, .text = std::move(text), .is_damage = is_damage});
  }

  EmitRun emit_;
  RunRecord run_;
  bool is_open_ = false;
  std::optional<Columns> columns_;  // between a table's header and its footer
  std::string piece_;               // of a row, before a message
};

}  // namespace

std::unique_ptr<DialectReader> MakeNcclTextReader(EmitRun emit) {
  return std::make_unique<NcclTextReader>(std::move(emit));
}

}  // namespace ashlar::bench
