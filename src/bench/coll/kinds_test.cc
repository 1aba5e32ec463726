#include "bench/coll/kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ashlar::bench {
namespace {

using ::testing::HasSubstr;

TEST(Kinds, UnknownNamesAreRefusedWithTheChoice) {
  EXPECT_THAT(std::string(base::Message(ParseCollective("allreduce").status())), HasSubstr("all_reduce"));
  EXPECT_EQ(ParseCollective("").status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(base::Message(ParseDataType("fp32").status())), HasSubstr("bfloat16"));
  EXPECT_THAT(std::string(base::Message(ParseReduceOp("SUM").status())), HasSubstr("sum, prod, max, min, avg"));
}

TEST(Kinds, TablesStandInTheOrderOfTheirEnumerations) {
  for (const CollectiveInfo& row : Collectives()) {
    EXPECT_EQ(&Info(row.collective), &row);
    EXPECT_EQ(ParseCollective(row.name).value(), row.collective);
  }
  for (const DataTypeInfo& row : DataTypes()) {
    EXPECT_EQ(&Info(row.type), &row);
    EXPECT_EQ(ParseDataType(row.name).value(), row.type);
  }
  for (const ReduceOpInfo& row : ReduceOps()) {
    EXPECT_EQ(&Info(row.op), &row);
    EXPECT_EQ(ParseReduceOp(row.name).value(), row.op);
  }
}

TEST(Kinds, SizesAreThoseOfTheMpiTypes) {
  // MPI_Type_size and the C structs of MPI 3.1, 5.9.4, on the x86-64 ABI (padding included, as the extent has it).
  struct Row {
    const char* name;
    size_t size_bytes;
  };
  const Row rows[] = {
      {"int8", 1},           {"uint16", 2},          {"half", 2},      {"bfloat16", 2},    {"float", 4},
      {"double", 8},         {"longdouble", 16},     {"bool", 1},      {"byte", 1},        {"short_int", 8},
      {"2int", 8},           {"long_int", 16},       {"float_int", 8}, {"double_int", 16}, {"complexfloat", 8},
      {"complexdouble", 16}, {"long_double_int", 32}};
  for (const Row& row : rows) EXPECT_EQ(Info(ParseDataType(row.name).value()).size_bytes, row.size_bytes) << row.name;
}

TEST(Kinds, ReductionsAreDefinedWhereMpiDefinesThem) {
  // MPI 3.1, section 5.9.2, the table of allowed types, and 5.9.4.
  struct Row {
    const char* op;
    const char* type;
    bool defined;
  };
  const Row rows[] = {
      {"band", "float", false},        {"bor", "bool", false},          {"bxor", "byte", true},
      {"band", "uint8", true},         {"land", "double", false},       {"lor", "bool", true},
      {"lxor", "int32", true},         {"max", "complexdouble", false}, {"sum", "complexfloat", true},
      {"prod", "complexdouble", true}, {"sum", "bool", false},          {"sum", "byte", false},
      {"minloc", "int32", false},      {"minloc", "2int", true},        {"maxloc", "double_int", true},
      {"sum", "float_int", false},     {"avg", "half", true},           {"avg", "int64", true},
      {"min", "bfloat16", true},       {"max", "longdouble", true},     {"land", "complexfloat", false},
  };
  for (const Row& row : rows) {
    const base::Status status = CheckReduction(ParseReduceOp(row.op).value(), ParseDataType(row.type).value());
    EXPECT_EQ(status.ok(), row.defined) << row.op << " on " << row.type;
    if (row.defined) continue;
    EXPECT_EQ(status.code(), base::StatusCode::kInvalidArgument) << row.op;
  }
}

}  // namespace
}  // namespace ashlar::bench
