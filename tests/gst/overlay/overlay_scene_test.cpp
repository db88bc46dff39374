// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/overlay_scene.h"

#include <gtest/gtest.h>

#include <limits>

#include "../support/video_picture.h"
#include "overlay/overlay_blend.h"
#include "overlay/overlay_painter.h"

namespace cltrack::gst {
namespace {

using test::BufferPtr;

TrackRegion region(int id, const BoundingBox& box, TrackState state = TrackState::tracking) {
  TrackRegion result;
  result.id = id;
  result.label = "thing";
  result.box = box;
  result.confidence = 0.87f;
  result.state = state;
  return result;
}

TEST(OverlayText, SaysWhatIsKnownAndWanted) {
  OverlayStyle style;
  EXPECT_EQ(tag_text(region(3, {}), style), "thing #3 87%");
  EXPECT_EQ(tag_text(region(3, {}, TrackState::uncertain), style), "thing #3 87% uncertain");
  EXPECT_EQ(tag_text(region(3, {}, TrackState::lost), style), "thing #3 lost");
  TrackRegion bare = region(3, {});
  bare.confidence.reset();
  bare.state.reset();
  EXPECT_EQ(tag_text(bare, style), "thing #3");
  bare.label.clear();
  EXPECT_EQ(tag_text(bare, style), "#3");
  style.show_id = false;
  EXPECT_EQ(tag_text(bare, style), "");
  style.show_label = style.show_confidence = style.show_state = false;
  EXPECT_EQ(tag_text(region(3, {}, TrackState::uncertain), style), "");
}

TEST(OverlayText, ConfidenceIsAPercentageWhateverItIs) {
  OverlayStyle style;
  style.show_label = style.show_id = false;
  const auto shown = [&](float confidence) {
    TrackRegion one = region(1, {});
    one.confidence = confidence;
    return tag_text(one, style);
  };
  EXPECT_EQ(shown(0), "0%");
  EXPECT_EQ(shown(0.006f), "1%");
  EXPECT_EQ(shown(7), "100%");
  EXPECT_EQ(shown(-1), "0%");
  EXPECT_EQ(shown(std::numeric_limits<float>::quiet_NaN()), "");
  EXPECT_EQ(shown(std::numeric_limits<float>::infinity()), "");
}

TEST(OverlayText, IsOneLineOfBoundedValidText) {
  OverlayStyle style;
  style.show_id = style.show_confidence = false;
  const auto shown = [&](const std::string& label) {
    TrackRegion one = region(1, {});
    one.label = label;
    return tag_text(one, style);
  };
  EXPECT_EQ(shown("  a\nb\tc \x01 "), "a b c");
  EXPECT_EQ(shown(" \n "), "");
  EXPECT_LT(shown(std::string(100000, 'x')).size(), 300u);
  for (const std::string label : {"\xff\xfe", "caf\xc3", "\xed\xa0\x80"}) {
    EXPECT_TRUE(g_utf8_validate(shown(label).c_str(), -1, nullptr));
  }
}

class OverlaySceneTest : public ::testing::Test {
 protected:
  std::vector<OverlayPatch> build(const std::vector<TrackRegion>& regions, int width = 320,
                                  int height = 240) {
    return scene_.build(regions, width, height, style_);
  }
  OverlayScene scene_;
  OverlayStyle style_;
};

TEST_F(OverlaySceneTest, FourSidesThenTheTag) {
  const auto patches = build({region(1, {100, 80, 60, 50})});
  ASSERT_EQ(patches.size(), 5u);
  EXPECT_EQ(patches[0].place, (PixelRect{99, 79, 62, 4}));
  EXPECT_EQ(patches[4].place.x, 99);
  EXPECT_EQ(patches[4].place.bottom(), 79);
}

TEST_F(OverlaySceneTest, EachTrackerHasItsOwnColours) {
  const auto pixels_of = [&](const char* tracker) {
    style_.show_label = style_.show_id = false;
    TrackRegion one = region(1, {100, 80, 60, 50});
    one.tracker = tracker;
    GstMapInfo map;
    GstBuffer* pixels = build({one}).at(0).pixels.get();
    EXPECT_TRUE(gst_buffer_map(pixels, &map, GST_MAP_READ));
    const std::vector<guint8> bytes(map.data, map.data + map.size);
    gst_buffer_unmap(pixels, &map);
    return bytes;
  };
  const auto first = pixels_of("a");
  EXPECT_EQ(first, pixels_of(""));
  EXPECT_NE(first, pixels_of("b"));
  EXPECT_EQ(first, pixels_of("a")) << "the same on each picture";
}

TEST_F(OverlaySceneTest, NothingLiesOutsideTheFrame) {
  for (const BoundingBox& box :
       {BoundingBox{-20, -20, 60, 60}, BoundingBox{300, 220, 90, 90}, BoundingBox{-5, 100, 400, 20},
        BoundingBox{0, 0, 320, 240}, BoundingBox{-1e9f, -1e9f, 2e9f, 2e9f}}) {
    const auto patches = build({region(1, box)});
    EXPECT_FALSE(patches.empty());
    for (const OverlayPatch& patch : patches) {
      EXPECT_FALSE(patch.place.is_empty());
      EXPECT_EQ(intersection(patch.place, {0, 0, 320, 240}), patch.place);
    }
  }
}

TEST_F(OverlaySceneTest, CapsAllowPicturesThatNobodyHas) {
  constexpr int kMost = std::numeric_limits<int>::max();
  const auto patches = build({region(1, {100, 80, 60, 50})}, kMost, kMost);
  ASSERT_FALSE(patches.empty());
  EXPECT_TRUE(build({region(1, {-1e9f, -1e9f, 10, 10})}, kMost, kMost).empty());
}

TEST_F(OverlaySceneTest, BoxesThatCannotBeSeenAreLeftOut) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const BoundingBox& box : {BoundingBox{400, 0, 10, 10}, BoundingBox{-50, 0, 10, 10},
                                 BoundingBox{10, 10, 0, 10}, BoundingBox{nan, 0, 10, 10}}) {
    EXPECT_TRUE(build({region(1, box)}).empty());
  }
}

