#include "rules.h"

#include <array>

namespace ashlar::tidy {
namespace {

constexpr std::array<Rule, 10> kRules = {{
    {"budgets", &CheckBudgets},
    {"text", &CheckText},
    {"names", &CheckNames},
    {"modes", &CheckModes},
    {"calls", &CheckCalls},
    {"comments", &CheckComments},
    {"headers", &CheckHeaders},
    {"layers", &CheckLayers},
    {"rooms", &CheckRooms},
    {"registries", &CheckRegistries},
}};

}  // namespace

std::span<const Rule> Rules() { return kRules; }

}  // namespace ashlar::tidy
