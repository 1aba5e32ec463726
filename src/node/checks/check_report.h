// Findings as lines for people: one for each check, aligned for 80 columns, with the reason below when it is no pass.
// Plain functions, any thread.
#pragma once

#include <span>
#include <string>

#include "base/base.h"

namespace ashlar::node {

struct CheckReportOptions {
  bool colour = false;
  size_t width = 80;
};

// "23.5 GiB", "5.3 %", "eth0 up, eth1 up", "2 events: xid-79, xid-48"; "-" when nothing was read.
std::string FindingValueText(const base::Finding& finding);

// The line of one finding, and its reason, ended by a newline.
std::string FormatFinding(const base::Finding& finding, const CheckReportOptions& options);

// "FAIL: 20 pass, 2 fail (dns, swap), 1 unknown (memory-errors), 5 not applicable": one line as monitoring systems
// want.
std::string FormatCheckSummary(std::span<const base::Finding> findings);

// {"verdict", "findings": [Finding]}.
base::Json ChecksToJson(std::span<const base::Finding> findings);

// The ids and titles of CheckTable(), aligned.
std::string FormatCheckList();

}  // namespace ashlar::node
