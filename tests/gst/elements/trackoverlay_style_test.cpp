// SPDX-License-Identifier: LGPL-2.1-or-later
// Styles of trackoverlay but for its formats: what is hidden, and when.
#include <gst/video/video-overlay-composition.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../support/overlay_harness.h"

namespace cltrack::test {
namespace {

constexpr const char* kNoTags =
    " show-label=false show-id=false show-confidence=false "
    "show-state=false ";

// Light and dark pixels by turns; nothing of them is left where something is hidden.
int checks(int x, int y, int component) {
  if (component == 0) return 255;
  return component > 1 ? 128 : (x + y) % 2 == 0 ? 220 : 40;
}

class TrackOverlayStyle : public testing::Test {
 protected:
  static OverlayHarness& start(OverlayHarness& overlay) {
    overlay.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
    return overlay;
  }

  static BufferPtr picture(const OverlayHarness& overlay, const std::vector<Track>& tracks) {
    BufferPtr buffer = make_picture(overlay.info(), 0, checks);
    add_tracks(buffer, overlay.info(), tracks);
    return buffer;
  }

  // How many of the pixels in a box are still what they were.
  static int left_in(const BufferPtr& result, const OverlayHarness& overlay,
                     const BoundingBox& box) {
    const Pixels pixels = read_pixels(result.get(), overlay.info());
    int left = 0;
    for (int y = static_cast<int>(box.y); y < static_cast<int>(box.bottom()); ++y) {
      for (int x = static_cast<int>(box.x); x < static_cast<int>(box.right()); ++x) {
        left += std::abs(pixels.at(x, y)[1] / 257 - checks(x, y, 1)) < 40;
      }
    }
    return left;
  }

  static int left(OverlayHarness& overlay, const std::vector<Track>& tracks,
                  const BoundingBox& box = kBox) {
    const BufferPtr result = overlay.pass(picture(overlay, tracks));
    if (result) return left_in(result, overlay, box);
    ADD_FAILURE() << "nothing came out";
    return -1;
  }

