// SPDX-License-Identifier: LGPL-2.1-or-later
// trackoverlay draws on every raw format, at any stride.
#include <gst/video/video.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "../support/overlay_harness.h"

namespace cltrack::test {
namespace {

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
