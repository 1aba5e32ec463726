#include "bench/coll/pattern.h"

#include <algorithm>
#include <complex>
#include <cstring>
#include <type_traits>

#include "bench/coll/reduction.h"

namespace ashlar::bench {
namespace {

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every bit of the input changes every bit of the output.
uint64_t Mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

// Largest n such that every whole number from 0 to n is exact in the type.
int64_t LargestExact(DataType type) {
  switch (type) {
    case DataType::kInt8: return 127;
    case DataType::kUint8: return 255;
    case DataType::kInt16: return 32'767;
    case DataType::kUint16: return 65'535;
    case DataType::kHalf: return 2048;
    case DataType::kBfloat16: return 256;
    default: return int64_t{1} << 24U;
  }
}

bool IsSigned(DataType type) {
  const TypeClass type_class = Info(type).type_class;
  return type_class == TypeClass::kSigned || type_class == TypeClass::kFloating || type_class == TypeClass::kComplex;
}

int64_t Centred(uint64_t hash, int64_t magnitude, bool with_sign) {
  const auto reach = static_cast<uint64_t>(with_sign ? 2 * magnitude + 1 : magnitude + 1);
  return static_cast<int64_t>(hash % reach) - (with_sign ? magnitude : 0);
}

// A term of a sum that no type overflows or rounds, in whatever order it is taken.
int64_t Term(const PatternSpec& spec, uint64_t hash, int64_t rank) {
  constexpr int64_t kLargestTerm = 7;
  const int64_t room = LargestExact(spec.type) / spec.ranks;
  if (room == 0 && rank >= LargestExact(spec.type)) return 0;
  return Centred(hash, std::clamp<int64_t>(room, 1, kLargestTerm), IsSigned(spec.type));
}

// A factor of a product: at most six of the ranks give 2, the others 1, so that the product is at most 64.
int64_t Factor(const PatternSpec& spec, uint64_t element_hash, int64_t rank) {
  constexpr int64_t kMostTwos = 6;
  const int64_t twos = static_cast<int64_t>(element_hash % static_cast<uint64_t>(std::min(kMostTwos, spec.ranks) + 1));
  const auto turn = static_cast<int64_t>((element_hash >> 8U) % static_cast<uint64_t>(spec.ranks));
  return (rank + turn) % spec.ranks < twos ? 2 : 1;
}

// About one rank in `ranks` is told apart, so that "and" and "or" have both results.
bool Rare(const PatternSpec& spec, uint64_t hash) { return (hash >> 16U) % static_cast<uint64_t>(2 * spec.ranks) == 0; }

int64_t WholeNumber(const PatternSpec& spec, uint64_t element_hash, uint64_t hash, int64_t rank) {
  const uint64_t bit = uint64_t{1} << (hash % (8 * Info(spec.type).size_bytes) % 64);
  if (!spec.op.has_value()) {
    return Info(spec.type).type_class == TypeClass::kLogical ? static_cast<int64_t>(hash & 1U)
                                                             : static_cast<int64_t>(hash % 251);
  }
  switch (*spec.op) {
    case ReduceOp::kSum:
    case ReduceOp::kAverage: return Term(spec, hash, rank);
    case ReduceOp::kProduct: return Factor(spec, element_hash, rank);
    case ReduceOp::kMaximum:
    case ReduceOp::kMinimum: return Centred(hash, 100, IsSigned(spec.type));
    case ReduceOp::kLogicalAnd: return Rare(spec, hash) ? 0 : 1;
    case ReduceOp::kLogicalOr: return Rare(spec, hash) ? 1 : 0;
    case ReduceOp::kLogicalXor: return static_cast<int64_t>(hash & 1U);
    case ReduceOp::kBitAnd: return static_cast<int64_t>(Rare(spec, hash) ? ~bit : ~uint64_t{0});
    case ReduceOp::kBitOr: return static_cast<int64_t>(Rare(spec, hash) ? bit : 0);
    case ReduceOp::kBitXor: return static_cast<int64_t>(hash);
    case ReduceOp::kMinimumLocation:
    case ReduceOp::kMaximumLocation: return static_cast<int64_t>(hash % 5);  // ties are wanted
  }
  return 0;
}

template <typename T>
T Element(int64_t number, int64_t rank) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(number);
  } else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>) {
    return T(static_cast<float>(number));
  } else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
    return T(static_cast<typename T::value_type>(number));
  } else {
    T pair{};
    pair.value = static_cast<decltype(pair.value)>(number);
    pair.index = static_cast<int>(rank);
    return pair;
  }
}

// Bytes of the elements [first, first + n) of the endless pattern that fit without wrapping.
std::span<const std::byte> Piece(DataType type, std::span<const std::byte> period, uint64_t first, size_t bytes) {
  const size_t element_bytes = Info(type).size_bytes;
  const std::span<const std::byte> tail = period.subspan((first % kPatternPeriod) * element_bytes);
  return tail.first(std::min(tail.size(), bytes));
}

}  // namespace

std::vector<std::byte> Contribution(const PatternSpec& spec, int64_t rank) {
  const size_t element_bytes = Info(spec.type).size_bytes;
  std::vector<std::byte> period(kPatternPeriod * element_bytes);
  WithType(spec.type, [&](auto sample) {
    using T = decltype(sample);
    for (size_t j = 0; j < kPatternPeriod; ++j) {
      const uint64_t element_hash = Mix(spec.seed * kPatternPeriod + j);
      const uint64_t hash = Mix(element_hash ^ (static_cast<uint64_t>(rank) << 32U));
      const T element = Element<T>(WholeNumber(spec, element_hash, hash, rank), rank);
      std::memcpy(&period[j * element_bytes], static_cast<const void*>(&element), element_bytes);
    }
  });
  return period;
}

std::vector<std::byte> Reduced(const PatternSpec& spec) {
  std::vector<std::byte> result = Contribution(spec, 0);
  for (int64_t rank = 1; rank < spec.ranks; ++rank) {
    const std::vector<std::byte> operand = Contribution(spec, rank);
    Accumulate(*spec.op, spec.type, operand.data(), result.data(), kPatternPeriod);
  }
  if (*spec.op == ReduceOp::kAverage) DivideBy(spec.type, spec.ranks, result.data(), kPatternPeriod);
  return result;
}

void FillRepeated(DataType type, std::span<const std::byte> period, uint64_t first, std::span<std::byte> buffer) {
  while (!buffer.empty()) {
    const std::span<const std::byte> piece = Piece(type, period, first, buffer.size());
    std::memcpy(buffer.data(), piece.data(), piece.size());
    buffer = buffer.subspan(piece.size());
    first += piece.size() / Info(type).size_bytes;
  }
}

uint64_t CountWrong(DataType type, std::span<const std::byte> period, uint64_t first,
                    std::span<const std::byte> buffer) {
  const size_t element_bytes = Info(type).size_bytes;
  uint64_t wrong = 0;
  while (!buffer.empty()) {
    const std::span<const std::byte> piece = Piece(type, period, first, buffer.size());
    if (std::memcmp(buffer.data(), piece.data(), piece.size()) != 0) {
      for (size_t at = 0; at < piece.size(); at += element_bytes) {
        if (!SameElement(type, &buffer[at], &piece[at])) ++wrong;
      }
    }
    buffer = buffer.subspan(piece.size());
    first += piece.size() / element_bytes;
  }
  return wrong;
}

}  // namespace ashlar::bench
