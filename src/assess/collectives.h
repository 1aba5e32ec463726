// Collective benchmark results judged against a baseline: the configuration's, or what earlier runs reached.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "assess/judgement.h"

namespace ashlar::assess {

// The greatest out-of-place bus bandwidth of one bench.coll entry, with the size it was reached at.
struct PeakBandwidth {
  double busbw_bytes_per_second = 0;
  double size_bytes = 0;
};

// nullopt when the entry has no row with a bandwidth.
std::optional<PeakBandwidth> PeakOf(const ledger::Entry& coll);

// The five collectives of the consideration (all-reduce, all-gather, reduce, broadcast, reduce-scatter) by `backend`:
// fail when a result was wrong or a peak is below its baseline; unknown when one was not measured, is malformed, or
// has nothing to be compared with. The baseline of a collective is `bench.coll.minimum_busbw_bytes_per_second.NAME` of
// the configuration, else the least peak of earlier runs with equal machine fingerprint, ranks and sweep, less the
// tolerance of data/assess/tolerances.yaml.
Judgement JudgeCollectives(const Evidence& evidence, std::string_view backend);

}  // namespace ashlar::assess
