#include "node/nhc/hardware_checks.h"

#include <algorithm>
#include <optional>

#include "node/checks/finding.h"
#include "node/infiniband.h"
#include "node/kernel/cpuinfo.h"
#include "node/kernel/meminfo.h"
#include "node/kernel/net_dev.h"
#include "node/nhc/arguments.h"
#include "node/nhc/match.h"

namespace ashlar::node {
namespace {

using Arguments = std::vector<std::string>;

// How many sockets, cores and threads; absent where the line leaves one out.
struct CpuPlan {
  std::optional<uint64_t> sockets;
  std::optional<uint64_t> cores;
  std::optional<uint64_t> threads;
};

std::string CountText(const std::optional<uint64_t>& count, std::string_view what) {
  return count ? fmt::format("{} {}", what, *count) : fmt::format("{} any", what);
}

std::string CpuText(const CpuPlan& plan) {
  return fmt::format("{}, {}, {}", CountText(plan.sockets, "sockets"), CountText(plan.cores, "cores"),
                     CountText(plan.threads, "threads"));
}

base::Finding CheckCpuinfo(const CheckContext& context, const CpuPlan& plan) {
  base::Finding finding = StartFinding({"cpuinfo", "/proc/cpuinfo"});
  Expect(finding, CpuText(plan), "");
  const auto text = context.system.Read("/proc/cpuinfo");
  const auto info = text.ok() ? ParseCpuinfo(*text) : text.status();
  if (!info.ok()) return CannotTell(std::move(finding), info.status());
  const CpuPlan seen{info->sockets, info->cores, info->threads};
  finding.value = fmt::format("{}, {}, {}", seen.sockets ? CountText(seen.sockets, "sockets") : "sockets not told",
                              seen.cores ? CountText(seen.cores, "cores") : "cores not told",
                              CountText(seen.threads, "threads"));
  if ((plan.sockets && !seen.sockets) || (plan.cores && !seen.cores)) {
    return CannotTell(std::move(finding),
                      "/proc/cpuinfo does not say sockets and cores on this processor: hold the "
                      "line to threads alone, as check_hw_cpuinfo \"\" \"\" N");
  }
  const auto differs = [](const auto& wanted, const auto& found) { return wanted && *wanted != *found; };
  if (differs(plan.sockets, seen.sockets) || differs(plan.cores, seen.cores) || differs(plan.threads, seen.threads)) {
    return Fail(std::move(finding),
                "the processors are not those of the line: look for ones that are offline (lscpu) "
                "and at the machine's size");
  }
  return Pass(std::move(finding));
}

struct MemoryNow {
  uint64_t ram = 0;
  uint64_t ram_free = 0;  // as NHC counts it: MemFree, Buffers and Cached
  uint64_t swap = 0;
  uint64_t swap_free = 0;
};

base::StatusOr<MemoryNow> ReadMemory(const os::SysReader& system) {
  ASHLAR_ASSIGN_OR_RETURN(const std::string text, system.Read("/proc/meminfo"));
  std::vector<MeminfoEntry> entries;
  ASHLAR_RETURN_IF_ERROR(ParseMeminfo(text, entries));
  const auto get = [&](std::string_view name) -> base::StatusOr<uint64_t> {
    const auto value = FindMeminfo(entries, name);
    if (value) return *value;
    return base::Error(base::StatusCode::kNotFound, "/proc/meminfo has no line {}", name);
  };
  MemoryNow now;
  ASHLAR_ASSIGN_OR_RETURN(now.ram, get("MemTotal"));
  ASHLAR_ASSIGN_OR_RETURN(const uint64_t unused, get("MemFree"));
  ASHLAR_ASSIGN_OR_RETURN(const uint64_t buffers, get("Buffers"));
  ASHLAR_ASSIGN_OR_RETURN(const uint64_t cached, get("Cached"));
  ASHLAR_ASSIGN_OR_RETURN(now.swap, get("SwapTotal"));
  ASHLAR_ASSIGN_OR_RETURN(now.swap_free, get("SwapFree"));
  now.ram_free = unused + buffers + cached;
  return now;
}

struct MemoryQuestion {
  std::string_view what;       // "memory"
  std::string_view read_from;  // of the finding
  uint64_t (*value)(const MemoryNow&);
};

struct MemoryPlan {
  MemoryQuestion question;
  uint64_t least = 0;
  std::optional<uint64_t> most;
  NhcAmount fudge;
};

std::string MemoryText(const MemoryPlan& plan) {
  const std::string least = base::HumanBytes({plan.least});
  if (!plan.most) return fmt::format(">= {}", least);
  std::string text = plan.least == *plan.most ? least : fmt::format("{} to {}", least, base::HumanBytes({*plan.most}));
  if (plan.fudge.number == 0) return text;
  return fmt::format("{} give or take {}", text,
                     plan.fudge.is_percent ? Percent(static_cast<double>(plan.fudge.number) / 100)
                                           : base::HumanBytes({plan.fudge.number}));
}

base::Finding CheckMemory(const CheckContext& context, const MemoryPlan& plan) {
  constexpr uint64_t kWhole = 100;
  base::Finding finding = StartFinding({"memory", plan.question.read_from, "bytes"});
  Expect(finding, MemoryText(plan), "");
  const auto now = ReadMemory(context.system);
  if (!now.ok()) return CannotTell(std::move(finding), now.status());
  const uint64_t value = plan.question.value(*now);
  finding.value = value;
  // NHC counts in kB, and a percentage is one of what is there.
  const uint64_t part = value / base::kKiB * plan.fudge.number / kWhole * base::kKiB;
  const uint64_t fudge = plan.fudge.is_percent ? part : plan.fudge.number;
  if (fudge < plan.least && value < plan.least - fudge) {
    return Fail(std::move(finding),
                fmt::format("too little {}: look at what is missing or in use (free -k, dmidecode -t memory)",
                            plan.question.what));
  }
  if (plan.most && value > fudge && value - fudge > *plan.most) {
    return Fail(std::move(finding), fmt::format("more {} than the line allows: correct the line, or look at the "
                                                "machine's size",
                                                plan.question.what));
  }
  return Pass(std::move(finding));
}

base::StatusOr<MappedCheck> MapMemory(MemoryPlan plan) {
  return MappedCheck{.becomes = fmt::format("{}: {}", plan.question.read_from, MemoryText(plan)),
                     .run = [plan](const CheckContext& context) { return CheckMemory(context, plan); }};
}

base::StatusOr<MappedCheck> MapMemoryRange(const Arguments& arguments, const MemoryQuestion& question) {
  ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 2, 3, "MIN MAX [FUDGE]"));
  MemoryPlan plan{.question = question};
  ASHLAR_ASSIGN_OR_RETURN(plan.least, ParseNhcSize(arguments[0]));
  ASHLAR_ASSIGN_OR_RETURN(plan.most, ParseNhcSize(arguments[1]));
  if (arguments.size() == 3 && !arguments[2].empty()) {
    ASHLAR_ASSIGN_OR_RETURN(plan.fudge, ParseNhcAmount(arguments[2], &ParseNhcSize));
  }
  return MapMemory(plan);
}

