// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gst/video/video.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "../support/overlay_harness.h"

namespace cltrack::test {
namespace {

TEST(TrackOverlay, DrawsTheTagAboveTheBox) {
  OverlayHarness overlay("color=0xffffffff");
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_GRAY8, 320, 240));
  BufferPtr buffer = make_picture(overlay.info());
  add_tracks(buffer, overlay.info(), {make_track(1, kBox)});
  const BufferPtr result = overlay.pass(std::move(buffer));
  ASSERT_TRUE(result);
  const Pixels pixels = read_pixels(result.get(), overlay.info());
  int light = 0;
  int dark = 0;
  for (int x = 105; x < 150; ++x) {
    light += pixels.at(x, 72)[1] > 225 * 257;
    dark += pixels.at(x, 72)[1] < 100 * 257;
  }
  EXPECT_GT(light, 10) << "the ground";
  EXPECT_GT(dark, 5) << "the text";
}

TEST(TrackOverlay, StateShowsInTheLine) {
  const auto light_pixels = [](TrackState state) {
    OverlayHarness overlay("color=0xffffffff show-state=false");
    overlay.set_caps(video_info(GST_VIDEO_FORMAT_GRAY8, 320, 240));
    BufferPtr buffer = make_picture(overlay.info());
    add_tracks(buffer, overlay.info(), {make_track(1, kBox, state)});
    const Pixels pixels = read_pixels(overlay.pass(std::move(buffer)).get(), overlay.info());
    int light = 0;
    for (int x = 100; x < 160; ++x) light += pixels.at(x, 128)[1] > 225 * 257;
    return light;
  };
  EXPECT_EQ(light_pixels(TrackState::tracking), 60);
  EXPECT_GT(light_pixels(TrackState::uncertain), 20);
  EXPECT_LT(light_pixels(TrackState::uncertain), 50);
}

TEST(TrackOverlay, BufferWithoutRegionsIsNotTouched) {
  OverlayHarness overlay;
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
  BufferPtr buffer = make_picture(overlay.info());
  const auto before = bytes_of(buffer.get());
  GstBuffer* pushed = buffer.get();
  GstMemory* memory = gst_buffer_peek_memory(pushed, 0);
  const BufferPtr result = overlay.pass(std::move(buffer));
  EXPECT_EQ(result.get(), pushed);
  EXPECT_EQ(gst_buffer_peek_memory(result.get(), 0), memory);
  EXPECT_EQ(bytes_of(result.get()), before);
}

TEST(TrackOverlay, SharedBufferWithoutRegionsIsNotCopied) {
  OverlayHarness overlay;
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
  const BufferPtr mine = make_picture(overlay.info());
  const BufferPtr result = overlay.pass(BufferPtr(gst_buffer_ref(mine.get())));
  EXPECT_EQ(gst_buffer_peek_memory(result.get(), 0), gst_buffer_peek_memory(mine.get(), 0));
}

TEST(TrackOverlay, SharedBufferStaysAsItWasForTheOther) {
  OverlayHarness overlay;
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
  const BufferPtr mine = make_picture(overlay.info());
  add_tracks(mine, overlay.info(), {make_track(1, kBox)});
  const auto before = bytes_of(mine.get());
  const BufferPtr result = overlay.pass(BufferPtr(gst_buffer_ref(mine.get())));
  EXPECT_EQ(bytes_of(mine.get()), before);
  EXPECT_NE(bytes_of(result.get()), before);
}

struct StrangeRegion {
  const char* name;
  guint x, y, width, height;
  bool is_seen;
};

class TrackOverlayStrangeBoxes : public testing::TestWithParam<StrangeRegion> {};

