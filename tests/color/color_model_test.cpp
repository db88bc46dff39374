// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/color_model.h"

#include <gtest/gtest.h>

#include <limits>

#include "cltrack/error.h"
#include "color/color_model.h"
#include "support/color_image.h"

namespace cltrack {
namespace {

using test::ColorImage;

const test::ColorFormat& format(const std::string& name) {
  for (const auto& f : test::color_formats()) {
    if (f.name == name) return f;
  }
  throw std::runtime_error(name);
}

TEST(Hsv, KnownColours) {
  EXPECT_FLOAT_EQ(to_hsv({1, 0, 0}).hue, 0);
  EXPECT_FLOAT_EQ(to_hsv({0, 1, 0}).hue, 120);
  EXPECT_FLOAT_EQ(to_hsv({0, 0, 1}).hue, 240);
  EXPECT_FLOAT_EQ(to_hsv({1, 0, 0.5f}).hue, 330);
  EXPECT_FLOAT_EQ(to_hsv({0.5f, 0.25f, 0.25f}).saturation, 0.5f);
  EXPECT_FLOAT_EQ(to_hsv({0, 0, 0}).saturation, 0);
  EXPECT_FLOAT_EQ(to_hsv({0.3f, 0.3f, 0.3f}).value, 0.3f);
}

TEST(ColorModel, HueGoesRoundThroughRed) {
  const ColorModel red({.hue_min = 340, .hue_max = 20, .saturation_min = 0.5f});
  EXPECT_TRUE(red.contains({1, 0, 0}));
  EXPECT_TRUE(red.contains({1, 0, 0.2f}));
  EXPECT_TRUE(red.contains({1, 0.2f, 0}));
  EXPECT_FALSE(red.contains({1, 0, 0.8f}));
  EXPECT_FALSE(red.contains({1, 0.9f, 0.9f}));
}

TEST(ColorModel, NearAColour) {
  const ColorModel model = ColorModel::near(10, 200, 100, 10);
  EXPECT_TRUE(model.contains({20 / 255.0f, 190 / 255.0f, 100 / 255.0f}));
  EXPECT_FALSE(model.contains({21 / 255.0f, 200 / 255.0f, 100 / 255.0f}));
}

TEST(ColorModel, RejectsWhatIsNoColour) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(ColorModel({.hue_min = -1}), Error);
  EXPECT_THROW(ColorModel({.hue_max = 361}), Error);
  EXPECT_THROW(ColorModel({.hue_max = nan}), Error);
  EXPECT_THROW(ColorModel({.saturation_min = 0.6f, .saturation_max = 0.5f}), Error);
  EXPECT_THROW(ColorModel({.value_max = 1.5f}), Error);
  EXPECT_THROW(ColorModel::near(256, 0, 0, 1), Error);
  EXPECT_THROW(ColorModel::near(0, 0, 0, -1), Error);
}

TEST(ColorCells, BlackWhiteAndPrimariesInYuv) {
  const YuvEncoding tv;
  const auto color = [&](int y, int cb, int cr) {
    const auto byte = [](int v) { return static_cast<std::uint8_t>(v); };
    return color_of_cell(color_cell(byte(y), byte(cb), byte(cr)), ColorSpace::yuv, tv);
  };
  EXPECT_NEAR(color(16, 128, 128).green, 0, 0.03);
  EXPECT_NEAR(color(235, 128, 128).red, 1, 0.03);
  EXPECT_NEAR(color(81, 90, 240).red, 1, 0.04);  // red, BT.601
  EXPECT_NEAR(color(81, 90, 240).blue, 0, 0.04);
  EXPECT_NEAR(color(145, 54, 34).green, 1, 0.04);
  EXPECT_NEAR(color(41, 240, 110).blue, 1, 0.04);
}

TEST(ColorCells, TheFirstModelGetsWhatSeveralClaim) {
  const std::vector<ColorModel> models = {ColorModel::near(255, 0, 0, 60),
                                          ColorModel(HsvRange{.saturation_min = 0.5f})};
  const ColorTable table = make_color_table(models, ColorSpace::rgb, {});
  EXPECT_EQ(table[color_cell(255, 0, 0)], 1);
  EXPECT_EQ(table[color_cell(0, 0, 255)], 2);
  EXPECT_EQ(table[color_cell(255, 255, 255)], 0);
}

TEST(ColorModelLearn, FindsTheColourOfTheBox) {
  for (const char* name : {"RGB", "BGRx"}) {
    ColorImage image(format(name), 160, 120);
    image.fill_box(0, 0, 160, 120, {90, 90, 90});
    image.fill_box(60, 40, 30, 30, {30, 60, 200});
    image.fill_box(70, 45, 10, 10, {255, 255, 255});  // a highlight
    const ColorModel model = ColorModel::learn(image.picture(), {55, 35, 40, 40});
    EXPECT_TRUE(model.contains({30 / 255.0f, 60 / 255.0f, 200 / 255.0f})) << model.describe();
    EXPECT_FALSE(model.contains({90 / 255.0f, 90 / 255.0f, 90 / 255.0f}));
    EXPECT_FALSE(model.contains({200 / 255.0f, 60 / 255.0f, 30 / 255.0f}));
  }
}

TEST(ColorModelLearn, RedOnBothSidesOfZero) {
  ColorImage image(format("RGB"), 100, 100);
  image.fill_box(0, 0, 100, 100, {60, 120, 60});
  image.fill_box(40, 40, 20, 10, {200, 10, 40});
  image.fill_box(40, 50, 20, 10, {200, 40, 10});
  const ColorModel model = ColorModel::learn(image.picture(), {40, 40, 20, 20});
  EXPECT_TRUE(model.contains({200 / 255.0f, 10 / 255.0f, 40 / 255.0f})) << model.describe();
  EXPECT_TRUE(model.contains({200 / 255.0f, 40 / 255.0f, 10 / 255.0f}));
}

TEST(ColorModelLearn, GreyObjectsAreKnownByTheirBrightness) {
  ColorImage image(format("RGB"), 100, 100);
  image.fill_box(0, 0, 100, 100, {40, 40, 40});
  image.fill_box(40, 40, 20, 20, {220, 220, 220});
  const ColorModel model = ColorModel::learn(image.picture(), {40, 40, 20, 20});
  EXPECT_TRUE(model.contains({220 / 255.0f, 220 / 255.0f, 220 / 255.0f})) << model.describe();
  EXPECT_FALSE(model.contains({40 / 255.0f, 40 / 255.0f, 40 / 255.0f}));
}

TEST(ColorModelLearn, LeavesOutWhatTheBackgroundShows) {
  ColorImage image(format("RGB"), 100, 100);
  image.fill_box(0, 0, 100, 100, {200, 180, 20});  // yellow, as part of the object is
  image.fill_box(40, 40, 20, 12, {200, 140, 20});  // orange
  const ColorModel model = ColorModel::learn(image.picture(), {40, 40, 20, 20});
  EXPECT_FALSE(model.contains({200 / 255.0f, 180 / 255.0f, 20 / 255.0f})) << model.describe();
  EXPECT_TRUE(model.contains({200 / 255.0f, 140 / 255.0f, 20 / 255.0f}));
}

TEST(ColorModelLearn, SaysWhenThereIsNothingToLearn) {
  ColorImage image(format("RGB"), 100, 100);
  image.fill_box(0, 0, 100, 100, {200, 180, 20});
  EXPECT_THROW(ColorModel::learn(image.picture(), {40, 40, 20, 20}), Error);
  EXPECT_THROW(ColorModel::learn(image.picture(), {400, 40, 20, 20}), Error);
  EXPECT_THROW(ColorModel::learn({}, {4, 4, 20, 20}), Error);
}

}  // namespace
}  // namespace cltrack
