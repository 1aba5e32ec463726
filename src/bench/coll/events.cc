#include "bench/coll/events.h"

#include "bench/coll/collectives.h"
#include "bench/coll/limits.h"

namespace ashlar::bench {
namespace {

constexpr std::string_view kLineStart = "{\"ashlar\":";
constexpr std::string_view kErrorName = "error";
struct EventName {
  SessionEvent event;
  std::string_view name;
};
constexpr EventName kEventNames[] = {
    {SessionEvent::kHeader, "header"}, {SessionEvent::kRow, "row"}, {SessionEvent::kDocument, "document"}};

}  // namespace

std::string EventLine(SessionEvent event, const base::Json& body) {
  base::JsonObject object;
  for (const EventName& row : kEventNames) {
    if (row.event == event) object["ashlar"] = row.name;
  }
  object["body"] = body;
  return base::WriteJson(object) + "\n";
}

std::string ErrorLine(const base::Status& error) {
  base::JsonObject object;
  object["ashlar"] = kErrorName;
  object["code"] = static_cast<int>(error.code());
  object["message"] = base::Message(error);
  return base::WriteJson(object) + "\n";
}

void EventReader::Take(std::string_view chunk) {
  while (!chunk.empty()) {
    const size_t end = chunk.find('\n');
    const std::string_view piece = chunk.substr(0, end);
    if (line_.size() + piece.size() > kMaxEventLineBytes) overlong_ = true;
    if (!overlong_) line_ += piece;
    if (end == std::string_view::npos) return;
    if (overlong_ && error_.ok()) {
      error_ =
          base::Error(base::StatusCode::kResourceExhausted, "rank 0 wrote a line over {} bytes", kMaxEventLineBytes);
    }
    if (!overlong_) TakeLine(line_);
    line_.clear();
    overlong_ = false;
    chunk.remove_prefix(end + 1);
  }
}

void EventReader::TakeLine(std::string_view line) {
  if (!line.starts_with(kLineStart)) return;
  auto json = base::ParseJson(line);
  const auto name = json.ok() ? base::GetString(*json, "ashlar") : base::StatusOr<std::string>(json.status());
  if (!name.ok()) {
    if (error_.ok()) error_ = base::Annotate(name.status(), "reading what rank 0 wrote");
    return;
  }
  if (*name == kErrorName) {
    const auto code = base::GetInt(*json, "code");
    const auto message = base::GetString(*json, "message");
    if (error_.ok()) {
      error_ = base::Status(static_cast<base::StatusCode>(code.value_or(static_cast<int>(base::StatusCode::kInternal))),
                            message.value_or("a rank failed without a word"));
    }
    return;
  }
  const base::Json* body = base::Find(*json, "body");
  for (const EventName& row : kEventNames) {
    if (row.name == *name && body != nullptr) on_event_(row.event, *body);
  }
}

}  // namespace ashlar::bench
