// What is served over HTTP: the report, the JSON API and the metrics.
//
// Answer() may be called by several threads at once. Only requests that name this machine as host are answered, so that
// a page elsewhere cannot read the ledger through the visitor's browser (DNS rebinding).
#pragma once

#include <memory>
#include <string>

#include "base/base.h"
#include "ledger/ledger.h"
#include "net/net.h"
#include "node/node.h"
#include "service/validation.h"

namespace ashlar::service {

class Site {
 public:
  // `ledger` must outlive it. `sample_sensors` false leaves the machine's own series out of /metrics.
  Site(ledger::Ledger& ledger, bool sample_sensors);

  // The line that people see while the validation runs.
  void SetProgress(std::string line);
  void SetValidation(std::shared_ptr<const Validation> validation);

  // GET / report; /api/scorecard; /api/entries?kind=&subject=&from=&limit=; /api/checkpoint; /metrics; /healthz. HEAD
  // too. 404 elsewhere, 405 for other methods, 421 for another host, 503 while the first validation runs.
  net::Response Answer(const net::Request& request);

 private:
  net::Response Report() const;
  net::Response ScorecardJson() const;
  net::Response Entries(std::string_view query);
  net::Response Checkpoint();
  net::Response Metrics();
  std::shared_ptr<const Validation> validation() const;

  ledger::Ledger& ledger_;
  mutable base::Mutex mutex_;
  std::string progress_ ABSL_GUARDED_BY(mutex_);
  // Shared with the answers that are being written while a newer validation takes its place.
  std::shared_ptr<const Validation> validation_ ABSL_GUARDED_BY(mutex_);
  base::Mutex sampler_mutex_;
  std::unique_ptr<node::Sampler> sampler_ ABSL_GUARDED_BY(sampler_mutex_);
};

}  // namespace ashlar::service
