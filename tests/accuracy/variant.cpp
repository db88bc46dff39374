// SPDX-License-Identifier: LGPL-2.1-or-later
#include "variant.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace cltrack::accuracy {
namespace {

constexpr int kMiddle = 128;
constexpr double kRange = 255;

std::uint8_t clamped(double value) {
  return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L));
}

// One component, Y, Cb or Cr, of a mapped frame.
struct Component {
  std::uint8_t* data;
  int width;
  int height;
  int stride;
  int step;         // bytes from one sample to the next
  int subsampling;  // pixels from one sample to the next, across
  int rows_apart;   // and down

  std::uint8_t& at(int x, int y) const { return data[y * stride + x * step]; }
};

Component component(GstVideoFrame& frame, int index) {
  const auto i = static_cast<guint>(index);
  const GstVideoFormatInfo* format = frame.info.finfo;
  return {static_cast<std::uint8_t*>(GST_VIDEO_FRAME_COMP_DATA(&frame, index)),
          GST_VIDEO_FRAME_COMP_WIDTH(&frame, index),
          GST_VIDEO_FRAME_COMP_HEIGHT(&frame, index),
          GST_VIDEO_FRAME_COMP_STRIDE(&frame, index),
          GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, index),
          1 << GST_VIDEO_FORMAT_INFO_W_SUB(format, i),
          1 << GST_VIDEO_FORMAT_INFO_H_SUB(format, i)};
}

template <typename Change>
void change_samples(const Component& samples, const Change& change) {
  for (int y = 0; y < samples.height; ++y) {
    for (int x = 0; x < samples.width; ++x) samples.at(x, y) = change(samples.at(x, y));
  }
}

void mirror(const Component& samples) {
  for (int y = 0; y < samples.height; ++y) {
    for (int x = 0; x < samples.width / 2; ++x) {
      std::swap(samples.at(x, y), samples.at(samples.width - 1 - x, y));
    }
  }
}

// By pixels of luma: chroma, of which there may be less, is interpolated between its samples.
void shift(const Component& samples, int pixels) {
  std::vector<std::uint8_t> before(static_cast<std::size_t>(samples.width * samples.height));
  for (int y = 0; y < samples.height; ++y) {
    for (int x = 0; x < samples.width; ++x) {
      before[static_cast<std::size_t>(y * samples.width + x)] = samples.at(x, y);
    }
  }
  const auto sample = [&](double x, double y) {
    x = std::clamp(x, 0.0, static_cast<double>(samples.width - 1));
    y = std::clamp(y, 0.0, static_cast<double>(samples.height - 1));
    const int left = static_cast<int>(x), top = static_cast<int>(y);
    const int right = std::min(left + 1, samples.width - 1);
    const int bottom = std::min(top + 1, samples.height - 1);
    const auto value = [&](int column, int row) {
      return static_cast<double>(before[static_cast<std::size_t>(row * samples.width + column)]);
    };
    const double upper = std::lerp(value(left, top), value(right, top), x - left);
    const double lower = std::lerp(value(left, bottom), value(right, bottom), x - left);
    return clamped(std::lerp(upper, lower, y - top));
  };
  const double across = static_cast<double>(pixels) / samples.subsampling;
  const double down = static_cast<double>(pixels) / samples.rows_apart;
  for (int y = 0; y < samples.height; ++y) {
    for (int x = 0; x < samples.width; ++x) samples.at(x, y) = sample(x - across, y - down);
  }
}

}  // namespace

namespace {

struct Span {
  int first, length;
};

// One side of what is shown. Both are multiples of 4, so that chroma needs no resampling.
Span shown_side(int whole, double middle, double step, double pace, std::uint64_t index) {
  constexpr double kMostTurn = 0.8;  // of a swing, in radians a frame, at a pace of 1
  const int length = whole * 3 / 4 / 4 * 4;
  const double swing = (whole - length) / 2.0;  // to each side
  if (swing <= 0) return {0, length};
  const double start = std::acos(std::clamp(1 - (middle - length / 2.0) / swing, -1.0, 1.0));
  const double turn = start + pace * std::min(step / swing, kMostTurn) * static_cast<double>(index);
  const double first = swing * (1 - std::cos(turn));
  return {std::clamp(static_cast<int>(first / 4 + 0.5) * 4, 0, (whole - length) / 4 * 4), length};
}

}  // namespace

BoundingBox shown_part(const Pan& pan, int width, int height, std::uint64_t index) {
  constexpr double kDown = 0.77;  // so much slower
  if (pan.speed == 0) return {0, 0, static_cast<float>(width), static_cast<float>(height)};
  const double step = pan.speed * std::sqrt(static_cast<double>(pan.first.area()));
  const Span across = shown_side(width, pan.first.center_x(), step, 1, index);
  const Span down = shown_side(height, pan.first.center_y(), step, kDown, index);
  return {static_cast<float>(across.first), static_cast<float>(down.first),
          static_cast<float>(across.length), static_cast<float>(down.length)};
}

void change_picture(GstVideoFrame& frame, const Variant& variant, std::uint64_t index) {
  std::mt19937_64 random(index + 1);
  const auto grey_levels = static_cast<std::uint64_t>(2 * variant.noise + 1);
  for (int i = 0; i < static_cast<int>(GST_VIDEO_FRAME_N_COMPONENTS(&frame)); ++i) {
    const Component samples = component(frame, i);
    if (i == 0 && (variant.contrast != 1 || variant.brightness != 0)) {
      std::array<std::uint8_t, 256> changed;
      for (int value = 0; value < 256; ++value) {
        changed[static_cast<std::size_t>(value)] =
            clamped((value - kMiddle) * variant.contrast + kMiddle + variant.brightness * kRange);
      }
      change_samples(samples, [&](std::uint8_t value) { return changed[value]; });
    }
    if (variant.shift != 0) shift(samples, variant.shift);
    if (variant.mirrored) mirror(samples);
    if (variant.noise != 0) {
      change_samples(samples, [&](std::uint8_t value) {
        const int added = static_cast<int>(random() % grey_levels) - variant.noise;
        return static_cast<std::uint8_t>(std::clamp(value + added, 0, 255));
      });
    }
  }
}

}  // namespace cltrack::accuracy