base::StatusOr<MappedCheck> MapMemoryFree(const Arguments& arguments, const MemoryQuestion& question) {
  ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 1, 1, "MIN"));
  MemoryPlan plan{.question = question};
  ASHLAR_ASSIGN_OR_RETURN(plan.least, ParseNhcSize(arguments[0]));
  return MapMemory(plan);
}

base::Finding CheckEth(const CheckContext& context, const std::string& name) {
  base::Finding finding = StartFinding({"eth", "/proc/net/dev"});
  Expect(finding, fmt::format("an interface {}", name), "");
  const auto text = context.system.Read("/proc/net/dev");
  if (!text.ok()) return CannotTell(std::move(finding), text.status());
  std::vector<NetInterfaceStats> interfaces;
  const base::Status parsed = ParseNetDev(*text, interfaces);
  if (!parsed.ok()) return CannotTell(std::move(finding), parsed);
  std::vector<std::string> names;
  names.reserve(interfaces.size());
  for (const auto& interface : interfaces) names.emplace_back(interface.name);
  const auto match = NhcMatch::Parse(name);
  if (!match.ok()) return CannotTell(std::move(finding), match.status());
  for (const auto& own : names) {
    if (!match->Matches(own)) continue;
    finding.value = own;
    return Pass(std::move(finding));
  }
  finding.value = NamesToJson(names);
  return Fail(std::move(finding), fmt::format("there is no interface {}: look for its driver and cable (ip link, "
                                              "dmesg)",
                                              name));
}

