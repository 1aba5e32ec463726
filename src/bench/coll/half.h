// The two 16-bit floating-point formats that MPI has no type for, as numbers that C++ can compute with.
//
// Conversion to float is exact, back is to nearest, ties to even. Sources: IEEE 754-2019 binary16; bfloat16 is the
// upper half of binary32. No state; any thread.
#pragma once

#include <bit>
#include <cstdint>

namespace ashlar::bench {

inline float FloatFromHalfBits(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000U) << 16U;
  const uint32_t exponent = (bits >> 10U) & 0x1FU;
  const uint32_t fraction = bits & 0x3FFU;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000U | (fraction << 13U));
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112U) << 23U) | (fraction << 13U));
  // Subnormal: fraction times 2^-24, exact in binary32.
  const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
  return sign != 0 ? -magnitude : magnitude;
}

inline uint16_t HalfBitsFromFloat(float number) {
  const uint32_t bits = std::bit_cast<uint32_t>(number);
  const auto sign = static_cast<uint16_t>((bits >> 16U) & 0x8000U);
  const uint32_t magnitude = bits & 0x7FFFFFFFU;
  if (magnitude > 0x7F800000U) return sign | 0x7E00U;   // not a number
  if (magnitude >= 0x47800000U) return sign | 0x7C00U;  // 65536 and beyond, infinity among them
  if (magnitude < 0x38800000U) {
    // Below 2^-14: adding 0.5 lets the hardware round to multiples of 2^-24.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3F000000U));
  }
  const uint32_t odd = (magnitude >> 13U) & 1U;
  return static_cast<uint16_t>(sign | ((magnitude - (112U << 23U) + 0xFFFU + odd) >> 13U));
}

inline uint16_t Bfloat16BitsFromFloat(float number) {
  const uint32_t bits = std::bit_cast<uint32_t>(number);
  if ((bits & 0x7FFFFFFFU) > 0x7F800000U) return static_cast<uint16_t>((bits >> 16U) | 0x40U);
  return static_cast<uint16_t>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U);
}

struct Half {
  uint16_t bits = 0;
  Half() = default;
  explicit Half(float number) : bits(HalfBitsFromFloat(number)) {}
  explicit operator float() const { return FloatFromHalfBits(bits); }
};

struct Bfloat16 {
  uint16_t bits = 0;
  Bfloat16() = default;
  explicit Bfloat16(float number) : bits(Bfloat16BitsFromFloat(number)) {}
  explicit operator float() const { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16U); }
};

}  // namespace ashlar::bench
