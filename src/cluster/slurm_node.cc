#include "cluster/slurm_node.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "cluster/hostlist.h"
#include "cluster/limits.h"

namespace ashlar::cluster {
namespace {

using base::StatusCode;

constexpr std::array<std::string_view, 6> kLastFields = {"Reason",     "Comment",      "Extra",
                                                         "InstanceId", "InstanceType", "ReservationName"};
// A reason of several lines is written as one, with eight blanks before each further line.
constexpr std::string_view kReasonLineStart = "        ";

bool StartsField(std::string_view text, std::string_view field) {
  return text.size() > field.size() && text.starts_with(field) && text[field.size()] == '=';
}

// Where the first of the fields with free text begins; the end of the line when there is none.
size_t LastFieldsStart(std::string_view line) {
  size_t first = line.size();
  for (const std::string_view field : kLastFields) {
    first = std::min(first, line.find(fmt::format(" {}=", field)));
  }
  return first;
}

// The word after the last " FIELD=": the kernel's version, which stands before the state, may hold anything.
std::string_view Word(std::string_view head, std::string_view field) {
  const std::string key = fmt::format(" {}=", field);
  const size_t at = head.rfind(key);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = head.substr(at + key.size());
  return rest.substr(0, rest.find(' '));
}

// Slurm's ways to say that there is none.
std::string OrNothing(std::string_view word) {
  const bool nothing = word == "(null)" || word == "N/A" || word == "None";
  return nothing ? "" : std::string(word);
}

// "[root@2026-12-01T02:47:23]" at the start of `text`: its length, 0 when there is none. Client sets the time format.
size_t StampLength(std::string_view text) {
  constexpr std::string_view kTime = "0000-00-00T00:00:00";
  if (text.empty() || text.front() != '[') return 0;
  const size_t at = text.find('@');
  if (at == std::string_view::npos || at < 2 || text.size() < at + kTime.size() + 2) return 0;
  const std::string_view user = text.substr(1, at - 1);
  if (user.find_first_of(" []") != std::string_view::npos) return 0;
  for (size_t i = 0; i < kTime.size(); ++i) {
    const char letter = text[at + 1 + i];
    const bool fits = kTime[i] == '0' ? std::isdigit(static_cast<unsigned char>(letter)) != 0 : letter == kTime[i];
    if (!fits) return 0;
  }
  return text[at + 1 + kTime.size()] == ']' ? at + kTime.size() + 2 : 0;
}

bool StartsLastField(std::string_view text) {
  return std::any_of(kLastFields.begin(), kLastFields.end(),
                     [&](std::string_view field) { return StartsField(text, field); });
}

// Slurm's own stamp, not one that somebody typed: the line ends after it, another field or a further line begins.
bool EndsReason(std::string_view after) {
  return base::Trim(after).empty() || after.starts_with(kReasonLineStart) || StartsLastField(base::Trim(after));
}

void ReadReason(std::string_view text, SlurmNode& node) {
  for (size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    const size_t length = StampLength(text.substr(at));
    if (length == 0 || !EndsReason(text.substr(at + length))) continue;
    const std::string_view stamp = text.substr(at + 1, length - 2);
    const size_t sign = stamp.find('@');
    node.reason = std::string(base::Trim(text.substr(0, at)));
    node.reason_user = std::string(stamp.substr(0, sign));
    node.reason_time = std::string(stamp.substr(sign + 1));
    return;
  }
  // Without a stamp it goes on to the next field.
  size_t end = text.size();
  for (const std::string_view field : kLastFields) end = std::min(end, text.find(fmt::format(" {}=", field)));
  node.reason = std::string(base::Trim(text.substr(0, end)));
}

}  // namespace

base::StatusOr<SlurmNode> ParseNodeLine(std::string_view line) {
  constexpr std::string_view kStart = "NodeName=";
  if (line.size() > kMaxNodeLineBytes) {
    return base::Error(StatusCode::kResourceExhausted, "a node's line is longer than {} bytes", kMaxNodeLineBytes);
  }
  if (!line.starts_with(kStart)) {
    return base::Error(StatusCode::kInvalidArgument, "\"{}\" is no line of a node: it should begin with NodeName=",
                       base::Utf8Text(line.substr(0, 80)));
  }
  const size_t tail = LastFieldsStart(line);
  const std::string_view head = line.substr(0, tail);
  SlurmNode node;
  node.name = std::string(head.substr(kStart.size(), head.find(' ') - kStart.size()));
  if (!IsHostName(node.name)) {
    return base::Error(StatusCode::kInvalidArgument, "\"{}\" is no name of a node",
                       base::Utf8Text(std::string_view(node.name).substr(0, 80)));
  }
  const std::string_view state = Word(head, "State");
  if (state.empty()) {
    return base::Error(StatusCode::kInvalidArgument, "node {}: its line holds no state", node.name);
  }
  const auto parsed = ParseNodeState(state);
  if (!parsed.ok()) return base::Annotate(parsed.status(), fmt::format("node {}", node.name));
  node.state = *parsed;
  node.host = OrNothing(Word(head, "NodeHostName"));
  node.address = OrNothing(Word(head, "NodeAddr"));
  node.next_state = OrNothing(Word(head, "NextState"));
  node.gres = OrNothing(Word(head, "Gres"));
  node.cpus = base::ParseUint64(Word(head, "CPUTot"));
  for (const std::string_view partition : base::Split(Word(head, "Partitions"), ',')) {
    if (!partition.empty()) node.partitions.emplace_back(partition);
  }
  // Only what comes first after the other fields is the reason: a comment may hold the word too.
  const std::string_view last = line.substr(std::min(tail + 1, line.size()));
  if (StartsField(last, "Reason")) ReadReason(last.substr(std::string_view("Reason=").size()), node);
  return node;
}

base::StatusOr<std::vector<SlurmNode>> ParseNodeListing(std::string_view text) {
  std::vector<SlurmNode> nodes;
  size_t number = 0;
  for (const std::string_view line : base::SplitLines(text)) {
    ++number;
    if (base::Trim(line).empty()) continue;
    if (nodes.size() == kMaxNodes) {
      return base::Error(StatusCode::kResourceExhausted, "the listing has more than {} nodes", kMaxNodes);
    }
    auto node = ParseNodeLine(line);
    if (!node.ok()) return base::Annotate(node.status(), fmt::format("line {} of the nodes", number));
    nodes.push_back(*std::move(node));
  }
  return nodes;
}

base::Json NodeToJson(const SlurmNode& node) {
  return base::JsonObject{{"node", node.name},
                          {"state", NodeStateText(node.state)},
                          {"reason", base::Utf8Text(node.reason)},
                          {"reason_user", base::Utf8Text(node.reason_user)},
                          {"reason_time", base::Utf8Text(node.reason_time)},
                          {"next_state", base::Utf8Text(node.next_state)}};
}

}  // namespace ashlar::cluster