  static constexpr int kAll = 60 * 50;
};

TEST_F(TrackOverlayStyle, HidingLeavesNothing) {
  for (const char* style : {"style=blur", "style=pixelate"}) {
    OverlayHarness overlay(std::string(style) + kNoTags);
    start(overlay);
    EXPECT_EQ(left(overlay, {make_track(1, kBox)}), 0) << style;
    EXPECT_EQ(left(overlay, {make_track(1, kBox, TrackState::uncertain)}), 0) << style;
    EXPECT_EQ(left(overlay, {make_track(1, kBox)}, {20, 20, 50, 50}), 2500) << "elsewhere";
  }
}

TEST_F(TrackOverlayStyle, OtherStylesHideNothing) {
  for (const char* style : {"style=box line-width=1", "style=corners line-width=1", "style=none"}) {
    OverlayHarness overlay(std::string(style) + kNoTags);
    EXPECT_GT(left(start(overlay), {make_track(1, kBox)}), kAll * 9 / 10) << style;
  }
}

TEST_F(TrackOverlayStyle, OpacityIsNotThatOfWhatHides) {
  OverlayHarness overlay("style=pixelate opacity=0");
  EXPECT_EQ(left(start(overlay), {make_track(1, kBox)}), 0);
}

TEST_F(TrackOverlayStyle, LostTracksStayHiddenForLostTime) {
  OverlayHarness overlay(std::string("style=blur lost-time=80000000") + kNoTags);
  start(overlay);
  EXPECT_EQ(left(overlay, {make_track(1, kBox)}), 0);
  EXPECT_EQ(left(overlay, {}), 0);
  EXPECT_EQ(left(overlay, {}), 0);
  EXPECT_EQ(left(overlay, {}), kAll);
}

TEST_F(TrackOverlayStyle, TracksStayHiddenInAGap) {
  OverlayHarness overlay(std::string("style=blur") + kNoTags);
  start(overlay);
  EXPECT_EQ(left(overlay, {make_track(1, kBox)}), 0);
  BufferPtr gap = picture(overlay, {});
  GST_BUFFER_FLAG_SET(gap.get(), GST_BUFFER_FLAG_GAP);
  EXPECT_EQ(left_in(overlay.pass(std::move(gap)), overlay, kBox), 0);
}

TEST_F(TrackOverlayStyle, FindsOfDetectorsAreHiddenToo) {
  OverlayHarness overlay(std::string("style=pixelate") + kNoTags);
  start(overlay);
  BufferPtr buffer = picture(overlay, {});
  add_region(buffer, "face", 0, 100, 80, 60, 50);
  EXPECT_EQ(left_in(overlay.pass(std::move(buffer)), overlay, kBox), 0);
}

TEST_F(TrackOverlayStyle, HidesForWhomThePictureIsOurs) {
  OverlayHarness overlay("style=blur");
  start(overlay);
  const BufferPtr mine = picture(overlay, {make_track(1, kBox)});
  const auto before = bytes_of(mine.get());
  const BufferPtr result = overlay.pass(BufferPtr(gst_buffer_ref(mine.get())));
  EXPECT_EQ(bytes_of(mine.get()), before) << "another branch of the pipeline";
  EXPECT_EQ(left_in(result, overlay, {100, 100, 60, 30}), 0);
}

TEST_F(TrackOverlayStyle, HidesInThePictureWhereTagsAreAttached) {
  OverlayHarness overlay("style=blur");
  overlay.take_compositions(true, true);
  start(overlay);
  const BufferPtr result = overlay.pass(picture(overlay, {make_track(1, kBox)}));
  ASSERT_TRUE(result);
  EXPECT_EQ(left_in(result, overlay, kBox), 0);
  const auto* meta = gst_buffer_get_video_overlay_composition_meta(result.get());
  ASSERT_NE(meta, nullptr);
  EXPECT_EQ(gst_video_overlay_composition_n_rectangles(meta->overlay), 1u) << "the tag";
  EXPECT_TRUE(overlay.texts(GST_MESSAGE_WARNING).empty());
}

TEST_F(TrackOverlayStyle, HidesInPicturesThatComeWithACompositionToo) {
  for (const char* features :
       {"meta:GstVideoOverlayComposition", "memory:SystemMemory,meta:GstVideoOverlayComposition"}) {
    OverlayHarness overlay("style=pixelate");
    overlay.take_compositions(true, true);
    start(overlay);
    gst_harness_set_src_caps_str(overlay.get(),
                                 ("video/x-raw(" + std::string(features) +
                                  "),format=I420,width=320,height=240,framerate=25/1")
                                     .c_str());
    EXPECT_EQ(left(overlay, {make_track(1, kBox)}), 0) << features;
    EXPECT_TRUE(overlay.texts(GST_MESSAGE_WARNING).empty());
  }
}

TEST_F(TrackOverlayStyle, FillsInAnOverlayWhatCannotBeChanged) {
  OverlayHarness overlay(std::string("style=blur opacity=0.3") + kNoTags);
  overlay.take_compositions(true, true);
  const GstVideoInfo info = video_info(GST_VIDEO_FORMAT_I420, 320, 240);
  overlay.set_caps(info);
  gst_harness_set_src_caps_str(
      overlay.get(),
      "video/x-raw(memory:CLTrackTest,meta:GstVideoOverlayComposition),format=I420,"
      "width=320,height=240,framerate=25/1");
  for (int frame = 0; frame < 3; ++frame) {
    BufferPtr buffer = picture(overlay, {make_track(1, kBox)});
    const auto before = bytes_of(buffer.get());
    const BufferPtr result = overlay.pass(std::move(buffer));
    ASSERT_TRUE(result);
    EXPECT_EQ(bytes_of(result.get()), before);
    const auto* meta = gst_buffer_get_video_overlay_composition_meta(result.get());
    ASSERT_NE(meta, nullptr);
    ASSERT_EQ(gst_video_overlay_composition_n_rectangles(meta->overlay), 1u);
    GstVideoOverlayRectangle* rectangle =
        gst_video_overlay_composition_get_rectangle(meta->overlay, 0);
    gint x = 0, y = 0;
    guint width = 0, height = 0;
    gst_video_overlay_rectangle_get_render_rectangle(rectangle, &x, &y, &width, &height);
    EXPECT_TRUE(x <= 94 && y <= 74 && x + static_cast<int>(width) >= 166 &&
                y + static_cast<int>(height) >= 136);
    const auto pixels = bytes_of(gst_video_overlay_rectangle_get_pixels_unscaled_argb(
        rectangle, GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE));
    ASSERT_EQ(pixels.size(), std::size_t{width} * height * 4);
    const auto opaque = static_cast<std::size_t>(std::count(pixels.begin(), pixels.end(), 255));
    EXPECT_EQ(opaque, pixels.size() / 4);
    EXPECT_EQ(static_cast<std::size_t>(std::count(pixels.begin(), pixels.end(), 0)),
              pixels.size() - opaque)
        << "black";
  }
  const auto warnings = overlay.texts(GST_MESSAGE_WARNING);
  ASSERT_EQ(warnings.size(), 1u) << "once";
  EXPECT_NE(warnings[0].find("style = blur"), std::string::npos) << warnings[0];
}

TEST_F(TrackOverlayStyle, NothingComesOutThatCouldNotBeHidden) {
  OverlayHarness overlay("style=blur");
  start(overlay);
  BufferPtr buffer(gst_buffer_new_allocate(nullptr, 1000, nullptr));
  add_tracks(buffer, overlay.info(), {make_track(1, kBox)});
  EXPECT_FALSE(overlay.pass(std::move(buffer)));
  EXPECT_EQ(overlay.texts(GST_MESSAGE_ERROR).size(), 1u);
}

TEST_F(TrackOverlayStyle, CornersLeaveTheSidesAlone) {
  OverlayHarness overlay(std::string("style=corners line-width=2 color=0xffffffff") + kNoTags);
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_GRAY8, 320, 240));
  BufferPtr buffer = make_picture(overlay.info());
  const Pixels before = read_pixels(buffer.get(), overlay.info());
  add_tracks(buffer, overlay.info(), {make_track(1, kBox)});
  const Pixels after = read_pixels(overlay.pass(std::move(buffer)).get(), overlay.info());
  for (const int y : {80, 129}) {
    for (const int x : {100, 110, 150, 159}) EXPECT_GT(after.at(x, y)[1], 225 * 257) << x;
    EXPECT_EQ(after.at(130, y), before.at(130, y));
  }
  for (const int x : {100, 159}) {
    EXPECT_GT(after.at(x, 90)[1], 225 * 257);
    EXPECT_EQ(after.at(x, 105), before.at(x, 105));
  }
}

