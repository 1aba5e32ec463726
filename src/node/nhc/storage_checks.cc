#include "node/nhc/storage_checks.h"

#include <algorithm>
#include <optional>

#include "node/checks/finding.h"
#include "node/checks/mounts.h"
#include "node/nhc/arguments.h"

namespace ashlar::node {
namespace {

using Arguments = std::vector<std::string>;

constexpr uint64_t kWhole = 100;

// Space or inodes of a file system, as df shows them.
struct Room {
  uint64_t total = 0;
  uint64_t used = 0;
  uint64_t available = 0;

  // df rounds a share up.
  uint64_t used_percent() const {
    const uint64_t usable = used + available;
    if (usable == 0) return kWhole;
    const auto share = static_cast<__uint128_t>(used) * kWhole;
    return static_cast<uint64_t>((share + usable - 1) / usable);
  }
};

enum class RoomQuestionKind { kTotal, kFree, kUsed };

struct RoomPlan {
  RoomQuestionKind kind = RoomQuestionKind::kTotal;
  bool inodes = false;
  std::string folder;
  std::optional<NhcAmount> least;
  std::optional<NhcAmount> most;
};

std::string AmountText(const RoomPlan& plan, const NhcAmount& amount) {
  if (amount.is_percent) return fmt::format("{} %", amount.number);
  return plan.inodes ? fmt::format("{} inodes", amount.number) : base::HumanBytes({amount.number});
}

std::string PlanText(const RoomPlan& plan) {
  constexpr std::string_view kWords[] = {"in all", "free", "used"};
  // NHC fails what is used up to the limit itself.
  const std::string_view most = plan.kind == RoomQuestionKind::kUsed ? "<" : "<=";
  std::string limits;
  if (plan.least) limits = fmt::format(">= {}", AmountText(plan, *plan.least));
  if (plan.least && plan.most) limits += ", ";
  if (plan.most) limits += fmt::format("{} {}", most, AmountText(plan, *plan.most));
  return fmt::format("{} {} {}", plan.folder, limits, kWords[static_cast<size_t>(plan.kind)]);
}

Room RoomOf(const RoomPlan& plan, const FileSystemUsage& usage) {
  if (plan.inodes) {
    return {usage.total_inodes, usage.total_inodes - std::min(usage.free_inodes, usage.total_inodes),
            usage.free_inodes};
  }
  return {usage.total_bytes, usage.total_bytes - std::min(usage.free_bytes, usage.total_bytes), usage.available_bytes};
}

bool IsEnough(const RoomPlan& plan, const Room& room) {
  switch (plan.kind) {
    case RoomQuestionKind::kTotal:
      return (!plan.least || room.total >= plan.least->number) && (!plan.most || room.total <= plan.most->number);
    case RoomQuestionKind::kFree: {
      const uint64_t used = room.used_percent();
      const uint64_t left = plan.least->is_percent ? kWhole - std::min(used, kWhole) : room.available;
      return left >= plan.least->number;
    }
    case RoomQuestionKind::kUsed: return (plan.most->is_percent ? room.used_percent() : room.used) < plan.most->number;
  }
  return false;
}

uint64_t ValueOf(const RoomPlan& plan, const Room& room) {
  switch (plan.kind) {
    case RoomQuestionKind::kTotal: return room.total;
    case RoomQuestionKind::kFree: return room.available;
    case RoomQuestionKind::kUsed: return room.used;
  }
  return 0;
}

base::Finding CheckRoom(const CheckContext& context, const RoomPlan& plan) {
  base::Finding finding = StartFinding({"room", "statvfs of " + plan.folder, plan.inodes ? "inodes" : "bytes"});
  Expect(finding, PlanText(plan), "");
  const auto mounts = ReadMounts(context.system);
  if (!mounts.ok()) return CannotTell(std::move(finding), mounts.status());
  const bool mounted = std::any_of(mounts->begin(), mounts->end(),
                                   [&](const MountLine& mount) { return mount.mount_point == plan.folder; });
  // NHC passes here without a word.
  if (!mounted) {
    return CannotTell(std::move(finding),
                      fmt::format("nothing is mounted at {}: mount it, or correct the line", plan.folder));
  }
  const auto usage = context.kernel.Usage(plan.folder);
  if (!usage.ok()) return CannotTell(std::move(finding), usage.status());
  const Room room = RoomOf(plan, *usage);
  if (room.total == 0 && plan.inodes) {
    return DoesNotApply(std::move(finding), "this file system has no fixed number of inodes");
  }
  if (room.total == 0) {
    return CannotTell(std::move(finding), "this file system has no size: take the line out");
  }
  finding.value = ValueOf(plan, room);
  if (IsEnough(plan, room)) return Pass(std::move(finding));
  if (plan.kind == RoomQuestionKind::kTotal) {
    return Fail(std::move(finding), "the file system has another size than the line wants: look at what is mounted");
  }
  return Fail(std::move(finding), fmt::format("{} % are used: delete what nobody needs (du -x {}{})",
                                              room.used_percent(), plan.inodes ? "--inodes " : "", plan.folder));
}

base::StatusOr<MappedCheck> MapRoom(RoomPlan plan, const Arguments& arguments) {
  plan.folder = arguments[0];
  if (!plan.folder.starts_with('/')) {
    return base::Error(base::StatusCode::kInvalidArgument, "\"{}\" is no folder from / on", plan.folder);
  }
  return MappedCheck{.becomes = "statvfs: " + PlanText(plan),
                     .time_limit = kNhcDisk,
                     .run = [plan](const CheckContext& context) { return CheckRoom(context, plan); }};
}

using AmountParser = base::StatusOr<uint64_t> (*)(std::string_view);
AmountParser ParserOf(const RoomPlan& plan) { return plan.inodes ? &ParseNhcCount : &ParseNhcSize; }

// FOLDER [MIN] [MAX], either of them may be "".
base::StatusOr<MappedCheck> MapTotal(const Arguments& arguments, bool inodes) {
  ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 1, 3, "FOLDER MIN [MAX], one of them may be \"\""));
  RoomPlan plan{.kind = RoomQuestionKind::kTotal, .inodes = inodes};
  const auto read = [&](size_t index, std::optional<NhcAmount>& amount) -> base::Status {
    if (arguments.size() <= index || arguments[index].empty()) return base::OkStatus();
    ASHLAR_ASSIGN_OR_RETURN(const uint64_t number, ParserOf(plan)(arguments[index]));
    amount = NhcAmount{.number = number};
    return base::OkStatus();
  };
  ASHLAR_RETURN_IF_ERROR(read(1, plan.least));
  ASHLAR_RETURN_IF_ERROR(read(2, plan.most));
  if (!plan.least && !plan.most) {
    return base::Error(base::StatusCode::kInvalidArgument, "want MIN or MAX behind the folder");
  }
  return MapRoom(std::move(plan), arguments);
}

