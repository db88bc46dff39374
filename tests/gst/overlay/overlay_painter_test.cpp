// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gmock/gmock.h>
#include <gst/video/video-overlay-composition.h>
#include <gst/video/video.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "../support/refusal.h"
#include "overlay/overlay_painter.h"
#include "overlay/overlay_style.h"
#include "overlay/raster.h"

namespace cltrack::gst {
namespace {

using test::refusal;
using ::testing::AllOf;
using ::testing::HasSubstr;

const Color kRed{1, 0, 0};

std::uint32_t argb_at(const Raster& raster, int x, int y) {
  std::uint32_t value = 0;
  std::memcpy(&value, raster.data() + y * raster.stride() + x * 4, sizeof(value));
  return value;
}

unsigned alpha_at(const Raster& raster, int x, int y) { return argb_at(raster, x, y) >> 24; }

// The whole of the outline on one bitmap, whose corner is that of the first piece.
Raster paint_whole(const PixelRect& box, const OutlineStyle& style) {
  const int contour = contour_width(style.line_width);
  return paint_outline(
      box, {box.x - contour, box.y - contour, box.width + 2 * contour, box.height + 2 * contour},
      style);
}

int count_runs(const Raster& raster, int y) {
  int runs = 0;
  for (int x = 0; x < raster.width(); ++x) {
    const bool opaque = alpha_at(raster, x, y) > 200;
    const bool before = x > 0 && alpha_at(raster, x - 1, y) > 200;
    runs += opaque && !before;
  }
  return runs;
}

TEST(OutlinePieces, CoverTheSidesOnceAndNothingInside) {
  const PixelRect box{10, 20, 60, 40};
  const auto pieces = outline_pieces(box, 3);
  ASSERT_EQ(pieces.size(), 4u);
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < 100; ++x) {
      // A contour of 1 on both sides of a line of 3 on the outermost pixels of the box.
      const bool outside = x < 9 || x >= 71 || y < 19 || y >= 61;
      const bool inside = x >= 14 && x < 66 && y >= 24 && y < 56;
      int covered = 0;
      for (const PixelRect& piece : pieces) {
        covered += !intersection(piece, {x, y, 1, 1}).is_empty();
      }
      ASSERT_EQ(covered, outside || inside ? 0 : 1) << x << "," << y;
    }
  }
}

TEST(OutlinePieces, SmallBoxIsOnePiece) {
  const auto pieces = outline_pieces({5, 5, 1, 1}, 2);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0], (PixelRect{4, 4, 3, 3}));
}

TEST(OutlinePieces, ThinLineHasNoContour) {
  const auto pieces = outline_pieces({5, 5, 10, 10}, 1);
  ASSERT_EQ(pieces.size(), 4u);
  EXPECT_EQ(pieces[0], (PixelRect{5, 5, 10, 1}));
}

TEST(PaintOutline, SolidLineIsCrispAndOpaque) {
  const Raster raster = paint_whole({0, 0, 40, 30}, {kRed, LinePattern::solid, 3, 1});
  ASSERT_EQ(raster.width(), 42);
  for (int x = 1; x < 41; ++x) {
    EXPECT_EQ(argb_at(raster, x, 1), 0xffff0000u);
    EXPECT_EQ(argb_at(raster, x, 3), 0xffff0000u);
  }
  // Contour on either side: black, half transparent; then nothing.
  for (const int y : {0, 4}) {
    EXPECT_EQ(argb_at(raster, 20, y) & 0xffffffu, 0u) << y;
    EXPECT_NEAR(alpha_at(raster, 20, y), 140, 3) << y;
  }
  EXPECT_EQ(argb_at(raster, 20, 5), 0u);
  EXPECT_EQ(argb_at(raster, 20, 15), 0u);
}

TEST(PaintOutline, PiecesAreThePartsOfTheWhole) {
  const PixelRect box{3, 2, 50, 40};
  for (const LinePattern pattern : {LinePattern::solid, LinePattern::dashed, LinePattern::dotted}) {
    const OutlineStyle style{{0.2, 0.9, 0.4}, pattern, 3, 0.7};
    const Raster whole = paint_whole(box, style);
    for (const PixelRect& piece : outline_pieces(box, style.line_width)) {
      const Raster part = paint_outline(box, piece, style);
      for (int y = 0; y < part.height(); ++y) {
        for (int x = 0; x < part.width(); ++x) {
          ASSERT_EQ(argb_at(part, x, y), argb_at(whole, x + piece.x - 2, y + piece.y - 1));
        }
      }
    }
  }
}

