// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/color_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "../support/value_array.h"
#include "cltrack/error.h"

namespace cltrack {
namespace {

using gst::ColorEntry;
using gst::parse_colors;
using Array = test::ValueArray;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string refusal(const char* text) {
  Array array(text);
  try {
    parse_colors(array.get());
    return "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    return error.what();
  }
}

TEST(ColorList, TakesTheThreeKinds) {
  Array array(R"(<"hsv, hue-min=340, hue-max=20.5, saturation-min=0.5, label=cap", )"
              R"("rgb, red=20, green=40, blue=200, tolerance=10", )"
              R"("box, x=1, y=2.5, width=30, height=40, label=\"red shirt\"">)");
  const std::vector<ColorEntry> colors = parse_colors(array.get());
  ASSERT_THAT(colors, SizeIs(3));
  EXPECT_EQ(colors[0].label, "cap");
  ASSERT_TRUE(colors[0].model);
  EXPECT_TRUE(colors[0].model->contains({1, 0, 0}));
  EXPECT_FALSE(colors[0].model->contains({0, 0, 1}));
  ASSERT_TRUE(colors[1].model);
  EXPECT_EQ(colors[1].model->describe(), "rgb 20 40 200 within 10");
  EXPECT_FALSE(colors[2].model);
  EXPECT_EQ(colors[2].box, (BoundingBox{1, 2.5f, 30, 40}));
  EXPECT_EQ(colors[2].label, "red shirt");
}

TEST(ColorList, WhatIsWrittenCanBeRead) {
  Array array(R"(<"hsv, hue-min=340, hue-max=20, label=cap", "box, x=1, y=2, width=3, height=4">)");
  const std::vector<ColorEntry> colors = parse_colors(array.get());
  Array written("<>");
  gst::write_colors(colors, written.get());
  const std::vector<ColorEntry> again = parse_colors(written.get());
  ASSERT_THAT(again, SizeIs(2));
  EXPECT_EQ(again[0].text, colors[0].text);
  EXPECT_EQ(again[0].label, "cap");
  EXPECT_EQ(again[1].box, colors[1].box);
}

TEST(ColorList, SaysWhatIsWrong) {
  EXPECT_THAT(refusal(R"(<"cmyk, c=1">)"), HasSubstr("is called cmyk"));
  EXPECT_THAT(refusal(R"(<"hsv, hue=20">)"), HasSubstr("has a field"));
  EXPECT_THAT(refusal(R"(<"hsv, hue-min=abc">)"), HasSubstr("hue-min is not a number"));
  EXPECT_THAT(refusal(R"(<"hsv, hue-min=400">)"), HasSubstr("hue-min is 400"));
  EXPECT_THAT(refusal(R"(<"rgb, red=1, green=2">)"), HasSubstr("blue is missing"));
  EXPECT_THAT(refusal(R"(<"rgb, red=1.5, green=2, blue=3">)"), HasSubstr("is not an integer"));
  EXPECT_THAT(refusal(R"(<"rgb, red=256, green=2, blue=3">)"), HasSubstr("red is 256"));
  EXPECT_THAT(refusal(R"(<"box, x=1, y=2, width=0, height=4">)"), HasSubstr("greater than 0"));
  EXPECT_THAT(refusal("<7>"), HasSubstr("neither a structure nor a string"));
  EXPECT_THAT(refusal(R"(<"===">)"), HasSubstr("is not a structure"));
}

TEST(ColorList, LabelsAreTextWhateverGStreamerTakesThemFor) {
  Array array(R"(<"hsv, label=7", "hsv, label=0.1", "hsv, label=1/2", "hsv, label=true">)");
  const std::vector<ColorEntry> colors = parse_colors(array.get());
  ASSERT_THAT(colors, SizeIs(4));
  EXPECT_EQ(colors[0].label, "7");
  EXPECT_EQ(colors[1].label, "0.1");
  EXPECT_EQ(colors[2].label, "1/2");
  EXPECT_EQ(colors[3].label, "true");
  EXPECT_THAT(refusal(R"(<"hsv, label=[1,5]">)"), HasSubstr("label is not a string"));
}

TEST(ColorList, RefusesLabelsThatAreNotUtf8) {
  GstStructure* structure = gst_structure_new_empty("hsv");
  GValue label = G_VALUE_INIT;
  g_value_init(&label, G_TYPE_STRING);
  g_value_set_string(&label, "good");
  gst_structure_take_value(structure, "label", &label);
  // GStreamer would warn of it, but takes it.
  g_value_set_string(const_cast<GValue*>(gst_structure_get_value(structure, "label")), "caf\xe9");
  GValue entry = G_VALUE_INIT;
  g_value_init(&entry, GST_TYPE_STRUCTURE);
  g_value_take_boxed(&entry, structure);
  Array array;
  gst_value_array_append_and_take_value(array.get(), &entry);
  try {
    parse_colors(array.get());
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("label: \"caf\\351\" is not valid UTF-8"));
  }
}

TEST(ColorList, NoMoreThanThereAreLabels) {
  std::string text = "<";
  for (int i = 0; i < 256; ++i) text += std::string(i > 0 ? "," : "") + "\"hsv\"";
  EXPECT_THAT(refusal((text + ">").c_str()), HasSubstr("256 entries"));
}

}  // namespace
}  // namespace cltrack
