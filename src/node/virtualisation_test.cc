#include "node/virtualisation.h"

#include <gtest/gtest.h>

#include "node/fake_tree_testing.h"

namespace ashlar::node {
namespace {

TEST(ReadVirtualisationTest, KnowsHypervisors) {
  struct Row {
    std::string_view name;
    std::map<std::string, std::string> dmi;
    std::optional<bool> flag;
    std::optional<bool> is_virtual;
    std::string_view kind;
  };
  const Row rows[] = {
      {"azure",
       {{"sys_vendor", "Microsoft Corporation"},
        {"product_name", "Virtual Machine"},
        {"chassis_asset_tag", "7783-7084-3265-9085-8269-3286-77"}},
       true,
       true,
       "azure"},
      {"hyper-v",
       {{"sys_vendor", "Microsoft Corporation"}, {"product_name", "Virtual Machine"}},
       true,
       true,
       "hyper-v"},
      {"a Surface is no virtual machine",
       {{"sys_vendor", "Microsoft Corporation"}, {"product_name", "Surface"}},
       false,
       false,
       "none"},
      {"qemu", {{"sys_vendor", "QEMU"}, {"product_name", "Standard PC"}}, true, true, "kvm"},
      {"vmware", {{"sys_vendor", "VMware, Inc."}}, true, true, "vmware"},
      {"no table, but the flag", {}, true, true, "other"},
      {"no table, no flag set", {}, false, false, "none"},
      {"nothing says it", {}, std::nullopt, std::nullopt, ""},
      {"bare metal", {{"sys_vendor", "Dell Inc."}, {"product_name", "PowerEdge"}}, false, false, "none"},
  };
  for (const Row& row : rows) {
    FakeTree tree;
    for (const auto& [name, text] : row.dmi) tree.Write("/sys/class/dmi/id/" + name, text + "\n");
    Unknowns unknowns;
    const Virtualisation found = ReadVirtualisation(tree.reader(), row.flag, unknowns);
    EXPECT_EQ(found.is_virtual, row.is_virtual) << row.name;
    EXPECT_EQ(found.kind, row.kind) << row.name;
    EXPECT_EQ(unknowns.empty(), row.is_virtual.has_value()) << row.name;
  }
}

TEST(VirtualisationJsonTest, UnknownIsNull) {
  EXPECT_TRUE(VirtualisationToJson({}).at("kind").is_null());
  EXPECT_TRUE(VirtualisationToJson({}).at("is_virtual").is_null());
}

}  // namespace
}  // namespace ashlar::node