TEST(PaintOutline, PatternsDifferInMoreThanColour) {
  const PixelRect box{0, 0, 120, 80};
  const auto runs = [&](LinePattern pattern) {
    return count_runs(paint_whole(box, {kRed, pattern, 2, 1}), 1);
  };
  EXPECT_EQ(runs(LinePattern::solid), 1);
  EXPECT_GE(runs(LinePattern::dashed), 4);
  EXPECT_GE(runs(LinePattern::dotted), 2 * runs(LinePattern::dashed));
}

TEST(PaintOutline, DashesMeetInTheCorners) {
  for (const int width : {23, 57, 64, 101}) {
    const Raster raster = paint_whole({0, 0, width, 40}, {kRed, LinePattern::dashed, 2, 1});
    EXPECT_EQ(argb_at(raster, 1, 1), 0xffff0000u) << width;
    EXPECT_EQ(argb_at(raster, width, 1), 0xffff0000u) << width;
    EXPECT_EQ(argb_at(raster, width, 40), 0xffff0000u) << width;
  }
}

TEST(PaintOutline, EveryPatternIsSeenOnTinyBoxes) {
  for (const LinePattern pattern : {LinePattern::solid, LinePattern::dashed, LinePattern::dotted}) {
    for (int side = 1; side < 12; ++side) {
      const Raster raster = paint_whole({0, 0, side, side}, {kRed, pattern, 1, 1});
      EXPECT_GT(alpha_at(raster, 0, 0), 100u) << side;
    }
  }
}

TEST(PaintOutline, OpacityHoldsForTheWholeOnce) {
  const Raster raster = paint_whole({0, 0, 40, 30}, {kRed, LinePattern::dashed, 4, 0.5});
  // In the corner two sides lie over each other, and over their contours.
  EXPECT_NEAR(alpha_at(raster, 2, 2), 128, 1);
  const Raster faint = paint_whole({0, 0, 40, 30}, {{1, 0, 0, 0.5}, LinePattern::solid, 4, 0.5});
  EXPECT_NEAR(alpha_at(faint, 2, 2), 64, 1);
}

class TagPainterTest : public ::testing::Test {
 protected:
  TagPainter painter_;
};

TEST_F(TagPainterTest, GroundAndTextAreThere) {
  EXPECT_EQ(painter_.set_font("Sans Bold", 16, 11), "");
  const Raster raster = painter_.paint("#1 87%", {1, 1, 0}, 1, 400, 400);
  EXPECT_GT(raster.width(), 30);
  EXPECT_GE(raster.height(), 16);
  EXPECT_EQ(argb_at(raster, 0, 0), 0xffffff00u);
  int dark = 0;
  for (int y = 0; y < raster.height(); ++y) {
    for (int x = 0; x < raster.width(); ++x) dark += argb_at(raster, x, y) == 0xff000000u;
  }
  EXPECT_GT(dark, 20);
}

TEST_F(TagPainterTest, LongTextIsShortenedToFit) {
  painter_.set_font("Sans", 16, 11);
  const std::string text(5000, 'W');
  const Raster raster = painter_.paint(text, kRed, 1, 100, 50);
  EXPECT_LE(raster.width(), 100);
  EXPECT_GT(raster.width(), 60);
  EXPECT_LE(raster.height(), 50);
}

TEST_F(TagPainterTest, FitsIntoAnyFrame) {
  painter_.set_font("Sans", 256, 11);
  for (const int side : {1, 2, 3, 7}) {
    const Raster raster = painter_.paint("label", kRed, 1, side, side);
    EXPECT_LE(raster.width(), side);
    EXPECT_LE(raster.height(), side);
    EXPECT_GE(raster.width(), 1);
    EXPECT_GE(raster.height(), 1);
  }
}

TEST_F(TagPainterTest, SizeComesFromThePropertyThenTheFontThenTheDefault) {
  const auto height = [this](const char* font, int size, int fallback) {
    EXPECT_EQ(painter_.set_font(font, size, fallback), "");
    return painter_.paint("X", kRed, 1, 1000, 1000).height();
  };
  EXPECT_EQ(height("Sans 60px", 20, 11), height("Sans", 20, 11));
  EXPECT_EQ(height("Sans 60px", 0, 11), height("Sans", 60, 11));
  EXPECT_EQ(height("Sans 45", 0, 11), height("Sans", 60, 11));  // points
  EXPECT_EQ(height("Sans", 0, 30), height("Sans", 30, 11));
  EXPECT_EQ(height("Sans 1px", 0, 30), height("Sans", kMinFontSize, 11));
  EXPECT_EQ(height("Sans 90000", 0, 30), height("Sans", kMaxFontSize, 11));
}