constexpr uint32_t kActive = 4;  // IB_PORT_ACTIVE, include/rdma/ib_verbs.h
constexpr uint32_t kLinkUp = 5;  // IB_PORT_PHYS_STATE_LINK_UP
constexpr double kGiga = 1e9;

struct IbPlan {
  std::optional<double> rate;  // Gb/s
  std::string device;          // "" is any
  std::optional<uint64_t> port;
};

std::string IbText(const IbPlan& plan) {
  std::string text = plan.device.empty() ? "a port" : plan.device;
  if (plan.port) text += fmt::format(":{}", *plan.port);
  text += " ACTIVE, LinkUp";
  return plan.rate ? fmt::format("{}, {:g} Gb/s", text, *plan.rate) : text;
}

bool IsAsked(const IbPlan& plan, const RdmaDevice& device, const RdmaPort& port) {
  if (!plan.device.empty() && device.name != plan.device) return false;
  return !plan.port || *plan.port == port.number;
}

bool IsReadable(const RdmaPort& port) {
  return port.state.has_value() && port.physical_state.has_value() && port.rate_bits_per_second.has_value();
}

bool IsGood(const IbPlan& plan, const RdmaPort& port) {
  if (port.state->number != kActive || port.physical_state->number != kLinkUp) return false;
  return !plan.rate || *port.rate_bits_per_second == *plan.rate * kGiga;
}

base::Finding CheckIb(const CheckContext& context, const IbPlan& plan) {
  base::Finding finding = StartFinding({"ib", "/sys/class/infiniband/*/ports/*/{state,phys_state,rate}"});
  Expect(finding, IbText(plan), "");
  const auto devices = ReadRdmaDevices(context.system);
  if (!devices.ok()) return CannotTell(std::move(finding), devices.status());
  std::vector<std::string> seen;
  std::vector<std::string> unreadable;
  for (const auto& device : *devices) {
    for (const auto& port : device.ports) {
      if (!IsAsked(plan, device, port)) continue;
      const std::string name = fmt::format("{}:{}", device.name, port.number);
      if (!IsReadable(port)) {
        unreadable.push_back(name);
        continue;
      }
      const std::string text = fmt::format("{} {}, {}, {:g} Gb/s", name, port.state->name, port.physical_state->name,
                                           *port.rate_bits_per_second / kGiga);
      if (IsGood(plan, port)) {
        finding.value = text;
        return Pass(std::move(finding));
      }
      seen.push_back(text);
    }
  }
  finding.value = NamesToJson(seen);
  if (!unreadable.empty()) {
    return CannotTell(std::move(finding), fmt::format("cannot read state and rate of {}: look at /sys/class/infiniband",
                                                      FewNames(unreadable)));
  }
  if (seen.empty()) {
    return Fail(std::move(finding),
                "there is no such port: look for the driver (lspci, dmesg) and at the port's name "
                "(ibstat -l)");
  }
  return Fail(std::move(finding),
              fmt::format("{}: check cable, switch port and subnet manager (ibstat, sminfo)", FewNames(seen)));
}

}  // namespace