TEST_F(OverlaySceneTest, TagsKeepOffEachOther) {
  const auto patches = build(
      {region(1, {100, 80, 40, 50}), region(2, {120, 80, 40, 50}), region(3, {110, 82, 40, 50})});
  ASSERT_EQ(patches.size(), 15u);
  for (std::size_t i = 12; i < 15; ++i) {
    for (std::size_t j = i + 1; j < 15; ++j) {
      EXPECT_TRUE(intersection(patches[i].place, patches[j].place).is_empty()) << i << " " << j;
    }
  }
  EXPECT_EQ(patches[12].place.bottom(), 79) << "the first one has the best place";
}

TEST_F(OverlaySceneTest, WhatOnlyMovesIsNotPaintedAgain) {
  build({region(1, {100, 80, 60, 50})});
  const std::size_t painted = scene_.painted();
  EXPECT_EQ(painted, 5u);
  build({region(1, {90, 85, 60, 50})});
  EXPECT_EQ(scene_.painted(), painted);
  build({region(1, {90, 85, 61, 50})});
  EXPECT_LE(scene_.painted(), painted + 4) << "another size: new lines, the same tag";
}

TEST_F(OverlaySceneTest, AnotherStyleIsPaintedAnew) {
  build({region(1, {100, 80, 60, 50})});
  style_.font_size = 30;
  const auto patches = build({region(1, {100, 80, 60, 50})});
  EXPECT_EQ(scene_.painted(), 6u);
  EXPECT_GT(patches[4].place.height, 25);
  style_.color = 0xff00ff00;
  build({region(1, {100, 80, 60, 50})});
  EXPECT_EQ(scene_.painted(), 11u);
}

