// The names of every check that NHC and AzNHC have, and what each becomes here. A name that is not in it is a typo or a
// site's own script. A constant table; any thread.
#pragma once

#include <span>
#include <string_view>

#include "node/nhc/mapped_check.h"

namespace ashlar::node {

struct NhcCheckRow {
  std::string_view name;
  std::string_view program;  // "NHC", "AzNHC"
  NhcMapper map = nullptr;   // null: known, and not honoured
  std::string_view instead;  // then: why, and what proves the same
};

std::span<const NhcCheckRow> NhcCheckTable();

// The row of `name`; nullptr when there is none.
const NhcCheckRow* FindNhcCheck(std::string_view name);

// The name in the table that `name` most likely stands for; "" when none is near.
std::string_view NearestNhcCheck(std::string_view name);

}  // namespace ashlar::node