TEST_P(TrackOverlayStrangeBoxes, AreClippedToThePicture) {
  const StrangeRegion& region = GetParam();
  for (const GstVideoFormat format : {GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_RGB}) {
    const GstVideoInfo info = video_info(format, 321, 241);
    OverlayHarness overlay;
    overlay.set_caps(info);
    BufferPtr buffer = make_picture(info);
    add_region(buffer, "thing", 1, region.x, region.y, region.width, region.height);
    const auto before = bytes_of(buffer.get());
    const BufferPtr result = overlay.pass(std::move(buffer));
    ASSERT_TRUE(result);
    EXPECT_EQ(bytes_of(result.get()) != before, region.is_seen);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, TrackOverlayStrangeBoxes,
    testing::Values(StrangeRegion{"OverTheRightEdge", 300, 100, 100, 50, true},
                    StrangeRegion{"OverTheBottom", 100, 230, 50, 500, true},
                    StrangeRegion{"TheWholePicture", 0, 0, 321, 241, true},
                    StrangeRegion{"LargerThanThePicture", 0, 0, 5000, 5000, true},
                    StrangeRegion{"Outside", 400, 300, 50, 50, false},
                    StrangeRegion{"NextToThePicture", 321, 0, 50, 50, false},
                    StrangeRegion{"OnePixel", 160, 120, 1, 1, true},
                    StrangeRegion{"LastPixel", 320, 240, 1, 1, true},
                    StrangeRegion{"OneColumn", 160, 10, 1, 200, true},
                    StrangeRegion{"Empty", 160, 120, 0, 0, false},
                    StrangeRegion{"NegativeOnceCast", 4294967286u, 4294967286u, 50, 50, false},
                    StrangeRegion{"Endless", 0, 0, 4294967295u, 4294967295u, true}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(TrackOverlay, DrawsOnTinyPictures) {
  for (const int side : {1, 2, 3, 5, 17}) {
    for (const GstVideoFormat format :
         {GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_BGRA}) {
      OverlayHarness overlay;
      const GstVideoInfo info = video_info(format, side, side);
      overlay.set_caps(info);
      BufferPtr buffer = make_picture(info);
      add_region(buffer, "thing", 1, 0, 0, 1, 1);
      EXPECT_TRUE(overlay.pass(std::move(buffer))) << side;
    }
  }
}

TEST(TrackOverlay, TakesAnyLabel) {
  const std::string labels[] = {"",
                                std::string(100000, 'x'),
                                "\xff\xfe broken \xc3",
                                "two\nlines\tand \x01 control",
                                "<b>no markup</b> &amp;",
                                "日本語 עברית 🙂"};
  OverlayHarness overlay;
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
  for (const std::string& label : labels) {
    BufferPtr buffer = make_picture(overlay.info());
    add_region(buffer, label.c_str(), 1, 100, 80, 60, 50);
    const auto before = bytes_of(buffer.get());
    const BufferPtr result = overlay.pass(std::move(buffer));
    ASSERT_TRUE(result);
    EXPECT_NE(bytes_of(result.get()), before);
  }
}

TEST(TrackOverlay, OpacityZeroLeavesThePictureAlone) {
  OverlayHarness overlay("opacity=0");
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
  EXPECT_FALSE(overlay.draws({make_track(1, kBox)}));
  g_object_set(overlay.element(), "opacity", 0.5, nullptr);
  EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
}

TEST(TrackOverlay, UnknownFontIsReportedOnceAndReplaced) {
  OverlayHarness overlay("font=\"No-Such-Font 12\"");
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
  for (int frame = 0; frame < 3; ++frame) EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
  auto warnings = overlay.texts(GST_MESSAGE_WARNING);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("No-Such-Font"), std::string::npos) << warnings[0];
  g_object_set(overlay.element(), "font", "\xff\xff", nullptr);
  EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
  g_object_set(overlay.element(), "font", nullptr, nullptr);
  EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
  gchar* font = nullptr;
  g_object_get(overlay.element(), "font", &font, nullptr);
  EXPECT_STREQ(font, "Sans Bold");
  g_free(font);
}

TEST(TrackOverlay, BufferTooSmallForItsCapsIsAnError) {
  OverlayHarness overlay;
  const GstVideoInfo info = video_info(GST_VIDEO_FORMAT_I420, 320, 240);
  overlay.set_caps(info);
  BufferPtr buffer(gst_buffer_new_allocate(nullptr, 1000, nullptr));
  add_tracks(buffer, info, {make_track(1, kBox)});
  EXPECT_FALSE(overlay.pass(std::move(buffer)));
  const auto errors = overlay.texts(GST_MESSAGE_ERROR);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_NE(errors[0].find("1000 bytes"), std::string::npos) << errors[0];
}

TEST(TrackOverlay, PropertiesMayChangeAtAnyTime) {
  OverlayHarness overlay;
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
  std::atomic<bool> done = false;
  std::atomic<int> rounds = 0;
  std::thread changer([&] {
    const char* fonts[] = {"Sans", "Sans Bold 14", "Monospace, 20px"};
    const char* templates[] = {"", "{id} {age}", "{nothing}"};
    for (unsigned round = 0; !done; ++round) {
      g_object_set(overlay.element(), "font", fonts[round % 3], "font-size", round % 40,
                   "line-width", round % 9, "color", round * 7919u, "opacity", (round % 11) / 10.0,
                   "lost-time", static_cast<guint64>(round) * GST_MSECOND, "show-label", round % 2,
                   "show-id", round % 3 == 0, "show-confidence", round % 5 == 0, "show-state",
                   round % 7 == 0, "composition", static_cast<int>(round % 2), "style",
                   static_cast<int>(round % 5), "label-template", templates[round % 3],
                   "trail-length", round % 20, "chosen-id", static_cast<gint64>(round % 3),
                   nullptr);
      ++rounds;
    }
  });
  int frames = 0;
  while (frames < 100 || rounds < 100) {
    BufferPtr buffer = make_picture(overlay.info(), 0, [](int, int, int) { return 60; });
    if (frames % 10 < 8) {
      add_tracks(buffer, overlay.info(),
                 {make_track(1, kBox), make_track(2, {10, 100, 30, 30}, TrackState::uncertain)});
    }
    const bool passed = overlay.pass(std::move(buffer)) != nullptr;
    EXPECT_TRUE(passed);
    if (!passed) break;
    ++frames;
  }
  done = true;
  changer.join();
}

TEST(TrackOverlay, TracksOfAllKindsAreDrawnEachInAColourOfItsOwn) {
  OverlayHarness overlay("line-width=4 show-label=false show-id=false show-confidence=false");
  const GstVideoInfo info = video_info(GST_VIDEO_FORMAT_RGB, 320, 240);
  overlay.set_caps(info);
  BufferPtr buffer = make_picture(info);
  add_tracks(buffer, info, {make_track(1, {20, 100, 60, 60}), make_track(2, {120, 100, 60, 60})});
  add_region(buffer, "of a detector", 0, 220, 100, 60, 60);
  const Pixels pixels = read_pixels(overlay.pass(std::move(buffer)).get(), info);
  const Pixel colors[] = {pixels.at(50, 101), pixels.at(150, 101), pixels.at(250, 101)};
  EXPECT_NE(colors[0], colors[1]);
  EXPECT_NE(colors[1], colors[2]);
  EXPECT_NE(colors[0], colors[2]);
  for (const Pixel& color : colors) {
    EXPECT_GT(std::max({color[1], color[2], color[3]}), 200 * 257);
  }
}

}  // namespace
}  // namespace cltrack::test
