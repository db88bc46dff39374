// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/color_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "cltrack/error.h"
#include "color/color_learner.h"
#include "color/color_model.h"
#include "core/random.h"
#include "support/color_image.h"
#include "support/errors.h"

namespace cltrack {
namespace {

using test::ColorImage;
using test::expect_rejected;

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
  for (const HsvRange& range : {HsvRange{.hue_min = -1},
                                {.hue_max = 361},
                                {.hue_max = nan},
                                {.saturation_min = 0.6f, .saturation_max = 0.5f},
                                {.value_max = 1.5f}}) {
    expect_rejected([&] { ColorModel model(range); });
  }
  expect_rejected([] { ColorModel::near(256, 0, 0, 1); });
  expect_rejected([] { ColorModel::near(0, 0, 0, -1); });
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
    ColorImage image(test::color_format(name), 160, 120);
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
  ColorImage image(test::color_format("RGB"), 100, 100);
  image.fill_box(0, 0, 100, 100, {60, 120, 60});
  image.fill_box(40, 40, 20, 10, {200, 10, 40});
  image.fill_box(40, 50, 20, 10, {200, 40, 10});
  const ColorModel model = ColorModel::learn(image.picture(), {40, 40, 20, 20});
  EXPECT_TRUE(model.contains({200 / 255.0f, 10 / 255.0f, 40 / 255.0f})) << model.describe();
  EXPECT_TRUE(model.contains({200 / 255.0f, 40 / 255.0f, 10 / 255.0f}));
}

TEST(ColorModelLearn, GreyObjectsAreKnownByTheirBrightness) {
  ColorImage image(test::color_format("RGB"), 100, 100);
  image.fill_box(0, 0, 100, 100, {40, 40, 40});
  image.fill_box(40, 40, 20, 20, {220, 220, 220});
  const ColorModel model = ColorModel::learn(image.picture(), {40, 40, 20, 20});
  EXPECT_TRUE(model.contains({220 / 255.0f, 220 / 255.0f, 220 / 255.0f})) << model.describe();
  EXPECT_FALSE(model.contains({40 / 255.0f, 40 / 255.0f, 40 / 255.0f}));
}

TEST(ColorModelLearn, LeavesOutWhatTheBackgroundShows) {
  ColorImage image(test::color_format("RGB"), 100, 100);
  image.fill_box(0, 0, 100, 100, {200, 180, 20});  // yellow, as part of the object is
  image.fill_box(40, 40, 20, 12, {200, 140, 20});  // orange
  const ColorModel model = ColorModel::learn(image.picture(), {40, 40, 20, 20});
  EXPECT_FALSE(model.contains({200 / 255.0f, 180 / 255.0f, 20 / 255.0f})) << model.describe();
  EXPECT_TRUE(model.contains({200 / 255.0f, 140 / 255.0f, 20 / 255.0f}));
}

TEST(ColorModelLearn, SaysWhenThereIsNothingToLearn) {
  ColorImage image(test::color_format("RGB"), 100, 100);
  image.fill_box(0, 0, 100, 100, {200, 180, 20});
  expect_rejected([&] { ColorModel::learn(image.picture(), {40, 40, 20, 20}); });
  expect_rejected([&] { ColorModel::learn(image.picture(), {400, 40, 20, 20}); });
  expect_rejected([] { ColorModel::learn({}, {4, 4, 20, 20}); });
}

// The first model that contains the colour of a cell, asked one after the other.
ColorTable plain_table(std::span<const ColorModel> models, ColorSpace space,
                       const YuvEncoding& encoding) {
  ColorTable table(kColorCells);
  for (std::uint32_t cell = 0; cell < kColorCells; ++cell) {
    const Rgb color = color_of_cell(cell, space, encoding);
    const auto first = std::find_if(models.begin(), models.end(),
                                    [&](const ColorModel& model) { return model.contains(color); });
    if (first != models.end()) {
      table[cell] = static_cast<std::uint8_t>(first - models.begin() + 1);
    }
  }
  return table;
}

// Of all kinds: hues through red and without an end, single greys, values at the ends of ranges.
std::vector<ColorModel> some_models() {
  Random random(5);
  const auto below = [&](unsigned limit) { return static_cast<int>(random.below(limit)); };
  std::vector<ColorModel> models;
  for (int i = 0; i < 24; ++i) {
    HsvRange range;
    range.hue_min = random.uniform(0, 360);
    range.hue_max = random.uniform(0, 360);
    range.saturation_min = random.uniform(0, 0.9f);
    range.value_min = random.uniform(0, 0.9f);
    range.value_max = std::min(1.0f, range.value_min + random.uniform(0, 0.3f));
    models.push_back(ColorModel(range));
    models.push_back(ColorModel::near(below(256), below(256), below(256), below(24)));
    if (i == 6) models.push_back(ColorModel::nothing());
  }
  models.push_back(ColorModel(HsvRange{.hue_min = 60, .hue_max = 60}));
  models.push_back(ColorModel(HsvRange{.saturation_max = 0, .value_min = 1}));
  models.push_back(ColorModel::near(255, 0, 255, 0));
  return models;
}

TEST(ColorTable, HasTheFirstModelOfEachCell) {
  const std::vector<ColorModel> models = some_models();
  const YuvEncoding full{.red = 0.2126, .blue = 0.0722, .full_range = true};
  for (const auto& [space, encoding] : {std::pair{ColorSpace::rgb, YuvEncoding{}},
                                        {ColorSpace::yuv, YuvEncoding{}},
                                        {ColorSpace::yuv, full}}) {
    EXPECT_TRUE(make_color_table(models, space, encoding) == plain_table(models, space, encoding));
  }
}

// Learning many boxes of one picture at once is learning each of them.
TEST(ColorLearner, OneBoxChangesNothingForTheNext) {
  for (const auto& format : test::color_formats()) {
    ColorImage image(format, 120, 90);
    image.fill_box(0, 0, 120, 90, {90, 128, 128});
    image.fill_box(10, 10, 30, 30, {200, 40, 60});
    image.fill_box(50, 20, 30, 40, {40, 60, 200});
    image.fill_box(80, 60, 30, 20, {60, 190, 60});
    ColorLearner learner(image.picture());
    for (const BoundingBox& box :
         {BoundingBox{10, 10, 30, 30}, BoundingBox{50, 20, 30, 40}, BoundingBox{80, 60, 30, 20},
          BoundingBox{-5.5f, -3, 30, 30}, BoundingBox{500, 10, 30, 30},
          BoundingBox{30.3f, 8.7f, 40, 60}, BoundingBox{10, 10, 30, 30}}) {
      std::vector<ColorModel> shared, alone;
      std::string shared_error, alone_error;
      try {
        shared.push_back(learner.learn(box));
      } catch (const Error& error) {
        shared_error = error.what();
      }
      try {
        alone.push_back(ColorModel::learn(image.picture(), box));
      } catch (const Error& error) {
        alone_error = error.what();
      }
      EXPECT_EQ(shared_error, alone_error);
      ASSERT_EQ(shared.size(), alone.size());
      if (shared.empty()) continue;
      EXPECT_EQ(shared[0].describe(), alone[0].describe());
      EXPECT_TRUE(make_color_table(shared, ColorSpace::rgb, {}) ==
                  make_color_table(alone, ColorSpace::rgb, {}));
    }
  }
}

}  // namespace
}  // namespace cltrack
