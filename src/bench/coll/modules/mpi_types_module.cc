#include "bench/coll/modules/mpi_types_module.h"

#include "bench/coll/reduction.h"

namespace ashlar::bench {
namespace {

// The form that MPI_Op_create asks for. The result goes to the second operand.
template <ReduceOp kOp, DataType kType>
void UserReduce(void* in, void* in_out, int* length, MPI_Datatype* /*type*/) {
  Accumulate(kOp, kType, in, in_out, static_cast<size_t>(*length));
}

template <DataType kType>
void CreateOperations(MPI_Op* operations) {
  constexpr int kCommutes = 1;
  MPI_Op_create(&UserReduce<ReduceOp::kSum, kType>, kCommutes, &operations[0]);
  MPI_Op_create(&UserReduce<ReduceOp::kProduct, kType>, kCommutes, &operations[1]);
  MPI_Op_create(&UserReduce<ReduceOp::kMaximum, kType>, kCommutes, &operations[2]);
  MPI_Op_create(&UserReduce<ReduceOp::kMinimum, kType>, kCommutes, &operations[3]);
}

MPI_Op PickOperation(ReduceOp op, const MPI_Op* operations) {
  switch (op) {
    case ReduceOp::kProduct: return operations[1];
    case ReduceOp::kMaximum: return operations[2];
    case ReduceOp::kMinimum: return operations[3];
    default: return operations[0];
  }
}

}  // namespace

MPI_Datatype MpiType(DataType type) {
  switch (type) {
    case DataType::kInt8: return MPI_INT8_T;
    case DataType::kUint8: return MPI_UINT8_T;
    case DataType::kInt16: return MPI_INT16_T;
    case DataType::kUint16:
    case DataType::kHalf:  // MPI only carries the bits; the operations are ours
    case DataType::kBfloat16: return MPI_UINT16_T;
    case DataType::kInt32: return MPI_INT32_T;
    case DataType::kUint32: return MPI_UINT32_T;
    case DataType::kInt64: return MPI_INT64_T;
    case DataType::kUint64: return MPI_UINT64_T;
    case DataType::kFloat: return MPI_FLOAT;
    case DataType::kDouble: return MPI_DOUBLE;
    case DataType::kLongDouble: return MPI_LONG_DOUBLE;
    case DataType::kBool: return MPI_C_BOOL;
    case DataType::kByte: return MPI_BYTE;
    case DataType::kComplexFloat: return MPI_C_FLOAT_COMPLEX;
    case DataType::kComplexDouble: return MPI_C_DOUBLE_COMPLEX;
    case DataType::kShortInt: return MPI_SHORT_INT;
    case DataType::kTwoInt: return MPI_2INT;
    case DataType::kLongInt: return MPI_LONG_INT;
    case DataType::kFloatInt: return MPI_FLOAT_INT;
    case DataType::kDoubleInt: return MPI_DOUBLE_INT;
    case DataType::kLongDoubleInt: return MPI_LONG_DOUBLE_INT;
  }
  return MPI_DATATYPE_NULL;
}

MpiOperations::MpiOperations() {
  CreateOperations<DataType::kHalf>(half_);
  CreateOperations<DataType::kBfloat16>(bfloat16_);
}

MpiOperations::~MpiOperations() {
  for (int i = 0; i < kHalfOperations; ++i) {
    MPI_Op_free(&half_[i]);
    MPI_Op_free(&bfloat16_[i]);
  }
}

MPI_Op MpiOperations::Of(ReduceOp op, DataType type) const {
  if (type == DataType::kHalf) return PickOperation(op, half_);
  if (type == DataType::kBfloat16) return PickOperation(op, bfloat16_);
  switch (op) {
    case ReduceOp::kSum:
    case ReduceOp::kAverage: return MPI_SUM;
    case ReduceOp::kProduct: return MPI_PROD;
    case ReduceOp::kMaximum: return MPI_MAX;
    case ReduceOp::kMinimum: return MPI_MIN;
    case ReduceOp::kLogicalAnd: return MPI_LAND;
    case ReduceOp::kLogicalOr: return MPI_LOR;
    case ReduceOp::kLogicalXor: return MPI_LXOR;
    case ReduceOp::kBitAnd: return MPI_BAND;
    case ReduceOp::kBitOr: return MPI_BOR;
    case ReduceOp::kBitXor: return MPI_BXOR;
    case ReduceOp::kMinimumLocation: return MPI_MINLOC;
    case ReduceOp::kMaximumLocation: return MPI_MAXLOC;
  }
  return MPI_OP_NULL;
}

}  // namespace ashlar::bench
