// A configuration of NHC, read for one host: what each of its lines becomes here. Nothing is looked at or run yet.
//
// A line that cannot be honoured is kUnknown with the reason, never left out; comments and empty lines are not listed.
// Source of the syntax: mej/nhc README and scripts/common.nhc. Plain values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "node/nhc/mapped_check.h"

namespace ashlar::node {

enum class NhcOutcome {
  kCheck,      // a check that can be run
  kSetting,    // variables, kept for later lines
  kOtherHost,  // the target does not match
  kUnknown,    // meant for this host, or perhaps; cannot be honoured
};

// "check", "setting", "not_applicable", "unknown".
std::string_view NhcOutcomeName(NhcOutcome outcome);

struct NhcLine {
  size_t number = 0;   // in the file, from 1
  std::string text;    // as NHC reads it, in UTF-8
  std::string target;  // "" when the line has none
  std::string name;    // of the check; "" when the line has none
  NhcOutcome outcome = NhcOutcome::kUnknown;
  std::string says;   // what it became, or why it is not for this host or cannot be honoured
  MappedCheck check;  // of kCheck
};

struct NhcPlan {
  std::string path;
  std::string host;
  std::vector<NhcLine> lines;

  size_t Count(NhcOutcome outcome) const;
};

struct NhcConf {
  std::string path;  // for messages and sources
  std::string text;
  std::string host;  // that targets are compared with
};

// kResourceExhausted for more than kMaxNhcConf, kMaxNhcLines, or kMaxNhcChecks lines that would be run.
base::StatusOr<NhcPlan> MakeNhcPlan(const NhcConf& conf);

}  // namespace ashlar::node
