// The words of a collective benchmark: which collective, which element type, which reduction.
//
// Names are those of nccl-tests where it has the thing, of the MPI standard otherwise. No state; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/base.h"

namespace ashlar::bench {

enum class Collective {
  kAllReduce,
  kAllGather,
  kReduceScatter,
  kBroadcast,
  kReduce,
  kAllToAll,
  kGather,
  kScatter,
  kSendReceive,
};

enum class DataType {
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kHalf,
  kBfloat16,
  kFloat,
  kDouble,
  kLongDouble,
  kBool,
  kByte,
  kComplexFloat,
  kComplexDouble,
  kShortInt,
  kTwoInt,
  kLongInt,
  kFloatInt,
  kDoubleInt,
  kLongDoubleInt,
};

enum class ReduceOp {
  kSum,
  kProduct,
  kMaximum,
  kMinimum,
  kAverage,
  kLogicalAnd,
  kLogicalOr,
  kLogicalXor,
  kBitAnd,
  kBitOr,
  kBitXor,
  kMinimumLocation,
  kMaximumLocation,
};

// What a reduction may do with a type: MPI 3.1, 5.9.2 and 5.9.4.
enum class TypeClass { kSigned, kUnsigned, kFloating, kComplex, kLogical, kByte, kPair };

struct CollectiveInfo {
  Collective collective;
  std::string_view name;
  bool reduces;  // takes a reduction operation
  bool rooted;   // takes a root rank
};

struct DataTypeInfo {
  DataType type;
  std::string_view name;
  size_t size_bytes;
  TypeClass type_class;
};

struct ReduceOpInfo {
  ReduceOp op;
  std::string_view name;
};

std::span<const CollectiveInfo> Collectives();
std::span<const DataTypeInfo> DataTypes();
std::span<const ReduceOpInfo> ReduceOps();

const CollectiveInfo& Info(Collective collective);
const DataTypeInfo& Info(DataType type);
const ReduceOpInfo& Info(ReduceOp op);

// kInvalidArgument naming the ones that exist. "fp32" and the like are not guessed at.
base::StatusOr<Collective> ParseCollective(std::string_view name);
base::StatusOr<DataType> ParseDataType(std::string_view name);
base::StatusOr<ReduceOp> ParseReduceOp(std::string_view name);

// OK when MPI defines `op` on `type` (avg: NCCL's sum divided by the ranks), else kInvalidArgument that says why.
base::Status CheckReduction(ReduceOp op, DataType type);

// (value, index) pairs as MPI_MINLOC takes them; the layout is that of the C struct.
template <typename Value>
struct Located {
  Value value;
  int index;
};

}  // namespace ashlar::bench