TEST_F(TagPainterTest, UnknownFontIsNamedAndReplaced) {
  const std::string problem = painter_.set_font("No Such Family 12", 0, 11);
  EXPECT_NE(problem.find("No Such Family"), std::string::npos) << problem;
  EXPECT_GT(painter_.paint("text", kRed, 1, 400, 400).width(), 10);
  EXPECT_EQ(painter_.set_font("No Such Family, Sans 12", 0, 11), "");
  EXPECT_EQ(painter_.set_font("", 0, 11), "");
  EXPECT_NE(painter_.set_font("\xff\xfe", 0, 11), "");
  EXPECT_THAT(painter_.set_font(std::string(1025, 'a'), 0, 11), ::testing::HasSubstr("1024 bytes"));
  EXPECT_GT(painter_.paint("text", kRed, 1, 400, 400).width(), 10);
}

TEST(OverlayColor, AlphaIsOpaqueUnlessGiven) {
  EXPECT_EQ(color_from_argb(0x00ff0000), (Color{1, 0, 0, 1}));
  EXPECT_EQ(color_from_argb(0xff0000ff), (Color{0, 0, 1, 1}));
  EXPECT_NEAR(color_from_argb(0x80ffffff).alpha, 0.5, 0.01);
}

TEST(OverlayColor, IdsNextToEachOtherDiffer) {
  for (int id = -5; id < 50; ++id) {
    const Color color = color_of_id(id);
    EXPECT_EQ(color, color_of_id(id));
    for (int other = id + 1; other < id + 8; ++other) {
      const Color next = color_of_id(other);
      const double distance = std::abs(color.red - next.red) + std::abs(color.green - next.green) +
                              std::abs(color.blue - next.blue);
      EXPECT_GT(distance, 0.15) << id << " " << other;
    }
  }
}

TEST(OverlayColor, IdsOfTwoTrackersDiffer) {
  for (int id = 1; id < 8; ++id) {
    for (int other = 1; other < 8; ++other) EXPECT_NE(color_of_id(id), color_of_id(other, 1));
  }
}

TEST(OverlayColor, TextContrastsWithItsGround) {
  EXPECT_EQ(text_color_on({1, 1, 0}), (Color{0, 0, 0}));
  EXPECT_EQ(text_color_on({0, 0, 0.8}), (Color{1, 1, 1}));
}

TEST(OverlayStyle, SizesFollowThePicture) {
  const OverlayStyle style;
  EXPECT_EQ(effective_line_width(style, 64), 1);
  EXPECT_EQ(effective_line_width(style, 240), 2);
  EXPECT_EQ(effective_line_width(style, 720), 3);
  EXPECT_EQ(effective_line_width(style, 2160), 9);
  OverlayStyle fixed;
  fixed.line_width = 7;
  EXPECT_EQ(effective_line_width(fixed, 64), 7);
  EXPECT_EQ(scaled_font_size(240), 11);
  EXPECT_EQ(scaled_font_size(1080), 27);
}

TrackRegion full_region() {
  TrackRegion region;
  region.id = 3;
  region.label = "car";
  region.box = {10, 20.6f, 30, 40};
  region.confidence = 0.874f;
  region.state = TrackState::uncertain;
  region.age = 125;
  region.algorithm = "tld";
  region.tracker = "left";
  return region;
}

TEST(LabelTemplate, FillsInEveryField) {
  EXPECT_EQ(LabelTemplate("{label} #{id} {confidence}%").fill(full_region()), "car #3 87%");
  EXPECT_EQ(LabelTemplate("{state},{age},{x},{y},{width},{height},{tracker},{algorithm}")
                .fill(full_region()),
            "uncertain,125,10,21,30,40,left,tld");
  EXPECT_EQ(LabelTemplate("{id}{id}").fill(full_region()), "33");
}

TEST(LabelTemplate, WhatIsNotKnownIsADash) {
  TrackRegion bare;
  bare.box = {0, 0, std::numeric_limits<float>::quiet_NaN(), 1};
  EXPECT_EQ(LabelTemplate("{label}{id}{state}{confidence}{age}{width}{algorithm}").fill(bare),
            "-0-----");
  bare.confidence = std::numeric_limits<float>::infinity();
  EXPECT_EQ(LabelTemplate("{confidence}").fill(bare), "100");
  bare.confidence = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(LabelTemplate("{confidence}").fill(bare), "-");
  TrackRegion lost = full_region();
  lost.state = TrackState::lost;
  EXPECT_EQ(LabelTemplate("{state} {confidence}").fill(lost), "lost -") << "it was of another time";
}

