// SPDX-License-Identifier: LGPL-2.1-or-later
// Hard cases, drawn with noise: a background of nearly the object's colour, red on both sides of
// hue 0, light that fades, an object that leaves; in packed RGB and in I420.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cltrack/color_tracker.h"
#include "core/random.h"
#include "support/color_image.h"

namespace cltrack {
namespace {

using test::ColorImage;

constexpr int kWidth = 320, kHeight = 240;

struct Light {
  double red, green, blue;  // 0 to 255
};

Light operator*(const Light& light, double factor) {
  return {light.red * factor, light.green * factor, light.blue * factor};
}

Light from_hsv(double hue, double saturation, double value) {
  const auto component = [&](double shift) {
    const double k = std::fmod(shift + hue / 60, 6);
    return 255 * value * (1 - saturation * std::clamp(std::min(k, 4 - k), 0.0, 1.0));
  };
  return {component(5), component(3), component(1)};
}

class ColorScenes : public testing::TestWithParam<const char*> {
 protected:
  // An object on a background, each pixel with noise of its own.
  std::vector<Track> process(Tracker& tracker, const BoundingBox& object, const Light& color,
                             const Light& background, int noise = 6) {
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const float px = static_cast<float>(x), py = static_cast<float>(y);
        const bool inside =
            px >= object.x && px < object.right() && py >= object.y && py < object.bottom();
        put(x, y, inside ? color : background, noise);
      }
    }
    Frame frame;
    frame.color = image_.picture();
    const auto tracks = tracker.process(frame);
    return {tracks.begin(), tracks.end()};
  }

 private:
  void put(int x, int y, Light light, int noise) {
    const auto noisy = [&](double value) {
      const auto wide = static_cast<std::uint32_t>(2 * noise + 1);
      return std::clamp(value + static_cast<double>(random_.below(wide)) - noise, 0.0, 255.0);
    };
    light = {noisy(light.red), noisy(light.green), noisy(light.blue)};
    std::array<double, 3> components = {light.red, light.green, light.blue};
    if (image_.picture().space == ColorSpace::yuv) {
      const double luma = 0.299 * light.red + 0.587 * light.green + 0.114 * light.blue;
      components = {16 + luma * 219 / 255, 128 + (light.blue - luma) / 1.772 * 224 / 255,
                    128 + (light.red - luma) / 1.402 * 224 / 255};
    }
    for (std::size_t c = 0; c < 3; ++c) {
      image_.at(c, x, y) = static_cast<std::uint8_t>(std::lround(components[c]));
    }
  }

  ColorImage image_{test::color_format(GetParam()), kWidth, kHeight};
  Random random_{7};
};

BoundingBox object_at(int frame) {
  return {static_cast<float>(40 + 6 * frame), static_cast<float>(60 + 2 * frame), 48, 40};
}

void expect_at(const std::vector<Track>& tracks, const BoundingBox& box, int frame) {
  ASSERT_EQ(tracks.size(), 1u);
  EXPECT_EQ(tracks[0].id, 1u);
  EXPECT_EQ(tracks[0].state, TrackState::tracking) << "frame " << frame;
  EXPECT_GT(overlap(tracks[0].box, box), 0.85f) << "frame " << frame;
  EXPECT_NEAR(tracks[0].extent->centroid.x, box.center_x() - 0.5f, 1) << "frame " << frame;
  EXPECT_NEAR(tracks[0].extent->centroid.y, box.center_y() - 0.5f, 1) << "frame " << frame;
}

// The yellow of the paper's figure 5: the hue differs by 20 degrees, the brightness does not.
TEST_P(ColorScenes, ABackgroundOfASimilarColour) {
  const Light object = from_hsv(38, 0.85, 0.8), background = from_hsv(58, 0.7, 0.8);
  const auto tracker = make_color_tracker({.blobs = 1});
  tracker->add(object_at(0));
  for (int i = 0; i < 25; ++i) {
    expect_at(process(*tracker, object_at(i), object, background), object_at(i), i);
  }
}

TEST_P(ColorScenes, RedOnBothSidesOfZero) {
  const Light background = from_hsv(200, 0.2, 0.5);
  for (const bool learnt : {false, true}) {
    const auto tracker = make_color_tracker({.blobs = 1});
    if (learnt) {
      tracker->add(object_at(0));
    } else {
      tracker->add(ColorModel({.hue_min = 340, .hue_max = 20, .saturation_min = 0.5f}));
    }
    // The light's colour changes, and the object's hue with it: 357 to 3 degrees.
    for (int i = 0; i < 25; ++i) {
      const Light object = from_hsv(i % 2 == 0 ? 3 : 357, 0.8, 0.7);
      expect_at(process(*tracker, object_at(i), object, background), object_at(i), i);
    }
  }
}

TEST_P(ColorScenes, LightThatFades) {
  const Light object = from_hsv(120, 0.8, 0.8), background = from_hsv(30, 0.3, 0.6);
  const auto tracker = make_color_tracker({.blobs = 1});
  tracker->add(
      ColorModel({.hue_min = 80, .hue_max = 160, .saturation_min = 0.35f, .value_min = 0.08f}));
  for (int i = 0; i < 25; ++i) {
    const double light = 1 - 0.032 * i;  // down to a quarter: values of 48
    expect_at(process(*tracker, object_at(i), object * light, background * light, 3), object_at(i),
              i);
  }
  // In the dark there is nothing to see, and that is said.
  const auto dark = process(*tracker, object_at(25), object * 0.05, background * 0.05, 1);
  EXPECT_EQ(dark[0].state, TrackState::lost);
  expect_at(process(*tracker, object_at(26), object, background), object_at(26), 26);
}

TEST_P(ColorScenes, AnObjectThatLeavesAndComesBack) {
  const Light object = from_hsv(220, 0.8, 0.8), background = from_hsv(40, 0.1, 0.6);
  for (const int blobs : {0, 1}) {
    const auto tracker = make_color_tracker({.blobs = blobs});
    tracker->add({200, 100, 48, 40});
    std::string states;
    for (float x = 200; x < 340; x += 4) {
      const auto tracks = process(*tracker, {x, 100, 48, 40}, object, background);
      states += to_string(tracks.at(0).state)[0];
    }
    // Tracked until it is cut off, uncertain while little is left of it, then lost.
    const std::size_t uncertain = states.find('u'), lost = states.find('l');
    ASSERT_NE(uncertain, std::string::npos) << states;
    ASSERT_NE(lost, std::string::npos) << states;
    EXPECT_LT(uncertain, lost);
    EXPECT_EQ(states, std::string(uncertain, 't') + std::string(lost - uncertain, 'u') +
                          std::string(states.size() - lost, 'l'));
    EXPECT_GE(uncertain, 24u) << "still there by half";
    EXPECT_EQ(process(*tracker, {}, object, background)[0].state, TrackState::lost);
    const BoundingBox back = {20, 20, 48, 40};
    expect_at(process(*tracker, back, object, background), back, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, ColorScenes, testing::Values("RGB", "I420"));

}  // namespace
}  // namespace cltrack
