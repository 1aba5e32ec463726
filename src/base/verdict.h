// Verdicts: what Ashlar says about anything that it looks at, and what the saying rests on.
//
// Missing, malformed or impossible data is kUnknown with its reason, never kPass.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/status.h"

namespace ashlar::base {

enum class Verdict {
  kPass,           // measured, and as it should be
  kFail,           // measured, and not as it should be
  kUnknown,        // could not be run or read
  kNotApplicable,  // the question does not arise here
  kConflict,       // two considerations pull apart; a person must choose
};

// How strong the evidence is: said, seen, or proven by a drill.
enum class EvidenceGrade { kDeclared, kMeasured, kExercised };

// "pass", "fail", "unknown", "not_applicable", "conflict".
std::string_view VerdictName(Verdict verdict);
StatusOr<Verdict> ParseVerdict(std::string_view name);

// "declared", "measured", "exercised".
std::string_view EvidenceGradeName(EvidenceGrade grade);
StatusOr<EvidenceGrade> ParseEvidenceGrade(std::string_view name);

// One thing that was looked at. Every text is for people; `value` keeps its type for machines.
struct Finding {
  std::string id;  // kebab-case, stable: "memory-amount"
  Verdict verdict = Verdict::kUnknown;
  Json value;                      // what was read; null when nothing was
  std::string unit;                // "bytes", "GB/s", "" for a plain count or text
  std::string expectation;         // ">= 16 GiB"; "" when there is none
  std::string expectation_source;  // file and key, or "learned from entry 12"; "" when there is none
  std::string read_from;           // "/proc/meminfo", "NVML nvmlDeviceGetCount_v2"
  EvidenceGrade grade = EvidenceGrade::kMeasured;
  std::string reason;  // why it is not a pass, and what to do; may be "" on a pass
};

// The object with the fields above under their own names.
Json FindingToJson(const Finding& finding);

// kInvalidArgument when a field is missing or of the wrong type.
StatusOr<Finding> FindingFromJson(const Json& json);

// The worst first: fail, conflict, unknown, pass, not_applicable. No findings is kUnknown.
Verdict WorstVerdict(std::span<const Finding> findings);

// kPass and kNotApplicable end a command with 0, kFail and kConflict with 1, kUnknown with 3.
ExitStatus ExitStatusOf(Verdict verdict);

}  // namespace ashlar::base