base::StatusOr<MappedCheck> MapHwCpuinfo(const Arguments& arguments) {
  ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 0, 3, "[SOCKETS [CORES [THREADS]]]"));
  CpuPlan plan;
  std::optional<uint64_t>* counts[] = {&plan.sockets, &plan.cores, &plan.threads};
  for (size_t index = 0; index < arguments.size(); ++index) {
    if (arguments[index].empty()) continue;
    ASHLAR_ASSIGN_OR_RETURN(*counts[index], ParseNhcNumber(arguments[index]));
  }
  if (!plan.sockets && !plan.cores && !plan.threads) {
    return base::Error(base::StatusCode::kInvalidArgument, "want a number of SOCKETS, CORES or THREADS");
  }
  return MappedCheck{.becomes = fmt::format("/proc/cpuinfo: {}", CpuText(plan)),
                     .run = [plan](const CheckContext& context) { return CheckCpuinfo(context, plan); }};
}

base::StatusOr<MappedCheck> MapHwPhysmem(const Arguments& arguments) {
  return MapMemoryRange(arguments, {"memory", "/proc/meminfo MemTotal", [](const MemoryNow& now) { return now.ram; }});
}

base::StatusOr<MappedCheck> MapHwPhysmemFree(const Arguments& arguments) {
  return MapMemoryFree(arguments, {"free memory", "/proc/meminfo MemFree + Buffers + Cached",
                                   [](const MemoryNow& now) { return now.ram_free; }});
}

base::StatusOr<MappedCheck> MapHwSwap(const Arguments& arguments) {
  return MapMemoryRange(arguments, {"swap", "/proc/meminfo SwapTotal", [](const MemoryNow& now) { return now.swap; }});
}

base::StatusOr<MappedCheck> MapHwSwapFree(const Arguments& arguments) {
  return MapMemoryFree(arguments,
                       {"free swap", "/proc/meminfo SwapFree", [](const MemoryNow& now) { return now.swap_free; }});
}

base::StatusOr<MappedCheck> MapHwMem(const Arguments& arguments) {
  return MapMemoryRange(arguments, {"memory and swap", "/proc/meminfo MemTotal + SwapTotal",
                                    [](const MemoryNow& now) { return now.ram + now.swap; }});
}

base::StatusOr<MappedCheck> MapHwMemFree(const Arguments& arguments) {
  return MapMemoryFree(arguments, {"free memory and swap", "/proc/meminfo MemFree + Buffers + Cached + SwapFree",
                                   [](const MemoryNow& now) { return now.ram_free + now.swap_free; }});
}

base::StatusOr<MappedCheck> MapHwEth(const Arguments& arguments) {
  ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 1, 1, "INTERFACE"));
  const std::string& name = arguments[0];
  // NHC compares by glob here, and takes the marks of its other expressions for parts of the name.
  if (std::string_view("!/{").find(name.front()) != std::string_view::npos) {
    return base::Error(base::StatusCode::kInvalidArgument, "{} is no name of an interface, nor a glob", name);
  }
  ASHLAR_RETURN_IF_ERROR(NhcMatch::Parse(name).status());
  return MappedCheck{.becomes = fmt::format("/proc/net/dev: an interface {}", name),
                     .run = [name](const CheckContext& context) { return CheckEth(context, name); }};
}

base::StatusOr<MappedCheck> MapHwIb(const Arguments& arguments) {
  ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 1, 2, "RATE [DEVICE[:PORT]]"));
  IbPlan plan;
  const auto rate = base::ParseDouble(arguments[0]);
  if (!rate || *rate <= 0) {
    return base::Error(base::StatusCode::kInvalidArgument, "\"{}\" is no rate in Gb/s", arguments[0]);
  }
  plan.rate = rate;
  if (arguments.size() == 2) {
    const std::string_view name = arguments[1];
    const size_t colon = name.find(':');
    plan.device = name.substr(0, colon);
    if (colon != std::string_view::npos) {
      ASHLAR_ASSIGN_OR_RETURN(plan.port, ParseNhcNumber(name.substr(colon + 1)));
    }
    if (plan.device.empty() && !name.empty()) {
      return base::Error(base::StatusCode::kInvalidArgument, "\"{}\" names no device", name);
    }
  }
  return MappedCheck{.becomes = fmt::format("/sys/class/infiniband: {}", IbText(plan)),
                     .run = [plan](const CheckContext& context) { return CheckIb(context, plan); }};
}

}  // namespace ashlar::node
