// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures/mapped_frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "../support/scene.h"
#include "cltrack/error.h"

namespace cltrack {
namespace {

using gst::MapMode;
using gst::MappedFrame;
using test::BufferPtr;
using ::testing::HasSubstr;

GstVideoInfo info_of(GstVideoFormat format, int width, int height) {
  GstVideoInfo info;
  gst_video_info_set_format(&info, format, static_cast<guint>(width), static_cast<guint>(height));
  return info;
}

bool shows(const ImageView& view, const Image& picture) {
  if (view.width != picture.width() || view.height != picture.height()) return false;
  for (int y = 0; y < view.height; ++y) {
    for (int x = 0; x < view.width; ++x) {
      if (view.at(x, y) != picture.row(y)[x]) return false;
    }
  }
  return true;
}

std::string refusal(GstBuffer* buffer, const GstVideoInfo& info) {
  try {
    const MappedFrame frame(buffer, info, MapMode::read);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

class EveryFormat : public ::testing::TestWithParam<GstVideoFormat> {};

TEST_P(EveryFormat, HasTheLumaOfThePicture) {
  for (const auto& [width, height] : {std::pair{37, 23}, {1, 1}, {2, 3}, {64, 16}}) {
    const Image picture = test::draw_scene(width, height);
    for (const test::BufferOptions& options :
         {test::BufferOptions{}, {.row_padding = 13}, {.row_padding = 4, .bottom_up = true}}) {
      const BufferPtr buffer = test::make_buffer(picture, GetParam(), options);
      const MappedFrame frame(buffer.get(), info_of(GetParam(), width, height), MapMode::read);
      Image scratch;
      EXPECT_TRUE(shows(frame.luma(scratch), picture))
          << width << "x" << height << " padding " << options.row_padding;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(MappedFrame, EveryFormat, ::testing::ValuesIn(test::supported_formats()),
                         [](const auto& tested) {
                           return gst_video_format_to_string(tested.param);
                         });

TEST(MappedFrame, LumaPlanesAreNotCopied) {
  for (const GstVideoFormat format : {GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_I420,
                                      GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_Y42B}) {
    const BufferPtr buffer = test::make_buffer(test::draw_scene(325, 7), format);
    MappedFrame frame(buffer.get(), info_of(format, 325, 7), MapMode::read);
    Image scratch;
    const ImageView view = frame.luma(scratch);
    EXPECT_EQ(view.data, GST_VIDEO_FRAME_PLANE_DATA(frame.video_frame(), 0));
    EXPECT_EQ(view.stride, 328);  // rows are padded to 4 bytes
  }
}

TEST(MappedFrame, WeighsColoursToWithinRounding) {
  constexpr int kSide = 17;  // 0, 15, 30, ..., 240 of each colour
  Image none(kSide * kSide, kSide);
  for (const GstVideoFormat format :
       {GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_BGR, GST_VIDEO_FORMAT_xRGB, GST_VIDEO_FORMAT_BGRA,
        GST_VIDEO_FORMAT_GBR}) {
    const GstVideoInfo info = info_of(format, none.width(), none.height());
    const BufferPtr buffer(gst_buffer_new_allocate(nullptr, info.size, nullptr));
    GstVideoFrame frame;
    ASSERT_TRUE(gst_video_frame_map(&frame, &info, buffer.get(), GST_MAP_WRITE));
    for (int y = 0; y < none.height(); ++y) {
      for (int x = 0; x < none.width(); ++x) {
        const int levels[] = {15 * y, 15 * (x / kSide), 15 * (x % kSide)};
        for (unsigned c = 0; c < 3; ++c) {
          static_cast<guint8*>(
              GST_VIDEO_FRAME_COMP_DATA(&frame, c))[y * GST_VIDEO_FRAME_COMP_STRIDE(&frame, c) +
                                                    x * GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, c)] =
              static_cast<guint8>(levels[c]);
        }
      }
    }
    gst_video_frame_unmap(&frame);

    const MappedFrame mapped(buffer.get(), info, MapMode::read);
    Image scratch;
    const ImageView luma = mapped.luma(scratch);
    for (int y = 0; y < luma.height; ++y) {
      for (int x = 0; x < luma.width; ++x) {
        const double exact = 0.299 * 15 * y + 0.587 * 15 * (x / kSide) + 0.114 * 15 * (x % kSide);
        ASSERT_NEAR(luma.at(x, y), exact, 0.51) << gst_video_format_to_string(format);
      }
    }
  }
}

TEST(MappedFrame, ReadingLeavesSharedMemoryWhereItIs) {
  const BufferPtr buffer = test::make_buffer(test::draw_scene(32, 32), GST_VIDEO_FORMAT_I420);
  const BufferPtr shared(gst_buffer_copy(buffer.get()));
  GstMemory* memory = gst_buffer_peek_memory(buffer.get(), 0);
  { const MappedFrame frame(shared.get(), info_of(GST_VIDEO_FORMAT_I420, 32, 32), MapMode::read); }
  EXPECT_EQ(gst_buffer_peek_memory(shared.get(), 0), memory);
  {
    const MappedFrame frame(shared.get(), info_of(GST_VIDEO_FORMAT_I420, 32, 32),
                            MapMode::read_write);
  }
  EXPECT_NE(gst_buffer_peek_memory(shared.get(), 0), memory) << "writing must work on a copy";
}

TEST(MappedFrame, BufferIsWritableOnceTheMapIsGone) {
  const BufferPtr buffer = test::make_buffer(test::draw_scene(32, 32), GST_VIDEO_FORMAT_RGB);
  { const MappedFrame frame(buffer.get(), info_of(GST_VIDEO_FORMAT_RGB, 32, 32), MapMode::read); }
  EXPECT_TRUE(gst_buffer_is_writable(buffer.get()));
}

TEST(MappedFrame, RefusesABufferThatIsTooSmall) {
  const BufferPtr buffer(gst_buffer_new_allocate(nullptr, 100, nullptr));
  EXPECT_THAT(refusal(buffer.get(), info_of(GST_VIDEO_FORMAT_GRAY8, 32, 32)),
              HasSubstr("100 bytes"));
}

TEST(MappedFrame, RefusesAMetaThatContradictsTheCaps) {
  const BufferPtr buffer =
      test::make_buffer(test::draw_scene(32, 32), GST_VIDEO_FORMAT_GRAY8, {.row_padding = 8});
  EXPECT_THAT(refusal(buffer.get(), info_of(GST_VIDEO_FORMAT_GRAY8, 32, 33)),
              HasSubstr("caps say GRAY8 32x33"));
  EXPECT_THAT(refusal(buffer.get(), info_of(GST_VIDEO_FORMAT_I420, 32, 32)),
              HasSubstr("says GRAY8 32x32"));
}

TEST(MappedFrame, RefusesStridesThatLeaveTheMemory) {
  const BufferPtr buffer = test::make_buffer(test::draw_scene(32, 32), GST_VIDEO_FORMAT_I420);
  gsize offset[GST_VIDEO_MAX_PLANES] = {0, 1024, 1280};
  gint stride[GST_VIDEO_MAX_PLANES] = {4096, 16, 16};
  gst_buffer_add_video_meta_full(buffer.get(), GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_I420, 32,
                                 32, 3, offset, stride);
  EXPECT_THAT(refusal(buffer.get(), info_of(GST_VIDEO_FORMAT_I420, 32, 32)),
              HasSubstr("exceeds its memory"));
}

TEST(MappedFrame, SeesThePartOfALargerBufferThatTheCapsSay) {
  const Image picture = test::draw_scene(40, 30);
  const BufferPtr buffer = test::make_buffer(picture, GST_VIDEO_FORMAT_GRAY8, {.row_padding = 3});
  const MappedFrame frame(buffer.get(), info_of(GST_VIDEO_FORMAT_GRAY8, 33, 20), MapMode::read);
  Image scratch;
  const ImageView view = frame.luma(scratch);
  EXPECT_EQ(view.width, 33);
  EXPECT_EQ(view.height, 20);
  EXPECT_EQ(view.at(32, 19), picture.row(19)[32]);
}

}  // namespace
}  // namespace cltrack
