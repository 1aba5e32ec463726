#include "cluster/node_state.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "cluster/limits.h"

namespace ashlar::cluster {
namespace {

constexpr uint32_t Bit(NodeFlag flag) { return static_cast<uint32_t>(flag); }

// A word as Slurm prints it, in capitals.
struct StateWord {
  std::string_view name;
  NodeBase base = NodeBase::kNotShown;
  uint32_t flags = 0;
};

// The first row of each base and of each flag is its name in NodeStateText.
constexpr auto kWords = std::to_array<StateWord>({
    {"UNKNOWN", NodeBase::kUnknown},
    {"DOWN", NodeBase::kDown},
    {"IDLE", NodeBase::kIdle},
    {"ALLOCATED", NodeBase::kAllocated},
    {"ERROR", NodeBase::kError},
    {"MIXED", NodeBase::kMixed},
    {"FUTURE", NodeBase::kFuture},
    {"UNK", NodeBase::kUnknown},
    {"ALLOC", NodeBase::kAllocated},
    {"MIX", NodeBase::kMixed},
    {"FUTR", NodeBase::kFuture},
    {"DRAIN", NodeBase::kNotShown, Bit(NodeFlag::kDrain)},
    {"FAIL", NodeBase::kNotShown, Bit(NodeFlag::kFail)},
    {"NOT_RESPONDING", NodeBase::kNotShown, Bit(NodeFlag::kNotResponding)},
    {"COMPLETING", NodeBase::kNotShown, Bit(NodeFlag::kCompleting)},
    {"MAINTENANCE", NodeBase::kNotShown, Bit(NodeFlag::kMaintenance)},
    {"REBOOT_REQUESTED", NodeBase::kNotShown, Bit(NodeFlag::kRebootRequested)},
    {"REBOOT_ISSUED", NodeBase::kNotShown, Bit(NodeFlag::kRebootIssued)},
    {"REBOOT_CANCELED", NodeBase::kNotShown, Bit(NodeFlag::kRebootCancelled)},
    {"POWER_DOWN", NodeBase::kNotShown, Bit(NodeFlag::kPowerDown)},
    {"POWERING_DOWN", NodeBase::kNotShown, Bit(NodeFlag::kPoweringDown)},
    {"POWERED_DOWN", NodeBase::kNotShown, Bit(NodeFlag::kPoweredDown)},
    {"POWER_UP", NodeBase::kNotShown, Bit(NodeFlag::kPowerUp)},
    {"POWERING_UP", NodeBase::kNotShown, Bit(NodeFlag::kPoweringUp)},
    {"POWER_DRAIN", NodeBase::kNotShown, Bit(NodeFlag::kPowerDrain)},
    {"INVALID_REG", NodeBase::kNotShown, Bit(NodeFlag::kInvalidRegistration)},
    {"RESERVED", NodeBase::kNotShown, Bit(NodeFlag::kReserved)},
    {"PLANNED", NodeBase::kNotShown, Bit(NodeFlag::kPlanned)},
    {"PERFCTRS", NodeBase::kNotShown, Bit(NodeFlag::kPerformanceCounters)},
    {"CLOUD", NodeBase::kNotShown, Bit(NodeFlag::kCloud)},
    {"DYNAMIC_FUTURE", NodeBase::kNotShown, Bit(NodeFlag::kDynamicFuture)},
    {"DYNAMIC_NORM", NodeBase::kNotShown, Bit(NodeFlag::kDynamicNormal)},
    {"RESUME", NodeBase::kNotShown, Bit(NodeFlag::kResume)},
    {"BLOCKED", NodeBase::kNotShown, Bit(NodeFlag::kBlocked)},
    // sinfo's words for one flag or more.
    {"DRAINED", NodeBase::kNotShown, Bit(NodeFlag::kDrain)},
    {"DRAINING", NodeBase::kNotShown, Bit(NodeFlag::kDrain)},
    {"DRNG", NodeBase::kNotShown, Bit(NodeFlag::kDrain)},
    {"FAILING", NodeBase::kNotShown, Bit(NodeFlag::kFail)},
    {"FAILG", NodeBase::kNotShown, Bit(NodeFlag::kFail)},
    {"COMP", NodeBase::kNotShown, Bit(NodeFlag::kCompleting)},
    {"MAINT", NodeBase::kNotShown, Bit(NodeFlag::kMaintenance)},
    {"REBOOT", NodeBase::kNotShown, Bit(NodeFlag::kRebootRequested)},
    {"BOOT", NodeBase::kNotShown, Bit(NodeFlag::kRebootRequested)},
    {"CANCEL_REBOOT", NodeBase::kNotShown, Bit(NodeFlag::kRebootCancelled)},
    {"CANC_R", NodeBase::kNotShown, Bit(NodeFlag::kRebootCancelled)},
    {"POW_DN", NodeBase::kNotShown, Bit(NodeFlag::kPowerDown)},
    {"POWRING_DN", NodeBase::kNotShown, Bit(NodeFlag::kPoweringDown)},
    {"POWERED_DN", NodeBase::kNotShown, Bit(NodeFlag::kPoweredDown)},
    {"POW_UP", NodeBase::kNotShown, Bit(NodeFlag::kPowerUp)},
    {"INVAL", NodeBase::kNotShown, Bit(NodeFlag::kInvalidRegistration)},
    {"RESV", NodeBase::kIdle, Bit(NodeFlag::kReserved)},
    {"PLND", NodeBase::kIdle, Bit(NodeFlag::kPlanned)},
    {"NPC", NodeBase::kIdle, Bit(NodeFlag::kPerformanceCounters)},
    {"RESM", NodeBase::kNotShown, Bit(NodeFlag::kResume)},
    // Slurm before 21.08 had one word for a node that is switched off.
    {"POWER", NodeBase::kNotShown, Bit(NodeFlag::kPoweredDown)},
});

struct StateSuffix {
  char letter;
  NodeFlag flag;
};

constexpr auto kSuffixes = std::to_array<StateSuffix>({
    {'*', NodeFlag::kNotResponding},
    {'~', NodeFlag::kPoweredDown},
    {'#', NodeFlag::kPoweringUp},
    {'!', NodeFlag::kPowerDown},
    {'%', NodeFlag::kPoweringDown},
    {'$', NodeFlag::kMaintenance},
    {'@', NodeFlag::kRebootRequested},
    {'^', NodeFlag::kRebootIssued},
    {'-', NodeFlag::kPlanned},
});

std::string Capitals(std::string_view text) {
  std::string capitals(text);
  for (char& letter : capitals) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return capitals;
}

base::Status Unknown(std::string_view text, std::string_view word) {
  return base::Error(base::StatusCode::kInvalidArgument,
                     "node state \"{}\": \"{}\" is no state that Slurm is known to print; Ashlar does not guess",
                     base::Utf8Text(text), base::Utf8Text(word));
}

// Takes the suffix off, if there is one; its flag.
uint32_t TakeSuffix(std::string_view& word) {
  for (const StateSuffix& suffix : kSuffixes) {
    if (!word.ends_with(suffix.letter)) continue;
    word.remove_suffix(1);
    return Bit(suffix.flag);
  }
  return 0;
}

const StateWord* FindWord(std::string_view name) {
  const auto* const found =
      std::find_if(kWords.begin(), kWords.end(), [&](const StateWord& word) { return word.name == name; });
  return found == kWords.end() ? nullptr : found;
}

struct UnsettledFlag {
  NodeFlag flag;
  std::string_view why;
};

// What takes precedence stands first.
constexpr auto kUnsettled = std::to_array<UnsettledFlag>({
    {NodeFlag::kRebootIssued, "it is rebooting"},
    {NodeFlag::kRebootRequested, "its reboot is pending"},
    {NodeFlag::kPoweringUp, "it is powering up"},
    {NodeFlag::kPowerUp, "it was asked to power up"},
    {NodeFlag::kPoweringDown, "it is powering down"},
    {NodeFlag::kPowerDown, "it was asked to power down"},
    {NodeFlag::kPowerDrain, "it powers down when its jobs have ended"},
    {NodeFlag::kPoweredDown, "Slurm takes it for powered down"},
});

}  // namespace

base::StatusOr<NodeState> ParseNodeState(std::string_view text) {
  if (text.size() > kMaxStateBytes) {
    return base::Error(base::StatusCode::kResourceExhausted, "a node state is longer than {} bytes", kMaxStateBytes);
  }
  const std::string capitals = Capitals(text);
  std::string_view rest = capitals;
  NodeState state;
  // "ALLOC+": the last + stands for jobs that are completing and joins nothing.
  if (rest.size() > 1 && rest.ends_with('+')) {
    rest.remove_suffix(1);
    state.flags |= Bit(NodeFlag::kCompleting);
  }
  for (std::string_view piece : base::Split(rest, '+')) {
    const std::string_view whole = piece;
    const uint32_t suffix = TakeSuffix(piece);
    const StateWord* word = FindWord(piece);
    if (word == nullptr) return Unknown(text, whole);
    const bool second_base = word->base != NodeBase::kNotShown && state.base != NodeBase::kNotShown;
    if (second_base) return Unknown(text, whole);
    if (word->base != NodeBase::kNotShown) state.base = word->base;
    // "REBOOT^" and "BOOT^" tell of a reboot that was issued, not of one that is asked for as well.
    const bool issued = (piece == "REBOOT" || piece == "BOOT") && suffix == Bit(NodeFlag::kRebootIssued);
    state.flags |= suffix | (issued ? 0 : word->flags);
  }
  return state;
}

std::string NodeStateText(const NodeState& state) {
  std::vector<std::string> names;
  uint32_t left = state.flags;
  for (const StateWord& word : kWords) {
    const bool is_base = word.base != NodeBase::kNotShown;
    if (is_base && word.flags == 0 && word.base == state.base && names.empty()) names.emplace_back(word.name);
    if (is_base || (left & word.flags) == 0) continue;
    names.emplace_back(word.name);
    left &= ~word.flags;
  }
  return base::Join(names, "+");
}

bool IsInService(const NodeState& state) {
  constexpr uint32_t kKeepsWorkOff = Bit(NodeFlag::kDrain) | Bit(NodeFlag::kFail) | Bit(NodeFlag::kMaintenance) |
                                     Bit(NodeFlag::kInvalidRegistration) | Bit(NodeFlag::kDynamicFuture);
  const bool takes_jobs = state.base == NodeBase::kIdle || state.base == NodeBase::kAllocated ||
                          state.base == NodeBase::kMixed;
  return takes_jobs && (state.flags & kKeepsWorkOff) == 0 && WhyNotSettled(state).empty();
}

std::string_view WhyNotSettled(const NodeState& state) {
  for (const UnsettledFlag& unsettled : kUnsettled) {
    if (state.Has(unsettled.flag)) return unsettled.why;
  }
  if (state.base == NodeBase::kUnknown) return "it has not registered with the controller";
  return state.Has(NodeFlag::kNotResponding) ? "it does not answer the controller" : "";
}

}  // namespace ashlar::cluster
