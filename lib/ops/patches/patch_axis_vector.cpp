// SPDX-License-Identifier: LGPL-2.1-or-later
// The weights of a patch's axis on vectors: several output pixels side by side, tap by tap, so that
// the sum of each is added up in the same order as in the reference.
#include <cstring>
#include <vector>

#include "core/processor.h"
#include "ops/patches/patch_axis.h"

namespace cltrack {
namespace {

struct Four {
  using Floats [[gnu::vector_size(16)]] = float;
  using Ints [[gnu::vector_size(16)]] = std::int32_t;
  static constexpr Floats kNumbers = {0, 1, 2, 3};
};
struct Eight {
  using Floats [[gnu::vector_size(32)]] = float;
  using Ints [[gnu::vector_size(32)]] = std::int32_t;
  static constexpr Floats kNumbers = {0, 1, 2, 3, 4, 5, 6, 7};
};

// Fills a vector of outputs from `output` on, up to the last one. In one function, because vectors
// of AVX2 cannot be parameters of functions. Comparisons that hold are -1.
template <typename Vectors>
[[gnu::always_inline]] inline void fill_outputs(float start, float step, float widening, int output,
                                                float* exact, PatchAxis& axis) {
  using Floats = typename Vectors::Floats;
  using Ints = typename Vectors::Ints;
  constexpr int lanes = sizeof(Floats) / sizeof(float);
  const Floats none = {};
  const Floats place = Vectors::kNumbers + static_cast<float>(output);
  const Floats center = start + (place + 0.5f) * step - 0.5f;
  const Floats left = center - 2 * widening;
  Ints first = __builtin_convertvector(left, Ints);
  first -= __builtin_convertvector(first, Floats) < left;  // upwards

  Floats sum = {};
  for (int t = 0; t < axis.taps; ++t) {
    // cubic() of patch_axis_reference.cpp.
    Floats x = (__builtin_convertvector(first + t, Floats) - center) / widening;
    x = x < 0.0f ? -x : x;
    const Floats inner = (1.5f * x - 2.5f) * x * x + 1.0f;
    const Floats outer = ((-0.5f * x + 2.5f) * x - 4.0f) * x + 2.0f;
    const Floats beyond = x < 2.0f ? outer : none;
    const Floats weight = x < 1.0f ? inner : beyond;
    std::memcpy(exact + t * lanes, &weight, sizeof(weight));
    sum += weight;
  }

  const int count = std::min(lanes, kPatchSide - output);
  std::int16_t* const weights = axis.weights.data() + output * axis.stride;
  const Ints full = Ints{} + (1 << kWeightBits);
  Ints rest = full;
  Ints largest = -full;
  Ints largest_tap = {};  // the first of the largest
  for (int t = 0; t < axis.taps; ++t) {
    Floats weight;
    std::memcpy(&weight, exact + t * lanes, sizeof(weight));
    weight = weight / sum * static_cast<float>(1 << kWeightBits);
    const Floats half = none + 0.5f;
    // To the nearest integer, halves away from zero.
    const Ints whole = __builtin_convertvector(weight + (weight < 0.0f ? -half : half), Ints);
    rest -= whole;
    const Ints here = Ints{} + t;
    largest_tap = whole > largest ? here : largest_tap;
    largest = whole > largest ? whole : largest;
    for (int i = 0; i < count; ++i) {
      weights[i * axis.stride + t] = static_cast<std::int16_t>(whole[i]);
    }
  }
  for (int i = 0; i < count; ++i) {
    weights[i * axis.stride + largest_tap[i]] = static_cast<std::int16_t>(largest[i] + rest[i]);
    axis.first[static_cast<std::size_t>(output + i)] = first[i];
  }
}

template <typename Vectors>
[[gnu::always_inline]] inline void fill(float start, float length, PatchAxis& axis) {
  constexpr int lanes = sizeof(typename Vectors::Floats) / sizeof(float);
  const float step = length / kPatchSide;
  const float widening = std::max(1.0f, step);
  std::vector<float> exact(static_cast<std::size_t>(axis.taps * lanes));
  for (int output = 0; output < kPatchSide; output += lanes) {
    fill_outputs<Vectors>(start, step, widening, output, exact.data(), axis);
  }
}

void fill_narrow(float start, float length, PatchAxis& axis) { fill<Four>(start, length, axis); }
CLTRACK_AVX2 void fill_wide(float start, float length, PatchAxis& axis) {
  fill<Eight>(start, length, axis);
}

}  // namespace

PatchAxis vector::make_patch_axis(float start, float length, int image_size) {
  static const auto body = fastest_body(fill_narrow, fill_wide);
  PatchAxis axis = bare_patch_axis(start, length, image_size);
  body(start, length, axis);
  return axis;
}

}  // namespace cltrack
