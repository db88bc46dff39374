// SPDX-License-Identifier: LGPL-2.1-or-later
// A synthetic video with a known answer: a textured target over a textured background.
#pragma once

#include <cmath>
#include <optional>

#include "cltrack/bounding_box.h"
#include "cltrack/frame.h"
#include "support/test_image.h"

namespace cltrack::test {

class Scene {
 public:
  Scene(int width, int height, std::uint64_t seed = 1) : Scene(width, height, seed, seed + 1000) {}
  Scene(int width, int height, std::uint64_t seed, std::uint64_t target_seed)
      : image_(width, height, 5), background_(width, height), target_(target_seed) {
    const Texture texture(seed);
    background_.fill([&](int x, int y) {
      return std::lround(
          60 + 0.5f * texture.at(0.6f * static_cast<float>(x), 0.6f * static_cast<float>(y)));
    });
  }

  // The picture with the target at `box`, or without it.
  Frame draw(const std::optional<BoundingBox>& box, std::int64_t pts = kNoTimestamp) {
    image_.fill([&](int x, int y) {
      const float px = static_cast<float>(x) + 0.5f;
      const float py = static_cast<float>(y) + 0.5f;
      if (box && px >= box->x && px < box->right() && py >= box->y && py < box->bottom()) {
        // The target's own texture is defined on a square of 40 units, whatever its size.
        const float u = (px - box->x) * 40 / box->width;
        const float v = (py - box->y) * 40 / box->height;
        return std::lround(target_.at(u, v));
      }
      return static_cast<long>(background_.at(x, y));
    });
    return {.luma = image_.view(), .pts = pts};
  }

 private:
  PaddedImage image_;
  PaddedImage background_;
  Texture target_;
};

}  // namespace cltrack::test
