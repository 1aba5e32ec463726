#include "service/site.h"

#include <algorithm>
#include <array>

#include "service/limits.h"
#include "service/metrics.h"

namespace ashlar::service {
namespace {

constexpr const char* kHtml = "text/html; charset=utf-8";
constexpr const char* kJson = "application/json";
constexpr const char* kMetricsText = "text/plain; version=0.0.4; charset=utf-8";

net::Response JsonAnswer(int status, const base::Json& json) {
  return net::MakeResponse(status, kJson, base::WriteJson(json) + "\n");
}

net::Response StatusAnswer(const base::Status& status) {
  const auto& mapping = base::MapStatus(status.code());
  return JsonAnswer(mapping.http_status,
                    base::JsonObject{{"error", mapping.label}, {"message", std::string(base::Message(status))}});
}

// The name in a Host header without its port: "localhost:8080", "127.0.0.1", "[::1]:80".
std::string HostName(std::string_view host) {
  if (host.starts_with('[')) return std::string(host.substr(0, host.find(']') + 1));
  return base::Lowercase(host.substr(0, host.find(':')));
}

bool NamesThisMachine(std::string_view host) {
  constexpr std::array<std::string_view, 3> kNames = {"localhost", "127.0.0.1", "[::1]"};
  return std::find(kNames.begin(), kNames.end(), HostName(host)) != kNames.end();
}

base::StatusOr<uint64_t> NumberOf(const net::Target& target, std::string_view key, uint64_t absent) {
  const std::string_view text = target.Query(key);
  if (text.empty()) return absent;
  const auto number = base::ParseUint64(text);
  if (!number) {
    return base::Error(base::StatusCode::kInvalidArgument, "{}={}: want a whole number", key, text);
  }
  return *number;
}

std::string WaitingPage(const std::string& progress) {
  return fmt::format(
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"2\">"
      "<meta name=\"viewport\" content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\">"
      "<title>Ashlar: validating</title><body style=\"font:16px/1.5 system-ui,sans-serif;margin:3rem auto;"
      "max-width:40rem;padding:0 1rem\"><h1>Validating this machine</h1><p>Now: {}.</p><p>The report appears here by "
      "itself.</p></body></html>\n",
      progress);
}

}  // namespace

Site::Site(ledger::Ledger& ledger, bool sample_sensors) : ledger_(ledger), progress_("starting") {
  if (sample_sensors) sampler_ = std::make_unique<node::Sampler>(node::SamplerSources{.system = os::SysReader()});
}

void Site::SetProgress(std::string line) {
  const base::MutexLock lock(mutex_);
  progress_ = std::move(line);
}

void Site::SetValidation(std::shared_ptr<const Validation> validation) {
  const base::MutexLock lock(mutex_);
  validation_ = std::move(validation);
}

std::shared_ptr<const Validation> Site::validation() const {
  const base::MutexLock lock(mutex_);
  return validation_;
}

net::Response Site::Report() const {
  if (const auto current = validation()) {
    return net::MakeResponse(200, kHtml, assess::RenderHtml(current->scorecard, current->evidence));
  }
  const base::MutexLock lock(mutex_);
  net::Response response = net::MakeResponse(503, kHtml, WaitingPage(progress_));
  response.headers.Set("Retry-After", "2");
  return response;
}

net::Response Site::ScorecardJson() const {
  const auto current = validation();
  if (current == nullptr) {
    return StatusAnswer(base::Error(base::StatusCode::kUnavailable, "the first validation is still running"));
  }
  return JsonAnswer(200, assess::ScorecardToJson(current->scorecard));
}

net::Response Site::Entries(std::string_view target_text) {
  const auto target = net::ParseTarget(target_text);
  if (!target.ok()) return StatusAnswer(target.status());
  const auto from = NumberOf(*target, "from", 0);
  const auto limit = NumberOf(*target, "limit", kDefaultEntriesPerPage);
  if (!from.ok()) return StatusAnswer(from.status());
  if (!limit.ok()) return StatusAnswer(limit.status());
  if (*limit > kMaxEntriesPerPage) {
    return StatusAnswer(
        base::Error(base::StatusCode::kInvalidArgument, "limit={}: at most {}", *limit, kMaxEntriesPerPage));
  }
  const auto entries = ledger_.Read({.kind = std::string(target->Query("kind")),
                                     .subject = std::string(target->Query("subject")),
                                     .from_sequence = *from,
                                     .limit = *limit});
  if (!entries.ok()) return StatusAnswer(entries.status());
  base::JsonArray list;
  for (const ledger::Entry& entry : *entries) list.push_back(ledger::EntryToJson(entry));
  return JsonAnswer(200, base::JsonObject{{"entries", std::move(list)}});
}

net::Response Site::Checkpoint() {
  const auto head = ledger_.SignHead();
  if (!head.ok()) return StatusAnswer(head.status());
  return net::MakeResponse(200, "text/plain; charset=utf-8", head->note);
}

net::Response Site::Metrics() {
  std::string text;
  {
    const base::MutexLock lock(sampler_mutex_);
    if (sampler_ != nullptr) node::AppendPrometheus(sampler_->Take(), text);
  }
  if (const auto current = validation()) {
    AppendScorecardMetrics(current->scorecard, current->evidence, text);
  }
  return net::MakeResponse(200, kMetricsText, std::move(text));
}

net::Response Site::Answer(const net::Request& request) {
  if (!NamesThisMachine(request.headers.Get("Host"))) {
    return net::ErrorResponse(421, "this server answers for localhost and 127.0.0.1 only");
  }
  if (request.method != "GET" && request.method != "HEAD") {
    net::Response response = net::ErrorResponse(405, "only GET and HEAD are answered here");
    response.headers.Set("Allow", "GET, HEAD");
    return response;
  }
  const std::string_view path = std::string_view(request.target).substr(0, request.target.find('?'));
  net::Response response;
  if (path == "/") {
    response = Report();
  } else if (path == "/api/scorecard") {
    response = ScorecardJson();
  } else if (path == "/api/entries") {
    response = Entries(request.target);
  } else if (path == "/api/checkpoint") {
    response = Checkpoint();
  } else if (path == "/metrics") {
    response = Metrics();
  } else if (path == "/healthz") {
    response = net::MakeResponse(200, "text/plain; charset=utf-8", "ok\n");
  } else {
    response = net::ErrorResponse(404, "want /, /api/scorecard, /api/entries, /api/checkpoint, /metrics or /healthz");
  }
  response.headers.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:");
  response.headers.Set("X-Content-Type-Options", "nosniff");
  response.headers.Set("Cache-Control", "no-store");
  return response;
}

}  // namespace ashlar::service
