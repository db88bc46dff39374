// SPDX-License-Identifier: LGPL-2.1-or-later
// Buffers as frames: which layouts are taken, and what of the picture is seen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "../support/scene.h"
#include "../support/video_picture.h"
#include "cltrack/error.h"
#include "pictures/frame_layout.h"
#include "pictures/mapped_frame.h"

namespace cltrack::gst {
namespace {

using test::BufferPtr;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kMostStride = std::numeric_limits<gint>::max();
constexpr int kLeastStride = std::numeric_limits<gint>::min();

// What the GstVideoMeta of a test says: by default what the caps say.
struct Layout {
  explicit Layout(const GstVideoInfo& info)
      : width(static_cast<guint>(info.width)), height(static_cast<guint>(info.height)) {
    for (std::size_t plane = 0; plane < GST_VIDEO_MAX_PLANES; ++plane) {
      offset[plane] = info.offset[plane];
      stride[plane] = info.stride[plane];
    }
  }
  guint width, height;
  std::array<gsize, GST_VIDEO_MAX_PLANES> offset{};
  std::array<gint, GST_VIDEO_MAX_PLANES> stride{};
};

BufferPtr make_buffer(const GstVideoInfo& info, Layout layout, gsize size) {
  BufferPtr buffer(gst_buffer_new_allocate(nullptr, size, nullptr));
  gst_buffer_add_video_meta_full(buffer.get(), GST_VIDEO_FRAME_FLAG_NONE, info.finfo->format,
                                 layout.width, layout.height, info.finfo->n_planes,
                                 layout.offset.data(), layout.stride.data());
  return buffer;
}

std::string refusal(const BufferPtr& buffer, const GstVideoInfo& info) {
  try {
    MappedFrame frame(buffer.get(), info, MapMode::read_write);
    EXPECT_EQ(GST_VIDEO_FRAME_WIDTH(frame.video_frame()), info.width);
    EXPECT_EQ(GST_VIDEO_FRAME_HEIGHT(frame.video_frame()), info.height);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

std::string refusal(const GstVideoInfo& info, const Layout& layout) {
  return refusal(make_buffer(info, layout, info.size), info);
}

class FrameLayout : public ::testing::TestWithParam<GstVideoFormat> {
 protected:
  static GstVideoInfo info_of(int width, int height) {
    return test::video_info(GetParam(), width, height);
  }
  static constexpr std::array<std::pair<int, int>, 6> kSizes{
      {{1, 1}, {2, 3}, {7, 5}, {37, 23}, {64, 48}, {321, 241}}};
};

TEST_P(FrameLayout, OfGStreamerItselfIsTaken) {
  for (const auto& [width, height] : kSizes) {
    const GstVideoInfo info = info_of(width, height);
    EXPECT_THAT(refusal(info, Layout(info)), IsEmpty()) << width << "x" << height;
    const BufferPtr plain(gst_buffer_new_allocate(nullptr, info.size, nullptr));
    EXPECT_THAT(refusal(plain, info), IsEmpty()) << width << "x" << height;
  }
}

TEST_P(FrameLayout, OfALargerPictureIsTaken) {
  const GstVideoInfo info = info_of(64, 48);
  const GstVideoInfo larger = info_of(80, 64);
  EXPECT_THAT(refusal(make_buffer(larger, Layout(larger), larger.size), info), IsEmpty());
}

TEST_P(FrameLayout, WithPlanesInMemoriesOfTheirOwnIsTaken) {
  GstVideoInfo info = info_of(64, 48);
  BufferPtr buffer(gst_buffer_new());
  for (guint plane = 0; plane < info.finfo->n_planes; ++plane) {
    const gsize end = plane + 1 < info.finfo->n_planes ? info.offset[plane + 1] : info.size;
    gst_buffer_append_memory(buffer.get(),
                             gst_allocator_alloc(nullptr, end - info.offset[plane], nullptr));
  }
  gst_buffer_add_video_meta_full(buffer.get(), GST_VIDEO_FRAME_FLAG_NONE, info.finfo->format, 64,
                                 48, info.finfo->n_planes, info.offset, info.stride);
  EXPECT_THAT(refusal(buffer, info), IsEmpty());
}

TEST_P(FrameLayout, BeyondTheMemoryIsRefused) {
  const GstVideoInfo info = info_of(64, 48);
  for (guint plane = 0; plane < info.finfo->n_planes; ++plane) {
    if (GST_VIDEO_FORMAT_INFO_HAS_PALETTE(info.finfo) && plane == 1) continue;  // has no rows
    // Upwards from its first row, which has nothing above it in the first plane alone.
    const gint upwards = plane == 0 ? -info.stride[plane] : kLeastStride;
    for (const gint stride : {kMostStride, kLeastStride, upwards}) {
      Layout layout(info);
      layout.stride[plane] = stride;
      EXPECT_THAT(refusal(info, layout), HasSubstr("this is an error of the element upstream"))
          << "plane " << plane << " stride " << stride;
    }
    for (const gsize offset : {info.size, info.size - 1, G_MAXSIZE, G_MAXSIZE - 64}) {
      Layout layout(info);
      layout.offset[plane] = offset;
      EXPECT_THAT(refusal(info, layout), Not(IsEmpty())) << "plane " << plane << " at " << offset;
    }
  }
}

TEST_P(FrameLayout, ThatIsTooSmallForItsOwnSizeIsRefused) {
  const GstVideoInfo info = info_of(64, 48);
  for (const auto& [width, height] : {std::pair{0x80000000u, 48u},
                                      {64u, 0x80000000u},
                                      {0x7fffffffu, 48u},
                                      {64u, 0x7fffffffu},
                                      {640u, 48u},
                                      {64u, 480u}}) {
    Layout layout(info);
    layout.width = width;
    layout.height = height;
    EXPECT_THAT(refusal(info, layout), HasSubstr("this is an error of the element upstream"))
        << width << "x" << height;
  }
}

TEST_P(FrameLayout, OverlappingRowsAreRefused) {
  const GstVideoInfo info = info_of(64, 48);
  for (const gint stride : {0, 1, -1}) {
    Layout layout(info);
    layout.stride[0] = stride;
    EXPECT_THAT(refusal(info, layout), HasSubstr("this is an error of the element upstream"))
        << stride;
  }
}

INSTANTIATE_TEST_SUITE_P(All, FrameLayout, ::testing::ValuesIn(test::all_video_formats()),
                         test::format_name);

TEST(FrameLayoutTiles, OddColumnsOfPairedTilesAreRefused) {
  // Three columns of tiles, of which GStreamer numbers the last one as if there were four.
  const GstVideoInfo info = test::video_info(GST_VIDEO_FORMAT_NV12_64Z32, 128, 64);
  Layout layout(info);
  layout.stride[0] = static_cast<gint>(GST_VIDEO_TILE_MAKE_STRIDE(3, 2));
  EXPECT_THAT(refusal(make_buffer(info, layout, 10 * info.size), info), HasSubstr("too few tiles"));
}

TEST(FrameLayoutPlanes, AnotherNumberOfThemIsRefused) {
  const GstVideoInfo info = test::video_info(GST_VIDEO_FORMAT_I420, 32, 32);
  Layout layout(info);
  BufferPtr buffer = make_buffer(info, layout, info.size);
  gst_buffer_get_video_meta(buffer.get())->n_planes = 2;
  EXPECT_THAT(refusal(buffer, info), HasSubstr("2 planes"));
}

TEST(FrameLayoutFormat, UnknownOnesAreNamedByNumber) {
  const GstVideoInfo info = test::video_info(GST_VIDEO_FORMAT_I420, 32, 32);
  BufferPtr buffer = make_buffer(info, Layout(info), info.size);
  const int unknown = 9999;
  std::memcpy(&gst_buffer_get_video_meta(buffer.get())->format, &unknown, sizeof(unknown));
  EXPECT_THAT(refusal(buffer, info), HasSubstr("format number 9999"));
}

TEST(FrameLayoutRows, PaddingBehindTheLastOneNeedNotBeThere) {
  // Rows of 100 bytes in strides of 128, as a crop of a larger picture has them.
  const GstVideoInfo info = test::video_info(GST_VIDEO_FORMAT_GRAY8, 100, 10);
  Layout layout(info);
  layout.stride[0] = 128;
  EXPECT_THAT(refusal(make_buffer(info, layout, 9 * 128 + 100), info), IsEmpty());
  EXPECT_THAT(refusal(make_buffer(info, layout, 9 * 128 + 99), info),
              HasSubstr("exceeds its memory of 1251 bytes"));
  layout.stride[0] = -128;
  layout.offset[0] = 9 * 128;
  EXPECT_THAT(refusal(make_buffer(info, layout, 9 * 128 + 100), info), IsEmpty());
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

class EveryFormat : public ::testing::TestWithParam<GstVideoFormat> {};

TEST_P(EveryFormat, HasTheLumaOfThePicture) {
  for (const auto& [width, height] : {std::pair{37, 23}, {1, 1}, {2, 3}, {64, 16}}) {
    const Image picture = test::draw_scene(width, height);
    for (const test::BufferOptions& options :
         {test::BufferOptions{}, {.row_padding = 13}, {.row_padding = 4, .bottom_up = true}}) {
      const BufferPtr buffer = test::make_buffer(picture, GetParam(), options);
      const MappedFrame frame(buffer.get(), test::video_info(GetParam(), width, height),
                              MapMode::read);
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
    MappedFrame frame(buffer.get(), test::video_info(format, 325, 7), MapMode::read);
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
    const GstVideoInfo info = test::video_info(format, none.width(), none.height());
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
  {
    const MappedFrame frame(shared.get(), test::video_info(GST_VIDEO_FORMAT_I420, 32, 32),
                            MapMode::read);
  }
  EXPECT_EQ(gst_buffer_peek_memory(shared.get(), 0), memory);
  {
    const MappedFrame frame(shared.get(), test::video_info(GST_VIDEO_FORMAT_I420, 32, 32),
                            MapMode::read_write);
  }
  EXPECT_NE(gst_buffer_peek_memory(shared.get(), 0), memory) << "writing must work on a copy";
}

TEST(MappedFrame, BufferIsWritableOnceTheMapIsGone) {
  const BufferPtr buffer = test::make_buffer(test::draw_scene(32, 32), GST_VIDEO_FORMAT_RGB);
  {
    const MappedFrame frame(buffer.get(), test::video_info(GST_VIDEO_FORMAT_RGB, 32, 32),
                            MapMode::read);
  }
  EXPECT_TRUE(gst_buffer_is_writable(buffer.get()));
}

TEST(MappedFrame, RefusesABufferThatIsTooSmall) {
  const BufferPtr buffer(gst_buffer_new_allocate(nullptr, 100, nullptr));
  EXPECT_THAT(refusal(buffer, test::video_info(GST_VIDEO_FORMAT_GRAY8, 32, 32)),
              HasSubstr("100 bytes"));
}

TEST(MappedFrame, RefusesAMetaThatContradictsTheCaps) {
  const BufferPtr buffer =
      test::make_buffer(test::draw_scene(32, 32), GST_VIDEO_FORMAT_GRAY8, {.row_padding = 8});
  EXPECT_THAT(refusal(buffer, test::video_info(GST_VIDEO_FORMAT_GRAY8, 32, 33)),
              HasSubstr("caps say GRAY8 32x33"));
  EXPECT_THAT(refusal(buffer, test::video_info(GST_VIDEO_FORMAT_I420, 32, 32)),
              HasSubstr("says GRAY8 32x32"));
}

TEST(MappedFrame, RefusesStridesThatLeaveTheMemory) {
  const BufferPtr buffer = test::make_buffer(test::draw_scene(32, 32), GST_VIDEO_FORMAT_I420);
  gsize offset[GST_VIDEO_MAX_PLANES] = {0, 1024, 1280};
  gint stride[GST_VIDEO_MAX_PLANES] = {4096, 16, 16};
  gst_buffer_add_video_meta_full(buffer.get(), GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_I420, 32,
                                 32, 3, offset, stride);
  EXPECT_THAT(refusal(buffer, test::video_info(GST_VIDEO_FORMAT_I420, 32, 32)),
              HasSubstr("exceeds its memory"));
}

TEST(MappedFrame, SeesThePartOfALargerBufferThatTheCapsSay) {
  const Image picture = test::draw_scene(40, 30);
  const BufferPtr buffer = test::make_buffer(picture, GST_VIDEO_FORMAT_GRAY8, {.row_padding = 3});
  const MappedFrame frame(buffer.get(), test::video_info(GST_VIDEO_FORMAT_GRAY8, 33, 20),
                          MapMode::read);
  Image scratch;
  const ImageView view = frame.luma(scratch);
  EXPECT_EQ(view.width, 33);
  EXPECT_EQ(view.height, 20);
  EXPECT_EQ(view.at(32, 19), picture.row(19)[32]);
}

}  // namespace
}  // namespace cltrack::gst
