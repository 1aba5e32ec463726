// The JSON of a collective run, schema ashlar.bench.coll/1 (docs/architecture.md).
//
// No state; any thread.
#pragma once

#include <absl/time/time.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/base.h"
#include "bench/coll/arguments.h"
#include "bench/coll/layout.h"
#include "bench/coll/measurement.h"

namespace ashlar::bench {

inline constexpr std::string_view kCollectiveSchema = "ashlar.bench.coll/1";

// Where a rank runs.
struct RankPlace {
  int rank = 0;
  int64_t pid = 0;
  std::string host;
};

struct DocumentFacts {
  std::string run;
  Collective collective = Collective::kAllReduce;
  std::string backend;
  std::string library;
  std::vector<RankPlace> places;
  absl::Time started;
  std::vector<std::string> notes;
};

// The document without rows and results: "rows" is empty, "findings" too.
base::JsonObject BeginDocument(const DocumentFacts& facts, const CollectiveOptions& options,
                               const ArgumentValues& arguments, base::Json environment);

struct PlacementResult {
  Measurement measurement;
  std::optional<uint64_t> wrong;  // none: not checked
};

base::Json PlacementToJson(const MessagePlan& plan, const PlacementResult& result);

// One row; `in_place` may be null.
base::Json RowToJson(const MessagePlan& plan, const Combination& combination, base::Json out_of_place,
                     base::Json in_place);

// Adds the sums, the wall time and the findings: are the results right, is every size there, how well is each known.
// `missing` says why sizes are missing; "" when all are there.
void FinishDocument(base::JsonObject& document, absl::Duration wall, const std::string& missing);

// 0 when rows are there and none is wrong, 1 when a result is wrong or sizes are missing for a fault, 3 when there is
// no row at all.
base::ExitStatus ExitStatusOfDocument(const base::Json& document);

// The variables of this process that shape a collective run. Only names on the allowlist, none that could hold a
// secret, values cut at kMaxEnvironmentValueBytes.
base::Json ReportedEnvironment(std::span<const std::string> entries);

}  // namespace ashlar::bench
