#include "bench/read/dialects/nvbandwidth_json.h"

#include "bench/read/limits.h"

namespace ashlar::bench {
namespace {

using base::Json;

constexpr uint64_t kLine = 1;  // a document has no lines that mean anything

std::string Text(const Json& object, std::string_view key) {
  return base::Utf8Text(base::GetString(object, key).value_or("").substr(0, 200));
}

class Document {
 public:
  RunRecord Read(const Json& root) {
    run_.dialect = "nvbandwidth-json";
    run_.tool = "nvbandwidth";
    run_.test = "copies";
    run_.version = Text(root, "version");
    run_.source.first_line = run_.source.last_line = kLine;
    const std::string error = Text(root, "error");
    if (!error.empty()) Note("error: " + error, true);
    const std::string warning = Text(root, "warning");
    if (!warning.empty()) Note("warning: " + warning, false);
    const Json* tests = base::Find(root, "testcases");
    if (tests != nullptr && tests->is_array()) {
      for (const Json& test : tests->get_array()) ReadTest(test);
    }
    run_.is_complete = is_whole_ && passed_ > 0;
    if (passed_ == 0) Note("no test passed", true);
    return std::move(run_);
  }

 private:
  void ReadTest(const Json& test) {
    const std::string name = Text(test, "name");
    const std::string status = Text(test, "status");
    if (status == "Waived") {
      Note(name + " was waived: it does not apply to this machine", false);
      return;
    }
    const Json* matrix = base::Find(test, "bandwidth_matrix");
    if (name.empty() || status != "Passed" || matrix == nullptr || !matrix->is_array()) {
      const std::string error = Text(test, "error");
      Note(fmt::format("{}: status \"{}\"{}{}", name.empty() ? "a test without a name" : name, status,
                       error.empty() ? "" : ": ", error),
           true);
      return;
    }
    const std::string description = Text(test, "bandwidth_description");
    is_latency_ = description.find("(ns)") != std::string::npos;
    if (!is_latency_ && description.find("GB/s") == std::string::npos) {
      Note(fmt::format("{}: the unit of \"{}\" is neither GB/s nor ns", name, description), true);
      return;
    }
    total_ = {};
    int64_t index = 0;
    for (const Json& row : matrix->get_array()) ReadRow(name, index++, row);
    CheckSum(name, test);
    ++passed_;
  }

  void ReadRow(const std::string& name, int64_t row, const Json& cells) {
    if (!cells.is_array() || cells.get_array().size() > kMostMatrixColumns) {
      Note(fmt::format("{}: row {} is no row of cells", name, row), true);
      return;
    }
    int64_t column = 0;
    for (const Json& cell : cells.get_array()) ReadCell(name, row, column++, cell);
  }

  void ReadCell(const std::string& name, int64_t row, int64_t column, const Json& cell) {
    const std::string_view text = cell.is_string() ? std::string_view(cell.get_string()) : std::string_view();
    if (text == "N/A") return;
    const auto printed = ParsePrinted(text);
    if (!printed || run_.samples.size() >= kMostRows) {
      Note(fmt::format("{}: cell {}, {} is no figure, or one too many", name, row, column), true);
      return;
    }
    total_.low += printed->Range().low;
    total_.high += printed->Range().high;
    run_.samples.push_back({.line = kLine,
                            .labels = {{"test", name}, {"row", row}, {"column", column}},
                            .quantities = {{.name = is_latency_ ? "latency" : "bandwidth",
                                            .value = printed->value * (is_latency_ ? 1e-9 : 1e9),
                                            .unit = is_latency_ ? "seconds" : "bytes_per_second"}}});
  }

  void CheckSum(const std::string& name, const Json& test) {
    const auto sum = base::GetNumber(test, "sum");
    if (!sum.ok()) {
      Note(name + " has no sum: it is cut", true);
    } else if (!(*sum >= total_.low && *sum <= total_.high)) {
      Note(fmt::format("{}: the sum says {}, the cells add up to {:.2f}: cells are missing", name, *sum,
                       (total_.low + total_.high) / 2),
           true);
    }
  }

  void Note(std::string text, bool is_damage) {
    is_whole_ &= !is_damage;
    if (run_.notes.size() < kMostNotes) {
      run_.notes.push_back({.line = kLine, .text = std::move(text), .is_damage = is_damage});
    }
  }

  RunRecord run_;
  bool is_latency_ = false;
  bool is_whole_ = true;
  int passed_ = 0;
  Interval total_;
};

}  // namespace

void TakeNvbandwidthJson(const Json& document, const EmitRun& emit) {
  const Json* root = base::Find(document, "nvbandwidth");
  if (root == nullptr || !root->is_object()) return;
  if (base::Find(*root, "testcases") == nullptr && base::Find(*root, "error") == nullptr) return;
  emit(Document().Read(*root));
}

}  // namespace ashlar::bench
