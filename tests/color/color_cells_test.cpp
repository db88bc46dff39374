// SPDX-License-Identifier: LGPL-2.1-or-later
#include "color/color_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cltrack/error.h"
#include "color/color_learner.h"
#include "core/random.h"
#include "support/color_image.h"

namespace cltrack {
namespace {

using test::ColorImage;

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
