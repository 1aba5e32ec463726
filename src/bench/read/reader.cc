#include "bench/read/reader.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "bench/read/consistency.h"
#include "bench/read/curve.h"
#include "bench/read/dialect.h"
#include "bench/read/launcher_prefix.h"
#include "bench/read/limits.h"
#include "bench/read/sample_checks.h"
#include "bench/read/unpack.h"

namespace ashlar::bench {
namespace {

using base::StatusCode;
using base::StatusOr;
using base::Verdict;

// The readers of all dialects over the lines of each launcher's mark.
class StreamReaders {
 public:
  explicit StreamReaders(const std::string& path) : path_(path) {}

  void Take(std::string_view stream, const ReadLine& line) {
    for (const auto& reader : ReadersOf(stream)) reader->Take(line);
  }

  std::vector<RunRecord> Finish() && {
    for (auto& [stream, readers] : streams_) {
      for (const auto& reader : readers) reader->Finish();
    }
    std::stable_sort(runs_.begin(), runs_.end(),
                     [](const RunRecord& a, const RunRecord& b) { return a.source.first_line < b.source.first_line; });
    return std::move(runs_);
  }

 private:
  using Readers = std::vector<std::unique_ptr<DialectReader>>;

  const Readers& ReadersOf(std::string_view stream) {
    if (last_ != nullptr && stream == last_stream_) return *last_;
    auto found = streams_.find(std::string(stream));
    if (found == streams_.end()) {
      // A log with more marks than any cluster has ranks is no log; all further ones share the unmarked stream.
      if (streams_.size() >= kMostStreams) return ReadersOf("");
      found = streams_.emplace(stream, Readers()).first;
      for (const DialectRow& row : Dialects()) {
        if (row.make == nullptr) continue;
        found->second.push_back(row.make([this, name = found->first](RunRecord run) {
          run.source.path = path_;
          run.source.stream = name;
          runs_.push_back(std::move(run));
        }));
      }
    }
    last_stream_ = found->first;
    last_ = &found->second;
    return *last_;
  }

  std::string path_;
  std::unordered_map<std::string, Readers> streams_;
  std::string last_stream_;
  const Readers* last_ = nullptr;
  std::vector<RunRecord> runs_;
};

void ForEachLine(std::string_view text, const std::function<void(const ReadLine&)>& take) {
  uint64_t number = 0;
  while (!text.empty()) {
    const auto* end = static_cast<const char*>(std::memchr(text.data(), '\n', text.size()));
    const size_t length = end == nullptr ? text.size() : static_cast<size_t>(end - text.data());
    std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(text.size(), length + 1));
    ++number;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (!line.empty() && line.size() <= kLongestLine)
      take({.number = number, .text = line, .is_whole = end != nullptr});
  }
}

void Judge(RunRecord& run) {
  if (!run.collective) {
    run.findings = CheckSamples(run);
    return;
  }
  run.findings = CheckConsistency(run);
  const auto& limits = StandardCurveLimits();
  run.findings.push_back(
      limits.ok() ? CheckCurve(run, *limits)
                  : base::Finding{.id = "read-curve", .reason = std::string(base::Message(limits.status()))});
  run.findings.back().read_from = run.findings.front().read_from;
}

bool LooksLikeJson(std::string_view text) { return base::Trim(text.substr(0, kJsonProbeBytes)).starts_with('{'); }

std::vector<RunRecord> ReadDocument(const base::Json& document, const std::string& path) {
  std::vector<RunRecord> runs;
  for (const DialectRow& row : Dialects()) {
    if (row.take_document == nullptr) continue;
    row.take_document(document, [&](RunRecord run) {
      run.source = {.path = path, .first_line = 1, .last_line = 1};
      runs.push_back(std::move(run));
    });
  }
  return runs;
}

// Copies of a program without MPI each list rank 0 alone: one mark of the launcher each.
void NameCopies(std::vector<RunRecord>& runs) {
  const auto is_alone = [](const RunRecord& run) {
    return run.collective && run.collective->devices.size() == 1 && run.collective->devices.front().rank == 0 &&
           !run.source.stream.empty();
  };
  const auto copies = std::count_if(runs.begin(), runs.end(), is_alone);
  if (copies < 2) return;
  for (RunRecord& run : runs) {
    if (!is_alone(run)) continue;
    for (base::Finding& finding : run.findings) {
      if (finding.id != "read-ranks") continue;
      finding.verdict = Verdict::kUnknown;
      finding.reason = fmt::format(
          "{} copies of the program each list rank 0 alone: built without MPI (make MPI=1), or "
          "started by another MPI's mpirun",
          copies);
    }
  }
}

class ResultsReader {
 public:
  ResultsReader(os::FileSystem& files, std::string standard_input)
      : files_(files), standard_input_(std::move(standard_input)) {}

