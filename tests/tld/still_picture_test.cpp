// SPDX-License-Identifier: LGPL-2.1-or-later
// A picture that stays as it is: nothing moves a target on it, whatever its size and texture.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <span>

#include "cltrack/tld_tracker.h"
#include "support/color_image.h"
#include "support/test_image.h"
#include "tld/moving_target.h"

namespace cltrack {
namespace {

using test::PaddedImage;
using test::single_threaded;
using test::Texture;

constexpr int kFrames = 100;
constexpr float kPixel = 0.5f;  // all edges are reported at the same one

enum class Look { smooth, fine, blocks, ramp, dark };
constexpr Look kLooks[] = {Look::smooth, Look::fine, Look::blocks, Look::ramp, Look::dark};

// `fine` has structure of a pixel on a coarse one, `blocks` edges and corners alone, `ramp` hardly
// any structure on a slope, `dark` a few grey levels.
PaddedImage picture(Look look, int width, int height) {
  const Texture coarse(3), details(4);
  Random random(7);
  return PaddedImage(width, height, 5).fill([&](int x, int y) {
    const auto px = static_cast<float>(x), py = static_cast<float>(y);
    const float texture = coarse.at(px, py);
    switch (look) {
      case Look::smooth:
        return texture;
      case Look::fine:
        return std::clamp(texture + 0.3f * (static_cast<float>(random.below(256)) - 128), 0.f,
                          255.f);
      case Look::blocks:
        return std::floor(details.at(std::floor(px / 9) * 9, std::floor(py / 7) * 7) / 64) * 80;
      case Look::ramp:
        return std::min(30 + 0.4f * px + 0.1f * py + 0.05f * texture, 255.f);
      case Look::dark:
        return 12 + texture / 32;
    }
    return 0.f;
  });
}

// How far an edge has been from where it was given.
float most_moved(const Frame& frame, const BoundingBox& given, const TldConfig& config) {
  const auto tracker = make_tld_tracker(config);
  tracker->add(given);
  float most = 0;
  for (int i = 0; i < kFrames; ++i) {
    const Track track = tracker->process(frame)[0];
    EXPECT_NE(track.state, TrackState::lost) << i;
    const BoundingBox& box = track.box;
    most =
        std::max({most, std::abs(box.x - given.x), std::abs(box.y - given.y),
                  std::abs(box.right() - given.right()), std::abs(box.bottom() - given.bottom())});
  }
  return most;
}

// Median flow has nothing to hold on to where there is hardly any structure.
void expect_still(const BoundingBox& given, int width, int height, const TldConfig& config) {
  const auto looks = std::span(kLooks).first(config.motion == kMedianFlow ? 3 : std::size(kLooks));
  for (const Look look : looks) {
    const PaddedImage luma = picture(look, width, height);
    EXPECT_LT(most_moved({.luma = luma.view()}, given, config), kPixel)
        << "motion " << config.motion << ", texture " << static_cast<int>(look) << ", "
        << given.width << "x" << given.height;
  }
}

// Places that are no multiples of the scan grid's steps.
TEST(StillPicture, SmallBoxesStay) {
  for (const int motion : {kCorrelation, kMedianFlow}) {
    TldConfig config = single_threaded();
    config.motion = motion;
    expect_still({31, 22, 8, 8}, 80, 60, config);
    expect_still({47, 33, 11, 24}, 90, 70, config);
    expect_still({53, 29, 40, 24}, 120, 90, config);
  }
}

TEST(StillPicture, LargeBoxesStay) {
  for (const int motion : {kCorrelation, kMedianFlow}) {
    TldConfig config = single_threaded();
    config.motion = motion;
    config.max_windows = 20000;
    expect_still({43, 37, 90, 130}, 240, 200, config);
    expect_still({23, 41, 200, 110}, 240, 170, config);
    expect_still({37, 29, 400, 300}, 460, 350, config);
  }
}

TEST(StillPicture, ColorsDoNotMoveIt) {
  const PaddedImage luma = picture(Look::fine, 240, 200);
  test::ColorImage color(test::color_format("NV12"), 240, 200, 5);
  for (int y = 0; y < 200; ++y) {
    for (int x = 0; x < 240; ++x) {
      color.at(0, x, y) = luma.view().row(y)[x];
      color.at(1, x, y) = static_cast<std::uint8_t>(100 + x / 8);
      color.at(2, x, y) = static_cast<std::uint8_t>(160 - y / 6);
    }
  }
  const Frame frame{.luma = luma.view(), .color = color.picture()};
  EXPECT_LT(most_moved(frame, {101, 63, 37, 52}, single_threaded()), kPixel);
}

}  // namespace
}  // namespace cltrack
