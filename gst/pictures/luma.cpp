// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures/luma.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "pictures/frame_layout.h"

namespace cltrack::gst {
namespace {

YuvEncoding encoding_of(const GstVideoInfo& info) {
  YuvEncoding encoding;
  gst_video_color_matrix_get_Kr_Kb(info.colorimetry.matrix, &encoding.red, &encoding.blue);
  encoding.full_range = info.colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255;
  return encoding;
}

}  // namespace

bool has_color(const GstVideoFormatInfo* format) {
  if (!is_supported(format) || GST_VIDEO_FORMAT_INFO_IS_GRAY(format) ||
      GST_VIDEO_FORMAT_INFO_N_COMPONENTS(format) < 3) {
    return false;
  }
  for (unsigned c = 0; c < 3; ++c) {
    if (GST_VIDEO_FORMAT_INFO_PSTRIDE(format, c) <= 0) return false;
  }
  return true;
}

GstCaps* make_color_caps() {
  return make_caps_of([](const GstVideoFormatInfo* format) { return has_color(format); });
}

ColorPicture color_of(const GstVideoFrame& frame, int width, int height) {
  ColorPicture picture;
  const GstVideoFormatInfo* format = frame.info.finfo;
  if (!has_color(format)) return picture;
  picture.space = GST_VIDEO_FORMAT_INFO_IS_RGB(format) ? ColorSpace::rgb : ColorSpace::yuv;
  picture.encoding = encoding_of(frame.info);
  picture.width = width;
  picture.height = height;
  for (unsigned c = 0; c < 3; ++c) {
    picture.components[c] = {
        .data = static_cast<const std::uint8_t*>(GST_VIDEO_FRAME_COMP_DATA(&frame, c)),
        .stride = GST_VIDEO_FRAME_COMP_STRIDE(&frame, c),
        .step = GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, c),
        .shift_x = static_cast<int>(GST_VIDEO_FORMAT_INFO_W_SUB(format, c)),
        .shift_y = static_cast<int>(GST_VIDEO_FORMAT_INFO_H_SUB(format, c))};
  }
  // GStreamer's table (1.22) has U and V of VYUY where UYVY has them; its converters know better.
  if (GST_VIDEO_FORMAT_INFO_FORMAT(format) == GST_VIDEO_FORMAT_VYUY &&
      GST_VIDEO_FORMAT_INFO_POFFSET(format, 1) < GST_VIDEO_FORMAT_INFO_POFFSET(format, 2)) {
    std::swap(picture.components[1], picture.components[2]);
  }
  return picture;
}

namespace {

// The weights of BT.601 in units of 1/32768. They add up to 32768, so that grey stays what it is,
// and are those of OpenCV's 8-bit conversion, so that results can be compared with it.
constexpr int kRed = 9798;
constexpr int kGreen = 19235;
constexpr int kBlue = 3735;
constexpr int kShift = 15;
static_assert(kRed + kGreen + kBlue == 1 << kShift);

struct Component {
  const std::uint8_t* data;
  std::ptrdiff_t row_stride;
  std::ptrdiff_t pixel_stride;

  const std::uint8_t* row(int y) const { return data + y * row_stride; }
};

Component component(const GstVideoFrame& frame, unsigned c) {
  return {static_cast<const std::uint8_t*>(GST_VIDEO_FRAME_COMP_DATA(&frame, c)),
          GST_VIDEO_FRAME_COMP_STRIDE(&frame, c), GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, c)};
}

// `step` is passed as a constant where it is known, which lets the compiler vectorise the loop.
template <typename Step>
void pick_row(const std::uint8_t* in, Step step, int width, std::uint8_t* out) {
  for (std::ptrdiff_t x = 0; x < width; ++x) out[x] = in[x * step];
}

template <typename Step>
void weigh_row(const std::uint8_t* red, const std::uint8_t* green, const std::uint8_t* blue,
               Step step, int width, std::uint8_t* out) {
  for (std::ptrdiff_t x = 0; x < width; ++x) {
    const int sum = kRed * red[x * step] + kGreen * green[x * step] + kBlue * blue[x * step];
    out[x] = static_cast<std::uint8_t>((sum + (1 << (kShift - 1))) >> kShift);
  }
}

template <std::ptrdiff_t kValue>
struct Constant {
  constexpr operator std::ptrdiff_t() const { return kValue; }  // NOLINT: stands for the number
};

template <typename Row>
void for_step(std::ptrdiff_t step, Row&& row) {
  switch (step) {
    case 1:
      return row(Constant<1>{});
    case 2:
      return row(Constant<2>{});
    case 3:
      return row(Constant<3>{});
    case 4:
      return row(Constant<4>{});
    default:
      return row(step);
  }
}

ImageView copy_luma(const Component& luma, Image& scratch) {
  for_step(luma.pixel_stride, [&](auto step) {
    for (int y = 0; y < scratch.height(); ++y) {
      pick_row(luma.row(y), step, scratch.width(), scratch.row(y));
    }
  });
  return scratch.view();
}

// All three components of the supported formats have the same pixel stride.
ImageView weigh_rgb(const Component& red, const Component& green, const Component& blue,
                    Image& scratch) {
  for_step(red.pixel_stride, [&](auto step) {
    for (int y = 0; y < scratch.height(); ++y) {
      weigh_row(red.row(y), green.row(y), blue.row(y), step, scratch.width(), scratch.row(y));
    }
  });
  return scratch.view();
}

}  // namespace

ImageView luma_of(const GstVideoFrame& frame, int width, int height, Image& scratch) {
  const Component first = component(frame, 0);
  if (GST_VIDEO_INFO_IS_RGB(&frame.info)) {
    scratch.resize(width, height);
    return weigh_rgb(first, component(frame, 1), component(frame, 2), scratch);
  }
  // Bottom-up pictures are copied, too: who takes a view may count on rows that follow each other.
  if (first.pixel_stride == 1 && first.row_stride >= width) {
    return {first.data, width, height, first.row_stride};
  }
  scratch.resize(width, height);
  return copy_luma(first, scratch);
}

}  // namespace cltrack::gst
