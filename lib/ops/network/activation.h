// SPDX-License-Identifier: LGPL-2.1-or-later
// What a layer of a network does to its sums; the same bits everywhere: e^x is made of products and
// sums here, since libraries round it in their own ways.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "kernels/network_types.h"

namespace cltrack {

enum class Activation {
  none = CLTRACK_ACTIVATION_NONE,
  relu = CLTRACK_ACTIVATION_RELU,
  relu6 = CLTRACK_ACTIVATION_RELU6,                // at most 6
  hard_swish = CLTRACK_ACTIVATION_HARD_SWISH,      // x times hard sigmoid
  hard_sigmoid = CLTRACK_ACTIVATION_HARD_SIGMOID,  // x / 6 + 1/2, between 0 and 1
  sigmoid = CLTRACK_ACTIVATION_SIGMOID,
  exp = CLTRACK_ACTIVATION_EXP,
};

// What is no number is taken for the lowest.
inline float network_exp(float x) {
  constexpr float kPolynomial[] = CLTRACK_EXP_POLYNOMIAL;
  x = x < CLTRACK_EXP_HIGHEST ? x : CLTRACK_EXP_HIGHEST;
  x = x > CLTRACK_EXP_LOWEST ? x : CLTRACK_EXP_LOWEST;
  const float n = std::floor(x * CLTRACK_EXP_LOG2_E + 0.5f);
  const float r = (x - n * CLTRACK_EXP_LOG_2_HIGH) - n * CLTRACK_EXP_LOG_2_LOW;
  float sum = kPolynomial[0];
  for (int i = 1; i < CLTRACK_EXP_TERMS; ++i) sum = sum * r + kPolynomial[i];
  const auto exponent = static_cast<std::uint32_t>(static_cast<std::int32_t>(n) + 127) << 23;
  return ((sum * (r * r) + r) + 1) * std::bit_cast<float>(exponent);
}

inline float network_sigmoid(float x) { return 1 / (1 + network_exp(-x)); }

// Of a float, or of each in a vector, but for sigmoid and exp. What is no number becomes the lowest
// value, where there is one. By reference: vectors cannot be passed where they may be of AVX2.
template <typename Floats>
[[gnu::always_inline]] inline void limit_each(Floats& x, float lowest, float highest) {
  const Floats low = Floats{} + lowest, high = Floats{} + highest;
  x = x > low ? x : low;
  x = x < high ? x : high;
}
template <typename Floats>
[[gnu::always_inline]] inline void activate_each(Floats& x, Activation activation) {
  const Floats zero = {};
  if (activation == Activation::relu) {
    x = x > zero ? x : zero;
  } else if (activation == Activation::relu6) {
    limit_each(x, 0, 6);
  } else if (activation == Activation::hard_swish || activation == Activation::hard_sigmoid) {
    Floats gate = x * (1.0f / 6) + 0.5f;
    limit_each(gate, 0, 1);
    x = activation == Activation::hard_swish ? x * gate : gate;
  }
}

inline float activate(float x, Activation activation) {
  switch (activation) {
    case Activation::sigmoid:
      return network_sigmoid(x);
    case Activation::exp:
      return network_exp(x);
    default:
      activate_each(x, activation);
      return x;
  }
}

}  // namespace cltrack
