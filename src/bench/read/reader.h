// Other tools' results as records: files, folders and packed files, whichever tool wrote them.
//
// Every file is read by every dialect; lines that nobody knows are passed over. Reading never fails as a whole: what
// cannot be read is a problem with its path. For one thread at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "bench/read/record.h"
#include "os/os.h"

namespace ashlar::bench {

struct ReadProblem {
  std::string path;
  std::string reason;
};

struct ReadReport {
  std::vector<RunRecord> runs;  // in the order of paths and lines
  std::vector<ReadProblem> problems;
  uint64_t files = 0;
  uint64_t bytes = 0;  // unpacked
};

// The runs in one text, judged. `path` is for their source only.
std::vector<RunRecord> ReadText(std::string_view text, const std::string& path);

// `paths` are files, folders (every file below them) or "-" for `standard_input`. A file without a run is a problem.
ReadReport ReadResults(os::FileSystem& files, const std::vector<std::string>& paths, std::string standard_input);

// "ashlar.bench.read.report/1": the runs, the problems, and all findings together.
base::Json ReadReportToJson(const ReadReport& report);

// The worst of all findings; unknown when there is a problem or nothing was read.
base::Verdict ReadVerdict(const ReadReport& report);

}  // namespace ashlar::bench
