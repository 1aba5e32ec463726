#include "node/checks/kernel_log.h"

#include "node/checks/check_limits.h"

namespace ashlar::node {
namespace {

constexpr uint64_t kMaxPriority = 1023;  // 3 bits of severity, 7 of facility are plenty
constexpr int64_t kMaxSeconds = int64_t{1} << 40;

void SetPriority(uint64_t priority, KernelRecord& record) {
  record.severity = static_cast<int>(priority & 7U);
  record.from_kernel = (priority >> 3U) == 0;
}

// "6,339,5140900,-[,more];text"
std::optional<KernelRecord> ParseKmsg(std::string_view line) {
  const size_t end = line.find(';');
  if (end == std::string_view::npos) return std::nullopt;
  const auto fields = base::Split(line.substr(0, end), ',');
  if (fields.size() < 4) return std::nullopt;
  const auto priority = base::ParseUint64(fields[0]);
  const auto sequence = base::ParseUint64(fields[1]);
  const auto microseconds = base::ParseInt64(fields[2]);
  if (!priority || *priority > kMaxPriority || !sequence || !microseconds || *microseconds < 0) return std::nullopt;
  KernelRecord record;
  SetPriority(*priority, record);
  record.since_boot = absl::Microseconds(*microseconds);
  record.text = line.substr(end + 1);
  return record;
}

// "<6>[    5.140900] text"; a caller in a second bracket, as "[    T123]", stays in the text.
std::optional<KernelRecord> ParseSyslog(std::string_view line) {
  const size_t close = line.find('>');
  if (!line.starts_with('<') || close == std::string_view::npos) return std::nullopt;
  const auto priority = base::ParseUint64(line.substr(1, close - 1));
  std::string_view rest = line.substr(close + 1);
  const size_t bracket = rest.find(']');
  if (!priority || *priority > kMaxPriority || !rest.starts_with('[') || bracket == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view time = base::Trim(rest.substr(1, bracket - 1));
  const size_t point = time.find('.');
  if (point == std::string_view::npos) return std::nullopt;
  const auto seconds = base::ParseUint64(time.substr(0, point));
  const auto micros = base::ParseUint64(time.substr(point + 1));
  const bool six_digits = time.size() - point - 1 == 6;
  if (!seconds || *seconds > uint64_t{kMaxSeconds} || !micros || !six_digits) return std::nullopt;
  KernelRecord record;
  SetPriority(*priority, record);
  record.since_boot = absl::Seconds(static_cast<int64_t>(*seconds)) + absl::Microseconds(static_cast<int64_t>(*micros));
  record.text = base::Trim(rest.substr(bracket + 1));
  return record;
}

}  // namespace

std::optional<KernelRecord> ParseKernelRecord(std::string_view line) {
  return line.starts_with('<') ? ParseSyslog(line) : ParseKmsg(line);
}

base::StatusOr<KernelLogText> ParseKernelLog(std::string_view log) {
  if (log.size() > kMaxKernelLog.count) {
    return base::Error(base::StatusCode::kResourceExhausted, "kernel log: more than {}",
                       base::HumanBytes(kMaxKernelLog));
  }
  KernelLogText parsed;
  for (size_t start = 0; start < log.size();) {
    const size_t newline = std::min(log.find('\n', start), log.size());
    const std::string_view line = log.substr(start, newline - start);
    start = newline + 1;
    // Lines that begin with a blank are a record's dictionary ("SUBSYSTEM=pci").
    if (base::Trim(line).empty() || line.starts_with(' ')) continue;
    const auto record = ParseKernelRecord(line);
    if (!record) {
      ++parsed.unreadable_lines;
      continue;
    }
    if (parsed.records.empty()) parsed.from_boot = line.find(",0,") == line.find(',');
    if (parsed.records.size() == kMaxKernelRecords) {
      return base::Error(base::StatusCode::kResourceExhausted, "kernel log: more than {} records", kMaxKernelRecords);
    }
    parsed.records.push_back(*record);
  }
  if (parsed.records.empty() && parsed.unreadable_lines > 0) {
    return base::Error(base::StatusCode::kInvalidArgument, "kernel log: none of {} lines is readable",
                       parsed.unreadable_lines);
  }
  return parsed;
}

}  // namespace ashlar::node
