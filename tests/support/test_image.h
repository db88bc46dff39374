// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures for tests: reproducible, with padded strides and known places.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "cltrack/image_view.h"
#include "core/random.h"

namespace cltrack::test {

// A plane whose rows lie `padding` bytes further apart than needed.
class PaddedImage {
 public:
  PaddedImage(int width, int height, int padding = 0)
      : width_(width),
        height_(height),
        stride_(width + padding),
        bytes_(static_cast<std::size_t>(stride_) * static_cast<std::size_t>(height), kPad) {}

  int width() const { return width_; }
  int height() const { return height_; }
  std::uint8_t& at(int x, int y) {
    return bytes_[static_cast<std::size_t>(y) * static_cast<std::size_t>(stride_) +
                  static_cast<std::size_t>(x)];
  }
  ImageView view() const { return {bytes_.data(), width_, height_, stride_}; }
  ImageView part(int x, int y, int width, int height) const {
    return {view().row(y) + x, width, height, stride_};
  }

  template <typename F>
  PaddedImage& fill(F&& value) {
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) at(x, y) = static_cast<std::uint8_t>(value(x, y));
    }
    return *this;
  }

 private:
  static constexpr std::uint8_t kPad = 0xA5;
  int width_, height_, stride_;
  std::vector<std::uint8_t> bytes_;
};

// White noise.
inline PaddedImage noise_image(int width, int height, std::uint64_t seed, int padding = 0) {
  Random random(seed);
  return PaddedImage(width, height, padding).fill([&](int, int) { return random.below(256); });
}

// A smooth random texture: like a real picture it can be moved by fractions of a pixel and has
// structure at several sizes. Values 0 to 255, defined for every point of the plane.
class Texture {
 public:
  explicit Texture(std::uint64_t seed) {
    Random random(seed);
    for (Wave& wave : waves_) {
      const float length = random.uniform(7, 45);
      const float angle = random.uniform(0, 6.2831853f);
      wave = {6.2831853f / length * std::cos(angle), 6.2831853f / length * std::sin(angle),
              random.uniform(0, 6.2831853f)};
    }
  }

  float at(float x, float y) const {
    float sum = 0;
    for (const Wave& wave : waves_) sum += std::sin(wave.fx * x + wave.fy * y + wave.phase);
    const float v = 127.5f + 32 * sum;
    return v < 0 ? 0 : v > 255 ? 255 : v;
  }

 private:
  struct Wave {
    float fx, fy, phase;
  };
  Wave waves_[12];
};

}  // namespace cltrack::test
