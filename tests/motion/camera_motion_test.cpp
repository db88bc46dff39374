// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/camera_motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.h"

namespace cltrack {
namespace {

constexpr int kSide = 900;

// Hills of all sizes, so that something of them is left in a reduced picture.
Image scene(std::uint64_t seed = 1) {
  Image all(kSide, kSide);
  for (int y = 0; y < kSide; ++y) std::fill_n(all.row(y), kSide, std::uint8_t{0});
  for (const int block : {64, 32, 16, 8}) {
    Random random(seed + static_cast<std::uint64_t>(block));
    const int blocks = kSide / block + 1;
    std::vector<std::uint8_t> values(static_cast<std::size_t>(blocks * blocks));
    for (std::uint8_t& value : values) value = static_cast<std::uint8_t>(random.below(64));
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) {
        all.row(y)[x] = static_cast<std::uint8_t>(
            all.row(y)[x] + values[static_cast<std::size_t>(y / block * blocks + x / block)]);
      }
    }
  }
  return all;
}

// A view of the scene; its rows are further apart than its width.
ImageView window(const Image& scene, int x, int y, int width = 640, int height = 480) {
  return {scene.row(y) + x, width, height, scene.width()};
}

TEST(CameraMotion, FollowsACamera) {
  const Image all = scene();
  struct Move {
    int x, y;
  };
  for (const auto& [x, y] : {Move{3, 0}, {-7, 4}, {20, -12}, {-40, 40}}) {
    CameraMotion camera;
    EXPECT_EQ(camera.observe(window(all, 100, 100), true).x, 0) << "no frame before";
    const Point shift = camera.observe(window(all, 100 + x, 100 + y), true);
    EXPECT_NEAR(shift.x, -x, 0.8f);
    EXPECT_NEAR(shift.y, -y, 0.8f);
  }
}

TEST(CameraMotion, IsExactlyNothingOfACameraThatStands) {
  const Image all = scene(), other = scene(7);
  Image now = scene();
  CameraMotion camera;
  camera.observe(window(all, 0, 0), true);
  EXPECT_EQ(camera.observe(window(all, 0, 0), true).x, 0);
  // A third of the picture moves.
  for (int y = 0; y < 480; ++y) std::copy_n(all.row(y), 210, now.row(y) + 6);
  const Point shift = camera.observe(window(now, 0, 0), true);
  EXPECT_EQ(shift.x, 0);
  EXPECT_EQ(shift.y, 0);
  // Noise of a grey level.
  Random random(1);
  for (int y = 0; y < 480; ++y) {
    for (int x = 0; x < 640; ++x) {
      now.row(y)[x] = static_cast<std::uint8_t>(now.row(y)[x] + random.below(2));
    }
  }
  EXPECT_EQ(camera.observe(window(now, 0, 0), true).x, 0);
}

TEST(CameraMotion, IsThatOfMostOfTheScene) {
  const Image all = scene(), other = scene(7);
  Image before = scene(), now(kSide, kSide);
  for (int y = 0; y < kSide; ++y) {
    std::copy_n(all.row(y) + 8, kSide - 8, now.row(y));
    std::copy_n(other.row(y), 200, before.row(y));
    std::copy_n(other.row(y) + 40, 200, now.row(y));  // somebody who goes further
  }
  CameraMotion camera;
  camera.observe(window(before, 0, 0), true);
  EXPECT_NEAR(camera.observe(window(now, 0, 0), true).x, -8, 0.8f);
}

TEST(CameraMotion, IsNotKnownOfOtherPictures) {
  const Image all = scene(), other = scene(7);
  CameraMotion camera;
  const auto is_nothing = [&](const ImageView& view, bool follows) {
    const Point shift = camera.observe(view, follows);
    return shift.x == 0 && shift.y == 0;
  };
  camera.observe(window(all, 0, 0), true);
  EXPECT_TRUE(is_nothing(window(all, 10, 0), false)) << "does not follow";
  EXPECT_TRUE(is_nothing(window(other, 0, 0), true)) << "a cut";
  EXPECT_TRUE(is_nothing(window(all, 0, 0, 320, 240), true)) << "another size";
  EXPECT_FALSE(is_nothing(window(all, 10, 0, 320, 240), true));
  camera.forget();
  EXPECT_TRUE(is_nothing(window(all, 20, 0, 320, 240), true)) << "forgotten";
}

TEST(CameraMotion, TakesPicturesOfAnySize) {
  const Image all = scene();
  for (const auto& [width, height] : {std::pair(1, 1), {17, 900}, {900, 3}, {33, 31}, {899, 897}}) {
    CameraMotion camera;
    EXPECT_EQ(camera.observe(window(all, 0, 0, width, height), true).x, 0);
    EXPECT_EQ(camera.observe(window(all, 0, 0, width, height), true).x, 0);
  }
  Image flat(640, 480);
  for (int y = 0; y < 480; ++y) std::fill_n(flat.row(y), 640, std::uint8_t{50});
  CameraMotion camera;
  camera.observe(flat.view(), true);
  EXPECT_EQ(camera.observe(flat.view(), true).x, 0);
}

}  // namespace
}  // namespace cltrack
