// What the scorecard says about one consideration, and what the saying rests on.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "assess/evidence.h"
#include "base/base.h"

namespace ashlar::assess {

struct Judgement {
  base::Verdict verdict = base::Verdict::kUnknown;
  base::EvidenceGrade grade = base::EvidenceGrade::kMeasured;
  base::Json value;                // what was measured; null when nothing was
  std::string unit;                // of `value`
  std::string expectation;         // "" when none could be named
  std::string expectation_source;  // file and key, or the ledger entries it was learned from
  std::string reason;              // why; for people, one or two sentences
  std::string command;             // what to type to answer or to repeat it; "" when nothing can
  bool command_exists = true;      // false when `command` is of a later version
  std::vector<EvidencePointer> pointers;
};

// Unknown, with why and the command that would answer.
Judgement Unknown(std::string reason, std::string command);

// Unknown, since no command of this version answers it; `command` is the one that will.
Judgement NotInThisVersion(std::string reason, std::string command);

// Not applicable, resting on the entry that says so.
Judgement NotApplicable(std::string reason, const ledger::Entry& entry, std::string_view path);

// The worst of the findings of one entry: fail names those that fail, unknown those that are unknown, pass says how
// many passed. No findings at all is unknown.
Judgement FromFindings(std::span<const base::Finding> findings, const ledger::Entry& entry, std::string command);

// "a, b, c and 4 more": at most kMaxNamesInReason names.
std::string ListNames(std::span<const std::string> names);

base::Json JudgementToJson(const Judgement& judgement);

// kInvalidArgument when a field is missing or of another type.
base::StatusOr<Judgement> JudgementFromJson(const base::Json& json);

}  // namespace ashlar::assess