TEST_F(OverlaySceneTest, FontProblemIsToldOnceForEachFont) {
  style_.font = "No Such Family";
  build({region(1, {100, 80, 60, 50})});
  EXPECT_FALSE(scene_.take_problem().empty());
  build({region(1, {100, 80, 60, 50})});
  EXPECT_TRUE(scene_.take_problem().empty());
  build({region(1, {100, 80, 60, 50})}, 640, 480);
  EXPECT_TRUE(scene_.take_problem().empty()) << "a new size is no new font";
  style_.font = "None Such Either";
  build({region(1, {100, 80, 60, 50})});
  EXPECT_FALSE(scene_.take_problem().empty());
}

class OverlayBlendFormats : public ::testing::TestWithParam<GstVideoFormat> {};

// Blending into a few columns must give the very bytes that blending into the whole frame gives.
TEST_P(OverlayBlendFormats, WindowChangesNothing) {
  const GstVideoInfo info = test::video_info(GetParam(), 322, 241);
  OverlayScene scene;
  const auto patches =
      scene.build(std::vector{region(1, {97.3f, 81, 63, 51}), region(2, {280, 100, 80, 80}),
                              region(3, {-5, 23, 38, 60}, TrackState::uncertain)},
                  info.width, info.height, {});
  // What patches that overlap make together is another test's.
  for (const OverlayPatch& a : patches) {
    for (const OverlayPatch& b : patches) {
      ASSERT_TRUE(&a == &b || intersection(a.place, b.place).is_empty());
    }
  }
  const BufferPtr windowed = test::make_picture(info);
  const BufferPtr whole = test::make_picture(info);
  {
    test::FrameMap map(windowed.get(), info, GST_MAP_READWRITE);
    EXPECT_TRUE(blend_patches(*map.get(), patches));
  }
  {
    test::FrameMap map(whole.get(), info, GST_MAP_READWRITE);
    for (const OverlayPatch& patch : patches) {
      GstVideoOverlayRectangle* rectangle = gst_video_overlay_rectangle_new_raw(
          patch.pixels.get(), patch.place.x, patch.place.y, static_cast<guint>(patch.place.width),
          static_cast<guint>(patch.place.height), GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE);
      GstVideoOverlayComposition* composition = gst_video_overlay_composition_new(rectangle);
      gst_video_overlay_composition_blend(composition, map.get());
      gst_video_overlay_composition_unref(composition);
      gst_video_overlay_rectangle_unref(rectangle);
    }
  }
  EXPECT_EQ(test::bytes_of(windowed.get()), test::bytes_of(whole.get()));
}

// All but the one with a palette, which trackoverlay does not take: pixels nobody drew on change.
std::vector<GstVideoFormat> drawable_formats() {
  std::vector<GstVideoFormat> formats = test::all_video_formats();
  std::erase(formats, GST_VIDEO_FORMAT_RGB8P);
  return formats;
}

INSTANTIATE_TEST_SUITE_P(All, OverlayBlendFormats, ::testing::ValuesIn(drawable_formats()),
                         test::format_name);

TEST(OverlayScene, TrailsLieBelowAllElse) {
  OverlayScene scene;
  OverlayStyle style;
  TrackRegion with_trail = region(1, {60, 60, 20, 20});
  with_trail.trail = {{10, 10}, {40, 40}, {70, 70}};
  const std::vector<TrackRegion> regions = {region(2, {20, 20, 20, 20}), with_trail};
  const auto patches = scene.build(regions, 200, 200, style);
  style.show_trail = false;
  const auto without = scene.build(regions, 200, 200, style);
  ASSERT_EQ(patches.size(), without.size() + 1);
  EXPECT_LE(patches[0].place.x, 9);
  EXPECT_GE(patches[0].place.right(), 71);
}

}  // namespace
}  // namespace cltrack::gst
