// The scorecard for people and for machines: table, Markdown, SARIF, JUnit and a page of HTML.
//
// Each is a pure function of its arguments; any thread may call them. Every text that comes from evidence is escaped as
// its format asks: a host name may hold anything.
#pragma once

#include <string>

#include "assess/evidence.h"
#include "assess/scorecard.h"

namespace ashlar::assess {

// At most 80 columns, grouped by pillar; ANSI colours when asked.
std::string RenderTable(const Scorecard& scorecard, bool colour);

// GitHub-flavoured Markdown.
std::string RenderMarkdown(const Scorecard& scorecard);

// SARIF 2.1.0 (OASIS), one result for each consideration.
std::string RenderSarif(const Scorecard& scorecard);

// JUnit XML: one suite for each pillar, one case for each consideration.
std::string RenderJunit(const Scorecard& scorecard);

// One self-contained page with plots, for light and dark, without script or external resource.
std::string RenderHtml(const Scorecard& scorecard, const Evidence& evidence);

}  // namespace ashlar::assess
