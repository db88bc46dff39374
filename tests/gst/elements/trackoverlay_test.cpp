// SPDX-License-Identifier: LGPL-2.1-or-later
// What trackoverlay draws, on every raw format, at any stride.
#include <gst/video/video.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../support/overlay_harness.h"

namespace cltrack::test {
namespace {

TEST(TrackOverlay, DrawsTheTagAboveTheBox) {
  OverlayHarness overlay("color=0xffffffff", GST_VIDEO_FORMAT_GRAY8);
  const Pixels pixels = overlay.drawn(overlay.picture({make_track(1, kBox)}));
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
    OverlayHarness overlay("color=0xffffffff show-state=false", GST_VIDEO_FORMAT_GRAY8);
    const Pixels pixels = overlay.drawn(overlay.picture({make_track(1, kBox, state)}));
    int light = 0;
    for (int x = 100; x < 160; ++x) light += pixels.at(x, 128)[1] > 225 * 257;
    return light;
  };
  EXPECT_EQ(light_pixels(TrackState::tracking), 60);
  EXPECT_GT(light_pixels(TrackState::uncertain), 20);
  EXPECT_LT(light_pixels(TrackState::uncertain), 50);
}

TEST(TrackOverlay, BufferWithoutRegionsIsNotTouched) {
  OverlayHarness overlay("", GST_VIDEO_FORMAT_I420);
  BufferPtr buffer = overlay.picture();
  const auto before = bytes_of(buffer.get());
  GstBuffer* pushed = buffer.get();
  GstMemory* memory = gst_buffer_peek_memory(pushed, 0);
  const BufferPtr result = overlay.pass(std::move(buffer));
  EXPECT_EQ(result.get(), pushed);
  EXPECT_EQ(gst_buffer_peek_memory(result.get(), 0), memory);
  EXPECT_EQ(bytes_of(result.get()), before);
}

TEST(TrackOverlay, SharedBufferWithoutRegionsIsNotCopied) {
  OverlayHarness overlay("", GST_VIDEO_FORMAT_I420);
  const BufferPtr mine = overlay.picture();
  const BufferPtr result = overlay.pass(BufferPtr(gst_buffer_ref(mine.get())));
  EXPECT_EQ(gst_buffer_peek_memory(result.get(), 0), gst_buffer_peek_memory(mine.get(), 0));
}

TEST(TrackOverlay, SharedBufferStaysAsItWasForTheOther) {
  OverlayHarness overlay("", GST_VIDEO_FORMAT_I420);
  const BufferPtr mine = overlay.picture({make_track(1, kBox)});
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
  OverlayHarness overlay("", GST_VIDEO_FORMAT_I420);
  for (const std::string& label : labels) {
    BufferPtr buffer = overlay.picture();
    add_region(buffer, label.c_str(), 1, 100, 80, 60, 50);
    const auto before = bytes_of(buffer.get());
    const BufferPtr result = overlay.pass(std::move(buffer));
    ASSERT_TRUE(result);
    EXPECT_NE(bytes_of(result.get()), before);
  }
}

TEST(TrackOverlay, OpacityZeroLeavesThePictureAlone) {
  OverlayHarness overlay("opacity=0", GST_VIDEO_FORMAT_I420);
  EXPECT_FALSE(overlay.draws({make_track(1, kBox)}));
  g_object_set(overlay.element(), "opacity", 0.5, nullptr);
  EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
}

TEST(TrackOverlay, UnknownFontIsReportedOnceAndReplaced) {
  OverlayHarness overlay("font=\"No-Such-Font 12\"", GST_VIDEO_FORMAT_I420);
  for (int frame = 0; frame < 3; ++frame) EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
  auto warnings = overlay.texts(GST_MESSAGE_WARNING);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("No-Such-Font"), std::string::npos) << warnings[0];
  g_object_set(overlay.element(), "font", "\xff\xff", nullptr);
  EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
  g_object_set(overlay.element(), "font", nullptr, nullptr);
  EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
  EXPECT_EQ(text_property(overlay.element(), "font"), "Sans Bold");
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
  OverlayHarness overlay("", GST_VIDEO_FORMAT_I420);
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

// Whether a mark covers (x, y), as far as the test cares.
struct Region {
  int x, y, width, height;
  bool has(int px, int py) const { return px >= x && py >= y && px < x + width && py < y + height; }
};

// All but the one with a palette.
std::vector<GstVideoFormat> drawable_formats() {
  std::vector<GstVideoFormat> formats = all_video_formats();
  std::erase(formats, GST_VIDEO_FORMAT_RGB8P);
  return formats;
}

class TrackOverlayFormats : public testing::TestWithParam<GstVideoFormat> {
 protected:
  static constexpr const char* kWhiteBoxOnly =
      "color=0xffffffff line-width=4 show-label=false show-id=false show-confidence=false";

