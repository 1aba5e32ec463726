#include "node/nhc/mapped_check.h"

#include <algorithm>

#include "node/checks/finding.h"

namespace ashlar::node {
namespace {

base::Finding Chosen(std::vector<base::Finding> findings, std::string_view id) {
  const auto found = std::find_if(findings.begin(), findings.end(), [&](const auto& one) { return one.id == id; });
  // A check that cannot even begin answers with one finding of its own.
  if (found != findings.end()) return std::move(*found);
  if (findings.size() == 1) return std::move(findings.front());
  return CannotTell(StartFinding({id, ""}), "the native check gave no such finding");
}

}  // namespace

base::Finding RunNative(const CheckContext& context, const NativeCheck& check, const base::Json& own) {
  if (own.is_null()) return Chosen(check.run(context), check.id);
  const auto expectations = Expectations::Load({.configuration = own});
  if (!expectations.ok()) return CannotTell(StartFinding({check.id, ""}), expectations.status());
  const CheckContext with_own{.system = context.system,
                              .expectations = *expectations,
                              .kernel = context.kernel,
                              .clock = context.clock,
                              .files = context.files,
                              .read_gpus = context.read_gpus,
                              .writable_directory = context.writable_directory};
  base::Finding finding = Chosen(check.run(with_own), check.id);
  // What the line states came in as a configuration; the line's own place is told by the caller.
  if (finding.expectation_source.starts_with("configuration: ")) finding.expectation_source.clear();
  return finding;
}

}  // namespace ashlar::node