base::StatusOr<MappedCheck> MapShare(const Arguments& arguments, RoomPlan plan) {
  ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 2, 2, "FOLDER and an amount or a percentage"));
  auto& amount = plan.kind == RoomQuestionKind::kFree ? plan.least : plan.most;
  ASHLAR_ASSIGN_OR_RETURN(amount, ParseNhcAmount(arguments[1], ParserOf(plan)));
  return MapRoom(std::move(plan), arguments);
}

}  // namespace

base::StatusOr<MappedCheck> MapFsSize(const Arguments& arguments) { return MapTotal(arguments, false); }

base::StatusOr<MappedCheck> MapFsInodes(const Arguments& arguments) { return MapTotal(arguments, true); }

base::StatusOr<MappedCheck> MapFsFree(const Arguments& arguments) {
  return MapShare(arguments, {.kind = RoomQuestionKind::kFree});
}

base::StatusOr<MappedCheck> MapFsUsed(const Arguments& arguments) {
  return MapShare(arguments, {.kind = RoomQuestionKind::kUsed});
}

base::StatusOr<MappedCheck> MapFsIfree(const Arguments& arguments) {
  return MapShare(arguments, {.kind = RoomQuestionKind::kFree, .inodes = true});
}

base::StatusOr<MappedCheck> MapFsIused(const Arguments& arguments) {
  return MapShare(arguments, {.kind = RoomQuestionKind::kUsed, .inodes = true});
}

}  // namespace ashlar::node
