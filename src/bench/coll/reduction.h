// Reductions on the host: what the results of a collective must be, and the operations that MPI itself lacks.
//
// No state; any thread. Elements lie in raw buffers aligned for their type.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

#include "bench/coll/half.h"
#include "bench/coll/kinds.h"

namespace ashlar::bench {

// Calls `work(T{})` with the C++ type of `type`. bool is looked at as a byte: a damaged one may hold any bits.
template <typename Work>
decltype(auto) WithType(DataType type, const Work& work) {
  switch (type) {
    case DataType::kInt8: return work(int8_t{});
    case DataType::kUint8: return work(uint8_t{});
    case DataType::kInt16: return work(int16_t{});
    case DataType::kUint16: return work(uint16_t{});
    case DataType::kInt32: return work(int32_t{});
    case DataType::kUint32: return work(uint32_t{});
    case DataType::kInt64: return work(int64_t{});
    case DataType::kUint64: return work(uint64_t{});
    case DataType::kHalf: return work(Half{});
    case DataType::kBfloat16: return work(Bfloat16{});
    case DataType::kFloat: return work(float{});
    case DataType::kDouble: return work(double{});
    case DataType::kLongDouble: return work(0.0L);
    case DataType::kComplexFloat: return work(std::complex<float>{});
    case DataType::kComplexDouble: return work(std::complex<double>{});
    case DataType::kShortInt: return work(Located<short>{});
    case DataType::kTwoInt: return work(Located<int>{});
    case DataType::kLongInt: return work(Located<long>{});
    case DataType::kFloatInt: return work(Located<float>{});
    case DataType::kDoubleInt: return work(Located<double>{});
    case DataType::kLongDoubleInt: return work(Located<long double>{});
    case DataType::kBool:
    case DataType::kByte: break;
  }
  return work(uint8_t{});
}

// accumulator[i] = accumulator[i] op operand[i] for `count` elements. An average adds: DivideBy ends it. The pair
// (op, type) must have passed CheckReduction; another one leaves the accumulator as it is.
void Accumulate(ReduceOp op, DataType type, const void* operand, void* accumulator, size_t count);

// elements[i] = elements[i] / ranks; integers towards zero, as NCCL's ncclAvg has it.
void DivideBy(DataType type, int64_t ranks, void* elements, size_t count);

// Equal as values: padding inside an element does not count.
bool SameElement(DataType type, const void* a, const void* b);

}  // namespace ashlar::bench
