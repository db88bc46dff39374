// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/patch.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cltrack {
namespace {

constexpr int kWeightBits = 14;
constexpr int kRowBits = 4;  // fraction bits kept between the two passes, and of the result
static_assert(kPatchUnit == 1 << kRowBits);

// Keys' cubic convolution kernel, a = -0.5.
float cubic(float x) {
  x = std::abs(x);
  if (x < 1) return (1.5f * x - 2.5f) * x * x + 1;
  if (x < 2) return ((-0.5f * x + 2.5f) * x - 4) * x + 2;
  return 0;
}

// For each of the kPatchSide output pixels of one axis: which input pixels count how much.
struct Axis {
  std::array<int, kPatchSide> first;
  std::vector<std::int16_t>
      weights;  // `taps` for each output pixel; they add up to 1 << kWeightBits
  int taps = 0;
  int low = 0;  // input pixels before `low` are read as `low`, those after `high` as `high`
  int high = 0;

  int clamped(int output, int tap) const {
    return std::clamp(first[static_cast<std::size_t>(output)] + tap, low, high);
  }
  const std::int16_t* weights_of(int output) const { return weights.data() + output * taps; }
};

Axis make_axis(float start, float length, int image_size) {
  const float step = length / kPatchSide;
  const float widening = std::max(1.0f, step);
  Axis axis;
  axis.taps = static_cast<int>(std::ceil(4 * widening)) + 1;
  axis.low = std::clamp(static_cast<int>(std::floor(start)), 0, image_size - 1);
  axis.high = std::clamp(static_cast<int>(std::ceil(start + length)) - 1, axis.low, image_size - 1);
  axis.weights.resize(static_cast<std::size_t>(axis.taps) * kPatchSide);
  std::vector<float> exact(static_cast<std::size_t>(axis.taps));
  for (int i = 0; i < kPatchSide; ++i) {
    const float center = start + (static_cast<float>(i) + 0.5f) * step - 0.5f;
    const int first = static_cast<int>(std::ceil(center - 2 * widening));
    float sum = 0;
    for (int t = 0; t < axis.taps; ++t) {
      exact[static_cast<std::size_t>(t)] =
          cubic((static_cast<float>(first + t) - center) / widening);
      sum += exact[static_cast<std::size_t>(t)];
    }
    std::int16_t* weights = axis.weights.data() + i * axis.taps;
    int rest = 1 << kWeightBits;
    int largest = 0;
    for (int t = 0; t < axis.taps; ++t) {
      weights[t] = static_cast<std::int16_t>(
          std::lround(exact[static_cast<std::size_t>(t)] / sum * (1 << kWeightBits)));
      rest -= weights[t];
      if (weights[t] > weights[largest]) largest = t;
    }
    weights[largest] = static_cast<std::int16_t>(weights[largest] + rest);
    axis.first[static_cast<std::size_t>(i)] = first;
  }
  return axis;
}

// Takes the mean off the pixels and computes the norm.
void center(Patch& patch) {
  std::int32_t sum = 0;
  for (int i = 0; i < kPatchPixels; ++i) sum += patch.pixels[static_cast<std::size_t>(i)];
  const std::int32_t mean = (sum + kPatchPixels / 2) / kPatchPixels;
  std::int32_t squares = 0;
  for (int i = 0; i < kPatchPixels; ++i) {
    std::int16_t& v = patch.pixels[static_cast<std::size_t>(i)];
    v = static_cast<std::int16_t>(v - mean);
    squares += v * v;
  }
  patch.norm = std::sqrt(static_cast<float>(squares));
}

}  // namespace

Patch extract_patch(const ImageView& image, const BoundingBox& box) {
  const Axis xs = make_axis(box.x, box.width, image.width);
  const Axis ys = make_axis(box.y, box.height, image.height);
  const int width = xs.high - xs.low + 1;
  std::vector<std::int32_t> row(static_cast<std::size_t>(width));
  Patch patch;
  for (int j = 0; j < kPatchSide; ++j) {
    // Columns first: they run over contiguous pixels.
    std::fill(row.begin(), row.end(), 1 << (kWeightBits - kRowBits - 1));
    for (int t = 0; t < ys.taps; ++t) {
      const int weight = ys.weights_of(j)[t];
      if (weight == 0) continue;
      const std::uint8_t* source = image.row(ys.clamped(j, t)) + xs.low;
      for (int x = 0; x < width; ++x) row[static_cast<std::size_t>(x)] += weight * source[x];
    }
    for (std::int32_t& v : row) v >>= kWeightBits - kRowBits;
    for (int i = 0; i < kPatchSide; ++i) {
      int sum = 1 << (kWeightBits - 1);
      for (int t = 0; t < xs.taps; ++t) {
        sum += xs.weights_of(i)[t] * row[static_cast<std::size_t>(xs.clamped(i, t) - xs.low)];
      }
      patch.pixels[static_cast<std::size_t>(j * kPatchSide + i)] =
          static_cast<std::int16_t>(std::clamp(sum >> kWeightBits, 0, 255 * kPatchUnit));
    }
  }
  center(patch);
  return patch;
}

float ncc(const Patch& a, const Patch& b) {
  if (a.norm == 0 || b.norm == 0) return 0;
  std::int32_t dot = 0;
  for (std::size_t i = 0; i < kPatchStride; ++i) dot += a.pixels[i] * b.pixels[i];
  return static_cast<float>(dot) / (a.norm * b.norm);
}

}  // namespace cltrack
