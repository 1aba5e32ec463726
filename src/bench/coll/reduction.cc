#include "bench/coll/reduction.h"

#include <cstring>
#include <type_traits>

namespace ashlar::bench {
namespace {

template <typename T>
inline constexpr bool kIsHalf = std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>;
template <typename T>
inline constexpr bool kIsComplex = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;
template <typename T>
inline constexpr bool kIsArithmetic = std::is_arithmetic_v<T>;
template <typename T>
inline constexpr bool kIsPair = !kIsHalf<T> && !kIsComplex<T> && !kIsArithmetic<T>;

// Integers wrap in unsigned arithmetic, as every MPI computes them; in signed arithmetic that would be undefined.
template <typename T>
T Add(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  } else {
    return a + b;
  }
}

template <typename T>
T Multiply(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  } else {
    return a * b;
  }
}

template <typename T>
T ReducePair(ReduceOp op, const T& a, const T& b) {
  const bool first = op == ReduceOp::kMinimumLocation ? a.value < b.value : a.value > b.value;
  if (first) return a;
  if (a.value == b.value) return a.index < b.index ? a : b;
  return b;
}

template <typename T>
T ReduceInteger(ReduceOp op, T a, T b) {
  switch (op) {
    case ReduceOp::kLogicalAnd: return static_cast<T>(a != 0 && b != 0);
    case ReduceOp::kLogicalOr: return static_cast<T>(a != 0 || b != 0);
    case ReduceOp::kLogicalXor: return static_cast<T>((a != 0) != (b != 0));
    case ReduceOp::kBitAnd: return static_cast<T>(a & b);
    case ReduceOp::kBitOr: return static_cast<T>(a | b);
    case ReduceOp::kBitXor: return static_cast<T>(a ^ b);
    default: return a;
  }
}

template <typename T>
T ReduceNumber(ReduceOp op, T a, T b) {
  if (op == ReduceOp::kSum || op == ReduceOp::kAverage) return Add(a, b);
  if (op == ReduceOp::kProduct) return Multiply(a, b);
  if constexpr (!kIsComplex<T>) {
    if (op == ReduceOp::kMaximum) return a < b ? b : a;
    if (op == ReduceOp::kMinimum) return b < a ? b : a;
  }
  if constexpr (std::is_integral_v<T>) return ReduceInteger(op, a, b);
  return a;
}

template <typename T>
T ReduceElement(ReduceOp op, const T& a, const T& b) {
  if constexpr (kIsPair<T>) {
    return ReducePair(op, a, b);
  } else if constexpr (kIsHalf<T>) {
    return T(ReduceNumber(op, static_cast<float>(a), static_cast<float>(b)));
  } else {
    return ReduceNumber(op, a, b);
  }
}

template <typename T>
T Quotient(const T& element, int64_t ranks) {
  if constexpr (kIsPair<T>) {
    return element;
  } else if constexpr (kIsHalf<T>) {
    return T(static_cast<float>(element) / static_cast<float>(ranks));
  } else if constexpr (kIsComplex<T>) {
    return element / static_cast<typename T::value_type>(ranks);
  } else if constexpr (std::is_unsigned_v<T>) {
    return static_cast<T>(element / static_cast<uint64_t>(ranks));
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(element / ranks);
  } else {
    return element / static_cast<T>(ranks);
  }
}

}  // namespace

void Accumulate(ReduceOp op, DataType type, const void* operand, void* accumulator, size_t count) {
  WithType(type, [&](auto sample) {
    using T = decltype(sample);
    const T* in = static_cast<const T*>(operand);
    T* out = static_cast<T*>(accumulator);
    for (size_t i = 0; i < count; ++i) out[i] = ReduceElement(op, out[i], in[i]);
  });
}

void DivideBy(DataType type, int64_t ranks, void* elements, size_t count) {
  WithType(type, [&](auto sample) {
    using T = decltype(sample);
    T* out = static_cast<T*>(elements);
    for (size_t i = 0; i < count; ++i) out[i] = Quotient(out[i], ranks);
  });
}

bool SameElement(DataType type, const void* a, const void* b) {
  return WithType(type, [&](auto sample) {
    using T = decltype(sample);
    T left;
    T right;
    std::memcpy(static_cast<void*>(&left), a, sizeof(T));
    std::memcpy(static_cast<void*>(&right), b, sizeof(T));
    if constexpr (kIsPair<T>) {
      return left.value == right.value && left.index == right.index;
    } else if constexpr (kIsHalf<T>) {
      return left.bits == right.bits;
    } else {
      return left == right;
    }
  });
}

}  // namespace ashlar::bench
