// The ledger's entries as evidence: what a consideration may look at, and nothing else.
//
// Built once, read-only afterwards; any thread may read it.
#pragma once

#include <absl/time/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "ledger/ledger.h"

namespace ashlar::assess {

// Where in the ledger a value was read: entry and JSON path inside its body.
struct EvidencePointer {
  uint64_t sequence = 0;
  std::string kind;
  std::string subject;
  std::string path;  // "findings[3].value"; "" for the entry as a whole
  absl::Time time;
};

// What is known of the ledger itself when the scorecard is made.
struct LedgerFacts {
  uint64_t entries = 0;
  std::optional<bool> verified;  // nullopt when it was not verified
  std::string problem;           // what the verification found, "" when nothing
};

class Evidence {
 public:
  // `config` is the user's configuration, an object; `now` is the time of the assessment.
  Evidence(base::Json config, absl::Time now) : config_(std::move(config)), now_(now) {}

  // Reads the entries of each kind that considerations use, oldest first, at most kMaxEntriesOfAKind newest of a kind.
  static base::StatusOr<Evidence> Load(ledger::Ledger& ledger, base::Json config, absl::Time now);

  void Add(ledger::Entry entry);
  void SetLedgerFacts(LedgerFacts facts) { facts_ = std::move(facts); }

  // Entries of a kind, oldest first; empty when there is none.
  std::vector<const ledger::Entry*> All(std::string_view kind) const;
  // The newest entry of a kind, nullptr when there is none.
  const ledger::Entry* Latest(std::string_view kind) const;
  // The newest entry of a kind for each subject, by subject.
  std::vector<const ledger::Entry*> LatestOfEach(std::string_view kind) const;

  // The member of the configuration at a dotted path, nullptr when absent.
  const base::Json* Config(std::string_view path) const { return base::FindPath(config_, path); }
  const LedgerFacts& ledger_facts() const { return facts_; }
  absl::Time now() const { return now_; }

 private:
  base::Json config_;
  absl::Time now_;
  LedgerFacts facts_;
  std::vector<ledger::Entry> entries_;  // by sequence
};

// The pointer to a place in an entry.
EvidencePointer PointTo(const ledger::Entry& entry, std::string_view path);

// The findings stored in an entry's body under `findings`. An entry whose findings are malformed is an error: nothing
// may be concluded from it.
base::StatusOr<std::vector<base::Finding>> FindingsOf(const ledger::Entry& entry);

// A number at a dotted path of an entry's body; nullopt when it is absent, null or no number.
std::optional<double> NumberAt(const ledger::Entry& entry, std::string_view path);

// A text at a dotted path of an entry's body; "" when it is absent or no text.
std::string TextAt(const ledger::Entry& entry, std::string_view path);

}  // namespace ashlar::assess