TEST_F(TrackOverlayStyle, NoneDrawsNothingButTagsAndTrails) {
  OverlayHarness overlay(std::string("style=none trail-length=10") + kNoTags);
  start(overlay);
  EXPECT_FALSE(overlay.draws({make_track(1, kBox)}));
  EXPECT_TRUE(overlay.draws({make_track(1, {130, 90, 60, 50})})) << "a trail";
  g_object_set(overlay.element(), "show-trail", FALSE, nullptr);
  EXPECT_FALSE(overlay.draws({make_track(1, kBox)}));
  g_object_set(overlay.element(), "show-id", TRUE, nullptr);
  EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
}

TEST_F(TrackOverlayStyle, MayChangeAtAnyTime) {
  OverlayHarness overlay(kNoTags);
  start(overlay);
  EXPECT_GT(left(overlay, {make_track(1, kBox)}), kAll / 2);
  gst_util_set_object_arg(G_OBJECT(overlay.element()), "style", "pixelate");
  EXPECT_EQ(left(overlay, {make_track(1, kBox)}), 0);
  gst_util_set_object_arg(G_OBJECT(overlay.element()), "style", "none");
  EXPECT_EQ(left(overlay, {make_track(1, kBox)}), kAll);
}

}  // namespace
}  // namespace cltrack::test