TEST(LabelTemplate, TakesBracesAndMarkupAsTheyAre) {
  EXPECT_EQ(LabelTemplate("{{{id}}} {{x}} <b>&amp;%s").fill(full_region()), "{3} {x} <b>&amp;%s");
}

TEST(LabelTemplate, EmptyIsNone) {
  EXPECT_TRUE(LabelTemplate().is_empty());
  EXPECT_TRUE(LabelTemplate("").is_empty());
  EXPECT_FALSE(LabelTemplate(" ").is_empty());
  EXPECT_EQ(LabelTemplate("#{id}").text(), "#{id}");
}

TEST(LabelTemplate, RefusesTheRestAndSaysWhatIsAllowed) {
  const std::pair<std::string, const char*> cases[] = {
      {"{name}", "\"{name}\" is no field"},
      {"{}", "\"{}\" is no field"},
      {"{Label}", "is no field"},
      {"{ id }", "is no field"},
      {"{id", "\"{id\" has no closing brace"},
      {"id}", "\"}\" has no opening brace"},
      {"{i{d}}", "\"{i{d}\" is no field"},
      {"caf\xc3", "is not valid UTF-8"},
      {"{" + std::string(1000, 'x') + "}", "is no field"},
      {std::string(1025, 'x'), "has more than 1024 bytes"},
      {std::string(1 << 20, '{'), "has more than 1024 bytes"},
  };
  for (const auto& [text, why] : cases) {
    const std::string reason = refusal([&text = text] { LabelTemplate{text}; });
    EXPECT_THAT(reason, AllOf(HasSubstr("label-template"), HasSubstr(why), HasSubstr("{label}"),
                              HasSubstr("{algorithm}"), HasSubstr("{{ and }}")));
    EXPECT_LT(reason.size(), 300u);
  }
  EXPECT_EQ(LabelTemplate(std::string(1024, 'x')).fill(full_region()).size(), 1024u);
}

TEST(LabelTemplate, TagIsOneBoundedLineWithIt) {
  OverlayStyle style;
  style.label_template = LabelTemplate("{label}\n\x01{id}");
  style.show_label = style.show_id = false;
  EXPECT_EQ(tag_text(full_region(), style), "car  3");
  TrackRegion hostile = full_region();
  hostile.label = std::string(1 << 20, '\xff');
  const std::string text = tag_text(hostile, style);
  EXPECT_LT(text.size(), 1000u);
  EXPECT_TRUE(g_utf8_validate(text.c_str(), -1, nullptr));
}

// As GStreamer does it, for every alpha and colour.
TEST(Raster, UnpremultipliesAsGStreamerDoes) {
  Raster raster(256, 256);
  cairo_surface_flush(raster.surface());
  for (int alpha = 0; alpha < 256; ++alpha) {
    auto* row = reinterpret_cast<std::uint32_t*>(cairo_image_surface_get_data(raster.surface()) +
                                                 alpha * raster.stride());
    for (int color = 0; color < 256; ++color) {
      const int premultiplied = std::min(color, alpha);
      row[color] = static_cast<std::uint32_t>(alpha << 24 | premultiplied << 16 |
                                              (alpha - premultiplied) << 8 | premultiplied / 2);
    }
  }
  const std::size_t size = static_cast<std::size_t>(raster.stride()) * 256;
  GstBuffer* premultiplied = gst_buffer_new_memdup(raster.data(), size);
  gst_buffer_add_video_meta(premultiplied, GST_VIDEO_FRAME_FLAG_NONE,
                            GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, 256, 256);
  GstVideoOverlayRectangle* rectangle = gst_video_overlay_rectangle_new_raw(
      premultiplied, 0, 0, 256, 256, GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA);
  GstBuffer* straight = gst_video_overlay_rectangle_get_pixels_unscaled_raw(
      rectangle, GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE);
  raster.unpremultiply();
  EXPECT_EQ(gst_buffer_memcmp(straight, 0, raster.data(), size), 0);
  gst_video_overlay_rectangle_unref(rectangle);
  gst_buffer_unref(premultiplied);
}

}  // namespace
}  // namespace cltrack::gst
