#include "bench/coll/kinds.h"

#include <complex>
#include <string>
#include <vector>

namespace ashlar::bench {
namespace {

constexpr CollectiveInfo kCollectives[] = {
    {Collective::kAllReduce, "all_reduce", true, false},
    {Collective::kAllGather, "all_gather", false, false},
    {Collective::kReduceScatter, "reduce_scatter", true, false},
    {Collective::kBroadcast, "broadcast", false, true},
    {Collective::kReduce, "reduce", true, true},
    {Collective::kAllToAll, "alltoall", false, false},
    {Collective::kGather, "gather", false, true},
    {Collective::kScatter, "scatter", false, true},
    {Collective::kSendReceive, "sendrecv", false, false},
};

constexpr DataTypeInfo kDataTypes[] = {
    {DataType::kInt8, "int8", 1, TypeClass::kSigned},
    {DataType::kUint8, "uint8", 1, TypeClass::kUnsigned},
    {DataType::kInt16, "int16", 2, TypeClass::kSigned},
    {DataType::kUint16, "uint16", 2, TypeClass::kUnsigned},
    {DataType::kInt32, "int32", 4, TypeClass::kSigned},
    {DataType::kUint32, "uint32", 4, TypeClass::kUnsigned},
    {DataType::kInt64, "int64", 8, TypeClass::kSigned},
    {DataType::kUint64, "uint64", 8, TypeClass::kUnsigned},
    {DataType::kHalf, "half", 2, TypeClass::kFloating},
    {DataType::kBfloat16, "bfloat16", 2, TypeClass::kFloating},
    {DataType::kFloat, "float", 4, TypeClass::kFloating},
    {DataType::kDouble, "double", 8, TypeClass::kFloating},
    {DataType::kLongDouble, "longdouble", sizeof(long double), TypeClass::kFloating},
    {DataType::kBool, "bool", sizeof(bool), TypeClass::kLogical},
    {DataType::kByte, "byte", 1, TypeClass::kByte},
    {DataType::kComplexFloat, "complexfloat", sizeof(std::complex<float>), TypeClass::kComplex},
    {DataType::kComplexDouble, "complexdouble", sizeof(std::complex<double>), TypeClass::kComplex},
    {DataType::kShortInt, "short_int", sizeof(Located<short>), TypeClass::kPair},
    {DataType::kTwoInt, "2int", sizeof(Located<int>), TypeClass::kPair},
    {DataType::kLongInt, "long_int", sizeof(Located<long>), TypeClass::kPair},
    {DataType::kFloatInt, "float_int", sizeof(Located<float>), TypeClass::kPair},
    {DataType::kDoubleInt, "double_int", sizeof(Located<double>), TypeClass::kPair},
    {DataType::kLongDoubleInt, "long_double_int", sizeof(Located<long double>), TypeClass::kPair},
};

constexpr ReduceOpInfo kReduceOps[] = {
    {ReduceOp::kSum, "sum"},
    {ReduceOp::kProduct, "prod"},
    {ReduceOp::kMaximum, "max"},
    {ReduceOp::kMinimum, "min"},
    {ReduceOp::kAverage, "avg"},
    {ReduceOp::kLogicalAnd, "land"},
    {ReduceOp::kLogicalOr, "lor"},
    {ReduceOp::kLogicalXor, "lxor"},
    {ReduceOp::kBitAnd, "band"},
    {ReduceOp::kBitOr, "bor"},
    {ReduceOp::kBitXor, "bxor"},
    {ReduceOp::kMinimumLocation, "minloc"},
    {ReduceOp::kMaximumLocation, "maxloc"},
};

template <typename Row>
base::Status UnknownName(std::string_view what, std::string_view name, std::span<const Row> table) {
  std::vector<std::string> names;
  for (const Row& row : table) names.emplace_back(row.name);
  return base::Error(base::StatusCode::kInvalidArgument, "there is no {} \"{}\"; choose one of {}", what, name,
                     base::Join(names, ", "));
}

bool Defined(ReduceOp op, TypeClass type_class) {
  switch (op) {
    case ReduceOp::kMinimumLocation:
    case ReduceOp::kMaximumLocation: return type_class == TypeClass::kPair;
    case ReduceOp::kBitAnd:
    case ReduceOp::kBitOr:
    case ReduceOp::kBitXor:
      return type_class == TypeClass::kSigned || type_class == TypeClass::kUnsigned || type_class == TypeClass::kByte;
    case ReduceOp::kLogicalAnd:
    case ReduceOp::kLogicalOr:
    case ReduceOp::kLogicalXor:
      return type_class == TypeClass::kSigned || type_class == TypeClass::kUnsigned ||
             type_class == TypeClass::kLogical;
    case ReduceOp::kMaximum:
    case ReduceOp::kMinimum:
      return type_class == TypeClass::kSigned || type_class == TypeClass::kUnsigned ||
             type_class == TypeClass::kFloating;
    case ReduceOp::kSum:
    case ReduceOp::kProduct:
    case ReduceOp::kAverage:
      return type_class != TypeClass::kPair && type_class != TypeClass::kLogical && type_class != TypeClass::kByte;
  }
  return false;
}

}  // namespace

std::span<const CollectiveInfo> Collectives() { return kCollectives; }
std::span<const DataTypeInfo> DataTypes() { return kDataTypes; }
std::span<const ReduceOpInfo> ReduceOps() { return kReduceOps; }

// The tables stand in the order of the enumerations; a test holds them to it.
const CollectiveInfo& Info(Collective collective) { return kCollectives[static_cast<size_t>(collective)]; }
const DataTypeInfo& Info(DataType type) { return kDataTypes[static_cast<size_t>(type)]; }
const ReduceOpInfo& Info(ReduceOp op) { return kReduceOps[static_cast<size_t>(op)]; }

base::StatusOr<Collective> ParseCollective(std::string_view name) {
  for (const CollectiveInfo& row : kCollectives) {
    if (row.name == name) return row.collective;
  }
  return UnknownName("collective", name, Collectives());
}

base::StatusOr<DataType> ParseDataType(std::string_view name) {
  for (const DataTypeInfo& row : kDataTypes) {
    if (row.name == name) return row.type;
  }
  return UnknownName("data type", name, DataTypes());
}

base::StatusOr<ReduceOp> ParseReduceOp(std::string_view name) {
  for (const ReduceOpInfo& row : kReduceOps) {
    if (row.name == name) return row.op;
  }
  return UnknownName("reduction", name, ReduceOps());
}

base::Status CheckReduction(ReduceOp op, DataType type) {
  if (Defined(op, Info(type).type_class)) return base::OkStatus();
  return base::Error(base::StatusCode::kInvalidArgument, "MPI defines no \"{}\" on \"{}\": choose another -o or -d",
                     Info(op).name, Info(type).name);
}

}  // namespace ashlar::bench