  void TakePath(const std::string& path) {
    if (path == "-") {
      TakeBytes(path, std::move(standard_input_));
      return;
    }
    const auto stat = files_.Stat(path);
    if (!stat.ok()) {
      AddProblem(path, stat.status());
    } else if (stat->is_directory) {
      TakeFolder(path);
    } else if (!stat->is_regular) {
      report_.problems.push_back({.path = path, .reason = "neither a file nor a folder"});
    } else {
      TakeFile(path);
    }
  }

  ReadReport Finish() && { return std::move(report_); }

 private:
  void AddProblem(const std::string& path, const base::Status& status) {
    report_.problems.push_back({.path = path, .reason = std::string(base::Message(status))});
  }

  void TakeFolder(const std::string& path) {
    const auto names = files_.List(path);
    if (!names.ok()) {
      AddProblem(path, names.status());
      return;
    }
    for (const std::string& name : *names) {
      if (report_.files >= kMostFiles) {
        report_.problems.push_back({.path = path, .reason = fmt::format("more than {} files", kMostFiles)});
        return;
      }
      TakePath(path.ends_with('/') ? path + name : path + "/" + name);
    }
  }

  void TakeFile(const std::string& path) {
    auto bytes = os::ReadWholeFile(files_, path, {kMostFileBytes});
    if (!bytes.ok()) {
      AddProblem(path, bytes.status());
      return;
    }
    TakeBytes(path, *std::move(bytes));
  }

  void TakeBytes(const std::string& path, std::string bytes) {
    ++report_.files;
    const auto unpacked = Unpack(std::move(bytes), kMostFileBytes);
    if (!unpacked.ok()) {
      AddProblem(path, unpacked.status());
      return;
    }
    report_.bytes += unpacked->text.size();
    std::vector<RunRecord> runs = ReadText(unpacked->text, path);
    if (!unpacked->damage.empty()) report_.problems.push_back({.path = path, .reason = unpacked->damage});
    if (runs.empty()) {
      std::string reason = "no result of a tool that is known";
      if (LooksLikeJson(unpacked->text)) {
        const auto document = base::ParseJson(unpacked->text);
        if (!document.ok()) reason = fmt::format("no whole JSON document: {}", base::Message(document.status()));
      }
      report_.problems.push_back({.path = path, .reason = std::move(reason)});
    }
    std::move(runs.begin(), runs.end(), std::back_inserter(report_.runs));
  }

  os::FileSystem& files_;
  std::string standard_input_;
  ReadReport report_;
};

}  // namespace

std::vector<RunRecord> ReadText(std::string_view text, const std::string& path) {
  std::vector<RunRecord> runs;
  if (LooksLikeJson(text)) {
    if (const auto document = base::ParseJson(text); document.ok()) runs = ReadDocument(*document, path);
  }
  if (runs.empty()) {
    StreamReaders readers(path);
    ForEachLine(text, [&readers](const ReadLine& line) {
      const MarkedLine marked = TakePrefix(line.text);
      readers.Take(marked.stream, {.number = line.number, .text = marked.text, .is_whole = line.is_whole});
    });
    runs = std::move(readers).Finish();
  }
  for (RunRecord& run : runs) Judge(run);
  NameCopies(runs);
  return runs;
}

ReadReport ReadResults(os::FileSystem& files, const std::vector<std::string>& paths, std::string standard_input) {
  ResultsReader reader(files, std::move(standard_input));
  for (const std::string& path : paths) reader.TakePath(path);
  return std::move(reader).Finish();
}

base::Json ReadReportToJson(const ReadReport& report) {
  base::JsonArray runs;
  for (const RunRecord& run : report.runs) runs.push_back(RunRecordToJson(run));
  base::JsonArray problems;
  for (const ReadProblem& problem : report.problems) {
    problems.push_back(base::StorableJson(base::JsonObject{{"path", problem.path}, {"reason", problem.reason}}));
  }
  return base::JsonObject{{"schema", "ashlar.bench.read.report/1"},
                          {"files", report.files},
                          {"bytes", report.bytes},
                          {"verdict", std::string(base::VerdictName(ReadVerdict(report)))},
                          {"runs", std::move(runs)},
                          {"problems", std::move(problems)}};
}

Verdict ReadVerdict(const ReadReport& report) {
  std::vector<base::Finding> all;
  for (const RunRecord& run : report.runs) all.insert(all.end(), run.findings.begin(), run.findings.end());
  if (!report.problems.empty()) all.push_back({.id = "read-files"});
  return base::WorstVerdict(all);
}

}  // namespace ashlar::bench
