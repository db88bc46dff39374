// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/patches/patch_axis.h"

#include <cmath>

namespace cltrack {
namespace {

// Keys' cubic convolution kernel, a = -0.5.
float cubic(float x) {
  x = std::abs(x);
  const float inner = (1.5f * x - 2.5f) * x * x + 1;
  const float outer = ((-0.5f * x + 2.5f) * x - 4) * x + 2;
  return x < 1 ? inner : x < 2 ? outer : 0.0f;
}

// To the nearest integer, halves away from zero.
std::int16_t rounded(float x) { return static_cast<std::int16_t>(x + std::copysign(0.5f, x)); }

}  // namespace

PatchAxis bare_patch_axis(float start, float length, int image_size) {
  PatchAxis axis;
  axis.taps = static_cast<int>(std::ceil(4 * std::max(1.0f, length / kPatchSide))) + 1;
  axis.stride = (axis.taps + 7) / 8 * 8;
  axis.low = std::clamp(static_cast<int>(std::floor(start)), 0, image_size - 1);
  axis.high = std::clamp(static_cast<int>(std::ceil(start + length)) - 1, axis.low, image_size - 1);
  axis.weights.resize(static_cast<std::size_t>(axis.stride) * kPatchSide);
  return axis;
}

PatchAxis reference::make_patch_axis(float start, float length, int image_size) {
  const float step = length / kPatchSide;
  const float widening = std::max(1.0f, step);
  PatchAxis axis = bare_patch_axis(start, length, image_size);
  std::vector<float> exact(static_cast<std::size_t>(axis.taps));
  for (int i = 0; i < kPatchSide; ++i) {
    const float center = start + (static_cast<float>(i) + 0.5f) * step - 0.5f;
    const int first = static_cast<int>(std::ceil(center - 2 * widening));
    axis.first[static_cast<std::size_t>(i)] = first;
    for (int t = 0; t < axis.taps; ++t) {
      exact[static_cast<std::size_t>(t)] =
          cubic((static_cast<float>(first + t) - center) / widening);
    }
    float sum = 0;
    for (const float weight : exact) sum += weight;
    std::int16_t* weights = axis.weights.data() + i * axis.stride;
    int rest = 1 << kWeightBits;
    for (int t = 0; t < axis.taps; ++t) {
      weights[t] = rounded(exact[static_cast<std::size_t>(t)] / sum * (1 << kWeightBits));
      rest -= weights[t];
    }
    std::int16_t& largest = *std::max_element(weights, weights + axis.taps);
    largest = static_cast<std::int16_t>(largest + rest);
  }
  return axis;
}

void center_patch(Patch& patch) {
  std::int32_t sum = 0;
  for (int i = 0; i < kPatchPixels; ++i) sum += patch.pixels[static_cast<std::size_t>(i)];
  const std::int32_t mean = (sum + kPatchPixels / 2) / kPatchPixels;
  for (int i = 0; i < kPatchPixels; ++i) {
    std::int16_t& v = patch.pixels[static_cast<std::size_t>(i)];
    v = static_cast<std::int16_t>(v - mean);
  }
  patch.set_norm();
}

void Patch::set_norm() {
  std::int32_t squares = 0;
  for (int i = 0; i < kPatchPixels; ++i) {
    const std::int32_t v = pixels[static_cast<std::size_t>(i)];
    squares += v * v;
  }
  norm = std::sqrt(static_cast<float>(squares));
}

}  // namespace cltrack
