#include "node/unknown.h"

#include <gtest/gtest.h>

namespace ashlar::node {
namespace {

TEST(UnknownTest, KeepsFieldAndReason) {
  Unknowns inner;
  AddUnknown(inner, "state", base::Error(base::StatusCode::kNotFound, "no file"));
  Unknowns outer;
  AddUnknowns(outer, "rdma.mlx5_0.ports.1", inner);
  ASSERT_EQ(outer.size(), 1U);
  EXPECT_EQ(outer[0].field, "rdma.mlx5_0.ports.1.state");
  EXPECT_EQ(outer[0].reason, "no file");
  EXPECT_EQ(base::WriteJson(UnknownsToJson(outer)), R"([{"field":"rdma.mlx5_0.ports.1.state","reason":"no file"}])");
}

TEST(UnknownTest, AReasonIsUtf8WhateverTheFileHeld) {
  Unknowns unknowns;
  AddUnknown(unknowns, "size", base::Error(base::StatusCode::kInvalidArgument, "\"\xff 12\" is no number"));
  EXPECT_EQ(base::WriteJson(UnknownsToJson(unknowns)), R"([{"field":"size","reason":"\"? 12\" is no number"}])");
}

TEST(UnknownTest, NothingUnknownIsAnEmptyList) { EXPECT_EQ(base::WriteJson(UnknownsToJson({})), "[]"); }

}  // namespace
}  // namespace ashlar::node
