// SPDX-License-Identifier: LGPL-2.1-or-later
// Parts of pictures of every format, and their colours as JPEG.
#include "pictures/cutout.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../../support/temporary_folder.h"
#include "../support/video_picture.h"
#include "cltrack/error.h"
#include "pictures/frame_window.h"
#include "pictures/mapped_frame.h"
#include "scoped.h"

namespace cltrack::gst {
namespace {

using test::BufferPtr;
using test::ElementPtr;

Cutout cut(GstBuffer* buffer, const GstVideoInfo& info, const PixelRect& place) {
  MappedFrame mapped(buffer, info, MapMode::read);
  AlignedFrame aligned(*mapped.video_frame());
  return cut_out(aligned.get(), place);
}

int component(const Cutout& cutout, int x, int y, std::size_t c) {
  const bool wide = GST_VIDEO_INFO_COMP_DEPTH(&cutout.info, 0) > 8;
  const auto at = static_cast<std::size_t>(y * cutout.info.width + x) * 4 + c;
  if (!wide) return cutout.pixels[at] * 257;
  return reinterpret_cast<const std::uint16_t*>(cutout.pixels.data())[at];
}

class CutoutFormats : public testing::TestWithParam<GstVideoFormat> {};

TEST_P(CutoutFormats, HaveTheirPixels) {
  for (const int padding : {0, 16}) {
    const GstVideoInfo info = test::video_info(GetParam(), 320, 96);
    // Tiles are laid out by their strides, which leave no room.
    if (padding > 0 && GST_VIDEO_FORMAT_INFO_IS_TILED(info.finfo)) continue;
    const BufferPtr buffer = test::make_picture(info, padding);
    const test::Pixels whole = test::read_pixels(buffer.get(), info);
    for (const PixelRect& place :
         {PixelRect{37, 11, 83, 41}, PixelRect{0, 0, 1, 1}, PixelRect{301, 90, 19, 6}}) {
      const Cutout cutout = cut(buffer.get(), info, place);
      ASSERT_EQ(cutout.info.width, place.width);
      ASSERT_EQ(cutout.info.height, place.height);
      int wrong = 0;
      for (int y = 0; y < place.height; ++y) {
        for (int x = 0; x < place.width; ++x) {
          for (std::size_t c = 0; c < 4; ++c) {
            wrong += component(cutout, x, y, c) != whole.at(place.x + x, place.y + y)[c];
          }
        }
      }
      EXPECT_EQ(wrong, 0) << "from " << place.x << ", " << place.y << ", padding " << padding;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, CutoutFormats, testing::ValuesIn(test::all_video_formats()),
                         test::format_name);

// A pixel in the middle, as 0xRRGGBB.
int color_of(const std::string& jpeg) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("picture.jpg", jpeg);
  const ElementPtr pipeline(gst_parse_launch(
      ("filesrc location=" + file + " ! decodebin ! videoconvert ! video/x-raw,format=RGB " +
       "! appsink name=out sync=false")
          .c_str(),
      nullptr));
  const ElementPtr out(gst_bin_get_by_name(GST_BIN(pipeline.get()), "out"));
  gst_element_set_state(pipeline.get(), GST_STATE_PAUSED);
  GstSample* pulled = nullptr;
  g_signal_emit_by_name(out.get(), "try-pull-preroll", guint64{600 * GST_SECOND}, &pulled);
  const Scoped<GstSample, gst_sample_unref> decoded(pulled);
  gst_element_set_state(pipeline.get(), GST_STATE_NULL);
  GstVideoInfo info;
  if (!decoded || !gst_video_info_from_caps(&info, gst_sample_get_caps(decoded.get()))) {
    ADD_FAILURE() << "no picture";
    return -1;
  }
  test::FrameMap map(gst_sample_get_buffer(decoded.get()), info, GST_MAP_READ);
  const auto* row = static_cast<const guint8*>(map.get()->data[0]) +
                    info.height / 2 * GST_VIDEO_FRAME_PLANE_STRIDE(map.get(), 0);
  const guint8* pixel = row + info.width / 2 * 3;
  return pixel[0] << 16 | pixel[1] << 8 | pixel[2];
}

struct PlainPicture {
  GstVideoFormat format;
  const char* colorimetry;
  std::array<int, 4> pixel;  // A, then R, G, B or Y, U, V
  int rgb;
};

bool is_near(int a, int b) {
  return std::ranges::all_of(std::array{0, 8, 16}, [&](int shift) {
    return std::abs((a >> shift & 255) - (b >> shift & 255)) <= 4;
  });
}

TEST(CutoutJpeg, HasTheColorsOfThePicture) {
  const PlainPicture pictures[] = {
      {GST_VIDEO_FORMAT_BGRx, "sRGB", {255, 200, 40, 90}, 0xc8285a},
      {GST_VIDEO_FORMAT_RGBA, "sRGB", {0, 200, 40, 90}, 0xc8285a},
      {GST_VIDEO_FORMAT_I420, "bt601", {255, 16, 128, 128}, 0x000000},
      {GST_VIDEO_FORMAT_I420, "bt601", {255, 235, 128, 128}, 0xffffff},
      {GST_VIDEO_FORMAT_I420, "bt601", {255, 82, 90, 240}, 0xff0000},
      {GST_VIDEO_FORMAT_I420, "bt709", {255, 63, 102, 240}, 0xff0000},
      {GST_VIDEO_FORMAT_NV12, "1:4:0:0", {255, 255, 128, 128}, 0xffffff},
      {GST_VIDEO_FORMAT_NV12, "1:4:0:0", {255, 16, 128, 128}, 0x101010},
      {GST_VIDEO_FORMAT_GRAY8, "1:4:0:0", {255, 60, 128, 128}, 0x3c3c3c},
      {GST_VIDEO_FORMAT_P010_10LE, "bt601", {255, 235, 128, 128}, 0xffffff}};
  for (const PlainPicture& plain : pictures) {
    GstVideoInfo info = test::video_info(plain.format, 64, 48);
    ASSERT_TRUE(gst_video_colorimetry_from_string(&info.colorimetry, plain.colorimetry));
    const BufferPtr buffer = test::make_picture(
        info, 0, [&](int, int, int c) { return plain.pixel[static_cast<std::size_t>(c)]; });
    const int color = color_of(jpeg_of(cut(buffer.get(), info, {5, 3, 30, 20})));
    EXPECT_TRUE(is_near(color, plain.rgb))
        << gst_video_format_to_string(plain.format) << " " << plain.colorimetry << ": " << std::hex
        << color << " for " << plain.rgb;
  }
}

TEST(CutoutJpeg, OnePixelIsAPicture) {
  const GstVideoInfo info = test::video_info(GST_VIDEO_FORMAT_I420, 64, 48);
  const std::string jpeg = jpeg_of(cut(test::make_picture(info).get(), info, {63, 47, 1, 1}));
  EXPECT_TRUE(jpeg.starts_with("\xff\xd8"));
  EXPECT_TRUE(jpeg.ends_with("\xff\xd9"));
}

TEST(CutoutJpeg, WhatIsTooLargeIsAnError) {
  const GstVideoInfo info = test::video_info(GST_VIDEO_FORMAT_GRAY8, 65600, 2);
  const Cutout cutout = cut(test::make_picture(info).get(), info, {0, 0, 65600, 2});
  EXPECT_THROW(jpeg_of(cutout), Error);
}

}  // namespace
}  // namespace cltrack::gst
