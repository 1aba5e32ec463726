#include "node/checks/clock_synchronised.h"

#include "node/checks/finding.h"

namespace ashlar::node {

// The kernel's own bound is what counts: it grows by 500 ppm while no time server is heard, whichever daemon runs.
// Source: adjtimex(2), maxerror and STA_UNSYNC.
std::vector<base::Finding> CheckClockSynchronised(const CheckContext& context) {
  base::Finding finding = StartFinding({"clock-synchronised", "adjtimex(2) status, maxerror", "seconds"});
  const auto clock = context.kernel.Clock();
  if (!clock.ok()) return {CannotTell(std::move(finding), clock.status())};
  if (clock->maximum_error < absl::ZeroDuration()) {
    return {CannotTell(std::move(finding), "adjtimex gives a negative error")};
  }
  finding.value = absl::ToDoubleSeconds(clock->maximum_error);
  const auto most = context.expectations.Number("clock_error_seconds");
  if (!most) return {CannotTell(std::move(finding), "state node.clock_error_seconds in the configuration")};
  Expect(finding, fmt::format("synchronised, error <= {}", base::HumanDuration(absl::Seconds(most->value))),
         most->source);
  if (!clock->synchronised) {
    return {Fail(std::move(finding),
                 "nothing keeps the clock: start a time service (apt-get install chrony, or "
                 "systemctl enable --now systemd-timesyncd); on Azure use the PTP clock of the host")};
  }
  if (absl::ToDoubleSeconds(clock->maximum_error) <= most->value) return {Pass(std::move(finding))};
  return {
      Fail(std::move(finding), "the clock may be too far off: see whether the time servers answer (chronyc sources)")};
}

}  // namespace ashlar::node
