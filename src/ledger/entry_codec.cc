#include "ledger/entry_codec.h"

#include <algorithm>
#include <charconv>

#include "ledger/canonical_scan.h"
#include "ledger/limits.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;

constexpr size_t kTimeBytes = 27;      // 2026-01-02T03:04:05.000006Z
constexpr size_t kSequenceBytes = 16;  // 2^53 has 16 digits

base::Status CheckKind(std::string_view kind) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  };
  if (kind.empty() || kind.size() > kMaxKindBytes || !std::all_of(kind.begin(), kind.end(), is_allowed)) {
    return base::Error(StatusCode::kInvalidArgument,
                       "kind of an entry: want 1 to {} characters of a-z, 0-9, '.', '_', '-'", kMaxKindBytes);
  }
  return base::OkStatus();
}

base::Status CheckName(std::string_view field, std::string_view name) {
  const bool has_control =
      std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  if (name.empty() || name.size() > kMaxNameBytes || has_control || !base::IsUtf8(name)) {
    return base::Error(StatusCode::kInvalidArgument,
                       "{} of an entry: want 1 to {} bytes of UTF-8 without control characters", field, kMaxNameBytes);
  }
  return base::OkStatus();
}

// Deeper bodies could be written but not read again.
bool IsWithinDepth(const base::Json& json, size_t depth_left) {
  if (const auto* object = json.if_object()) {
    return depth_left > 0 && std::all_of(object->begin(), object->end(), [depth_left](const auto& member) {
             return IsWithinDepth(member.value(), depth_left - 1);
           });
  }
  if (const auto* array = json.if_array()) {
    return depth_left > 0 && std::all_of(array->begin(), array->end(), [depth_left](const base::Json& element) {
             return IsWithinDepth(element, depth_left - 1);
           });
  }
  return true;
}

base::StatusOr<std::string> Quoted(std::string_view text) {
  return base::CanonicalJson(base::Json(boost::json::string(text.data(), text.size())));
}

bool IsTime(std::string_view text) {
  constexpr std::string_view kShape = "0000-00-00T00:00:00.000000Z";
  if (text.size() != kShape.size()) return false;
  for (size_t i = 0; i < kShape.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (kShape[i] == '0' ? !is_digit : text[i] != kShape[i]) return false;
  }
  return true;
}

}  // namespace

base::StatusOr<PreparedDraft> PrepareDraft(Draft draft) {
  ASHLAR_RETURN_IF_ERROR(CheckKind(draft.kind));
  ASHLAR_RETURN_IF_ERROR(CheckName("subject", draft.subject));
  ASHLAR_RETURN_IF_ERROR(CheckName("actor", draft.actor));
  if (!IsWithinDepth(draft.body, kMaxBodyDepth)) {
    return base::Error(StatusCode::kInvalidArgument, "body of an entry \"{}\": deeper than {} levels", draft.kind,
                       kMaxBodyDepth);
  }
  const auto body = base::CanonicalJson(draft.body);
  if (!body.ok()) return base::Annotate(body.status(), fmt::format("body of an entry \"{}\"", draft.kind));
  ASHLAR_ASSIGN_OR_RETURN(const std::string actor, Quoted(draft.actor));
  ASHLAR_ASSIGN_OR_RETURN(const std::string subject, Quoted(draft.subject));
  PreparedDraft prepared;
  prepared.before_sequence =
      fmt::format("{{\"actor\":{},\"body\":{},\"kind\":\"{}\",\"sequence\":", actor, *body, draft.kind);
  prepared.before_time = fmt::format(",\"subject\":{},\"time\":\"", subject);
  const size_t size = prepared.before_sequence.size() + kSequenceBytes + prepared.before_time.size() + kTimeBytes + 2;
  if (size > kMaxEntryBytes) {
    return base::Error(StatusCode::kResourceExhausted, "an entry \"{}\" of {} bytes is over the limit of {}",
                       draft.kind, size, kMaxEntryBytes);
  }
  prepared.draft = std::move(draft);
  return prepared;
}

std::string CompleteEntry(const PreparedDraft& prepared, uint64_t sequence, std::string_view time) {
  std::string bytes;
  bytes.reserve(prepared.before_sequence.size() + kSequenceBytes + prepared.before_time.size() + kTimeBytes + 2);
  bytes += prepared.before_sequence;
  bytes += fmt::format("{}", sequence);
  bytes += prepared.before_time;
  bytes += time;
  bytes += "\"}";
  return bytes;
}

bool ScanEntry(std::string_view bytes, EntryView& view) {
  CanonicalScanner scanner(bytes, kMaxBodyDepth);
  if (!scanner.Literal("{\"actor\":") || !scanner.String() || !scanner.Literal(",\"body\":") || !scanner.Value()) {
    return false;
  }
  if (!scanner.Literal(",\"kind\":")) return false;
  size_t start = scanner.position();
  if (!scanner.String()) return false;
  view.kind = bytes.substr(start + 1, scanner.position() - start - 2);
  if (!scanner.Literal(",\"sequence\":")) return false;
  start = scanner.position();
  if (!scanner.Number()) return false;
  const std::string_view digits = bytes.substr(start, scanner.position() - start);
  const auto end = digits.data() + digits.size();
  if (const auto read = std::from_chars(digits.data(), end, view.sequence); read.ec != std::errc() || read.ptr != end) {
    return false;
  }
  if (!scanner.Literal(",\"subject\":")) return false;
  start = scanner.position();
  if (!scanner.String()) return false;
  view.subject = bytes.substr(start, scanner.position() - start);
  if (!scanner.Literal(",\"time\":\"")) return false;
  view.time = bytes.substr(scanner.position(), kTimeBytes);
  return IsTime(view.time) && bytes.substr(scanner.position() + kTimeBytes) == "\"}";
}

bool IsQuoted(std::string_view quoted, std::string_view text) {
  if (quoted.size() == text.size() + 2 && text.find_first_of("\"\\") == std::string_view::npos) {
    return quoted.substr(1, text.size()) == text;
  }
  const auto canonical = Quoted(text);
  return canonical.ok() && *canonical == quoted;
}

base::StatusOr<Entry> ParseEntry(std::string_view bytes) {
  EntryView view;
  if (!ScanEntry(bytes, view)) {
    return base::Error(StatusCode::kDataLoss, "the stored bytes are no canonical entry; run `ashlar ledger verify`");
  }
  ASHLAR_ASSIGN_OR_RETURN(base::Json json, base::ParseJson(bytes));
  Entry entry;
  entry.sequence = view.sequence;
  ASHLAR_ASSIGN_OR_RETURN(entry.time, base::ParseRfc3339(view.time));
  ASHLAR_ASSIGN_OR_RETURN(entry.kind, base::GetString(json, "kind"));
  ASHLAR_ASSIGN_OR_RETURN(entry.subject, base::GetString(json, "subject"));
  ASHLAR_ASSIGN_OR_RETURN(entry.actor, base::GetString(json, "actor"));
  entry.body = std::move(json.as_object().at("body"));
  return entry;
}

}  // namespace ashlar::ledger
