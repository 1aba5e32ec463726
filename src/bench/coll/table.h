// The table that people and parsers of nccl-tests know, from the document of a run.
//
// Format: NVIDIA/nccl-tests a0b82b2, src/util.cu (column widths, number rule, header and footer lines). Lines of ours
// start with "#", so that every parser passes over them. No state; any thread.
#pragma once

#include <string>

#include "base/base.h"
#include "bench/coll/session.h"

namespace ashlar::bench {

// A number in at most `width` (6 or 7) characters: two decimals, one or none, whichever fits first, else an exponent.
std::string FieldNumber(double value, int width);

// Everything above the rows, from the document as BeginDocument made it.
std::string TableHeader(const base::Json& document);

// One row with its end of line.
std::string TableRow(const base::Json& row);

// Everything below the rows, from the finished document: the field's footer, then iterations and intervals.
std::string TableFooter(const base::Json& document);

// The part of the table that belongs to an event of a run.
std::string TableText(SessionEvent event, const base::Json& body);

}  // namespace ashlar::bench
