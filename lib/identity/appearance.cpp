// SPDX-License-Identifier: LGPL-2.1-or-later
#include "identity/appearance.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace cltrack {
namespace {

constexpr float kMiddle = 0.6f;        // share of the width that counts
constexpr int kColumns = 12;           // samples of a box, at most
constexpr int kRowsOfBand = 10;        // of each band
constexpr float kLeastChroma = 78.0f;  // of the chroma bins
constexpr float kMostChroma = 178.0f;

std::array<float, 3> ycc_at(const ColorPicture& picture, int x, int y) {
  std::array<float, 3> values = {};
  for (std::size_t c = 0; c < 3; ++c) {
    const ColorComponent& component = picture.components[c];
    values[c] = static_cast<float>(
        component.data[(y >> component.shift_y) * component.stride +
                       static_cast<std::ptrdiff_t>(x >> component.shift_x) * component.step]);
  }
  if (picture.space == ColorSpace::yuv) return values;
  const auto [red, green, blue] = values;
  return {0.299f * red + 0.587f * green + 0.114f * blue,
          128 - 0.1687f * red - 0.3313f * green + 0.5f * blue,
          128 + 0.5f * red - 0.4187f * green - 0.0813f * blue};
}

// Adds one sample, 0 to 1, to the two bins whose middles are nearest.
void add_sample(std::span<float> bins, float value) {
  const auto count = static_cast<float>(bins.size());
  const float place = std::clamp(value * count - 0.5f, 0.0f, count - 1);
  const auto left = static_cast<std::size_t>(place);
  const float share = place - static_cast<float>(left);
  bins[left] += 1 - share;
  if (share > 0) bins[left + 1] += share;
}

void normalise(std::span<float> bins) {
  float sum = 0;
  for (const float value : bins) sum += value;
  if (sum <= 0) return;
  for (float& value : bins) value = std::sqrt(value / sum);
}

float dot(std::span<const float> a, std::span<const float> b) {
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

std::optional<Appearance> Appearance::of(const ColorPicture& picture, const BoundingBox& box) {
  if (picture.width <= 0 || picture.height <= 0 || !box.is_valid()) return std::nullopt;
  const BoundingBox inside = clip_to_frame(box, picture.width, picture.height);
  if (inside.width < 1 || inside.height < 1) return std::nullopt;
  Appearance sample;
  sample.has_color_ = picture.space != ColorSpace::none;
  const int columns = std::clamp(static_cast<int>(kMiddle * inside.width), 1, kColumns);
  const int rows =
      std::clamp(static_cast<int>(inside.height / static_cast<float>(kBands)), 1, kRowsOfBand);
  const auto at = [](float start, float length, int i, int count, int limit) {
    const float middle = (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
    return std::clamp(static_cast<int>(start + length * middle), 0, limit - 1);
  };
  const float left = inside.x + inside.width * (1 - kMiddle) / 2;
  for (std::size_t band = 0; band < kBands; ++band) {
    const auto luma = std::span(sample.luma_).subspan(band * kLumaBins, kLumaBins);
    const auto chroma = std::span(sample.chroma_).subspan(band * 2 * kChromaBins, 2 * kChromaBins);
    for (int r = 0; r < rows; ++r) {
      const int y = at(inside.y, inside.height, static_cast<int>(band) * rows + r,
                       static_cast<int>(kBands) * rows, picture.height);
      for (int c = 0; c < columns; ++c) {
        const int x = at(left, kMiddle * inside.width, c, columns, picture.width);
        if (!sample.has_color_) {
          const ColorComponent& only = picture.components[0];
          add_sample(luma,
                     static_cast<float>(
                         only.data[y * only.stride + static_cast<std::ptrdiff_t>(x) * only.step]) /
                         256);
          continue;
        }
        const std::array<float, 3> ycc = ycc_at(picture, x, y);
        add_sample(luma, ycc[0] / 256);
        for (std::size_t i = 0; i < 2; ++i) {
          add_sample(chroma.subspan(i * kChromaBins, kChromaBins),
                     (ycc[i + 1] - kLeastChroma) / (kMostChroma - kLeastChroma));
        }
      }
    }
  }
  normalise(sample.luma_);
  normalise(sample.chroma_);
  return sample;
}

float Appearance::similarity(const Appearance& other) const {
  const float by_luma = dot(luma_, other.luma_);
  if (!has_color_ || !other.has_color_) return by_luma;
  // Each of the three histograms counts alike.
  return (by_luma + 2 * dot(chroma_, other.chroma_)) / 3;
}

void AppearanceGallery::add(const Appearance& sample) {
  if (first_.size() < kFirst) {
    first_.push_back(sample);
  } else if (latest_.size() < kLatest) {
    latest_.push_back(sample);
  } else {
    latest_[next_] = sample;
    next_ = (next_ + 1) % kLatest;
  }
}

float AppearanceGallery::similarity(const Appearance& other) const {
  float best = 0;
  for (const auto* samples : {&first_, &latest_}) {
    for (const Appearance& sample : *samples) best = std::max(best, sample.similarity(other));
  }
  return best;
}

}  // namespace cltrack
