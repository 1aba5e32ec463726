// Tests of what a line of NHC becomes: a mapper, its arguments, a machine, and what it must say. One thread at a time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "node/checks/checks_testing.h"
#include "node/nhc/mapped_check.h"

namespace ashlar::node {

// What the mapped check finds on `machine`; a line that is refused is a failed test.
base::Finding RunMapped(NhcMapper map, const std::vector<std::string>& arguments, const FakeMachine& machine,
                        const std::string& node_yaml = "");

struct MappedCase {
  std::string name;
  std::vector<std::string> arguments;
  Files files;
  base::Verdict verdict = base::Verdict::kUnknown;
  std::string reason;  // a part of the reason; "" is not looked at
};
void ExpectMapped(NhcMapper map, std::span<const MappedCase> cases);

struct RefusedCase {
  std::vector<std::string> arguments;
  std::string message;  // a part of it
};
void ExpectRefused(NhcMapper map, std::span<const RefusedCase> cases);

}  // namespace ashlar::node