  // A white box without a tag on a dark picture: its lines are there, and nothing else.
  static void check(int padding) {
    // In UYVP the last group of pixels of an odd width does not fit into unpadded rows.
    const int width = GetParam() == GST_VIDEO_FORMAT_UYVP && padding == 0 ? 320 : 321;
    const GstVideoInfo info = video_info(GetParam(), width, 241);
    OverlayHarness overlay(kWhiteBoxOnly);
    overlay.set_caps(info);
    BufferPtr buffer = make_picture(info, padding);
    const Pixels before = read_pixels(buffer.get(), info);
    add_tracks(buffer, info, {make_track(1, kBox)});
    const BufferPtr result = overlay.pass(std::move(buffer));
    ASSERT_TRUE(result) << testing::PrintToString(overlay.texts(GST_MESSAGE_ERROR));
    const Pixels after = read_pixels(result.get(), info);

    // Formats with fewer chroma samples change up to four pixels around each that is drawn.
    const Region reach{100 - 5, 80 - 5, 60 + 10, 50 + 10};
    const Region hole{100 + 10, 80 + 10, 60 - 20, 50 - 20};
    const Region lines[] = {
        {100, 80, 60, 4}, {100, 126, 60, 4}, {100, 80, 4, 50}, {156, 80, 4, 50}};
    int wrong = 0;
    for (int y = 0; y < info.height && wrong < 5; ++y) {
      for (int x = 0; x < info.width && wrong < 5; ++x) {
        bool on_line = false;
        for (const Region& line : lines) on_line |= line.has(x, y);
        const Pixel& pixel = after.at(x, y);
        // The first component is red or luma; video range white is 235.
        const bool as_expected = on_line                              ? pixel[1] > 225 * 257
                                 : !reach.has(x, y) || hole.has(x, y) ? pixel == before.at(x, y)
                                                                      : true;
        if (as_expected) continue;
        ++wrong;
        ADD_FAILURE() << x << "," << y << " was " << testing::PrintToString(before.at(x, y))
                      << ", is " << testing::PrintToString(pixel);
      }
    }
  }
};

TEST_P(TrackOverlayFormats, DrawsTheLinesAndNothingElse) { check(0); }

INSTANTIATE_TEST_SUITE_P(All, TrackOverlayFormats, testing::ValuesIn(drawable_formats()),
                         format_name);

bool is_tiled(GstVideoFormat format) {
  return GST_VIDEO_FORMAT_INFO_IS_TILED(gst_video_format_get_info(format));
}

// GStreamer's own functions do, for NV12_10BE_8L128.
TEST(TrackOverlay, WritesNothingBehindTheLastTile) {
  constexpr gsize kBehind = 8192;
  int tried = 0;
  for (const GstVideoFormat format : drawable_formats()) {
    if (!is_tiled(format)) continue;
    for (const auto& [width, height] :
         {std::pair{89, 84}, {33, 17}, {161, 131}, {1, 1}, {64, 128}}) {
      for (const char* style : {"style=box", "style=blur"}) {
        const GstVideoInfo info = video_info(format, width, height);
        OverlayHarness overlay(style);
        overlay.set_caps(info);
        BufferPtr buffer(gst_buffer_new_allocate(nullptr, info.size + kBehind, nullptr));
        gst_buffer_memset(buffer.get(), 0, 0x5a, info.size + kBehind);
        const auto right = static_cast<float>(width), bottom = static_cast<float>(height);
        add_tracks(buffer, info, {make_track(1, {right / 2, bottom / 2, right / 2, bottom / 2})});
        const BufferPtr result = overlay.pass(std::move(buffer));
        ASSERT_TRUE(result) << testing::PrintToString(overlay.texts(GST_MESSAGE_ERROR));
        const std::vector<std::uint8_t> bytes = bytes_of(result.get());
        const auto behind = bytes.end() - static_cast<std::ptrdiff_t>(kBehind);
        EXPECT_EQ(std::count(behind, bytes.end(), 0x5a), static_cast<std::ptrdiff_t>(kBehind))
            << gst_video_format_to_string(format) << " " << width << "x" << height << " " << style;
        ++tried;
      }
    }
  }
  EXPECT_GT(tried, 0);
}

// Tiles cannot be padded by pixels.
std::vector<GstVideoFormat> paddable_formats() {
  std::vector<GstVideoFormat> formats = drawable_formats();
  std::erase_if(formats, is_tiled);
  return formats;
}

class TrackOverlayPaddedFormats : public TrackOverlayFormats {};

TEST_P(TrackOverlayPaddedFormats, TakesStridesFromVideoMeta) { check(16); }

INSTANTIATE_TEST_SUITE_P(All, TrackOverlayPaddedFormats, testing::ValuesIn(paddable_formats()),
                         format_name);

TEST(TrackOverlay, DrawsOnOddWidthsOfPixelGroups) {
  // The last byte of the picture is the last one of the memory.
  const GstVideoInfo info = video_info(GST_VIDEO_FORMAT_UYVP, 321, 241);
  OverlayHarness overlay;
  overlay.set_caps(info);
  BufferPtr buffer(gst_buffer_new_allocate(nullptr, info.size, nullptr));
  gst_buffer_memset(buffer.get(), 0, 0, info.size);
  add_tracks(buffer, info, {make_track(1, {300, 200, 21, 41})});
  const BufferPtr result = overlay.pass(std::move(buffer));
  ASSERT_TRUE(result);
  EXPECT_NE(bytes_of(result.get()), std::vector<std::uint8_t>(info.size, 0));
}

}  // namespace
}  // namespace cltrack::test
