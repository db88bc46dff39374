// SPDX-License-Identifier: LGPL-2.1-or-later
#include "thumbnail.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "scoped.h"

namespace track_video {
namespace {

using cltrack::gst::Scoped;

// Cairo's RGB24: a byte that is not used and 8 bits of each colour, in the machine's order.
constexpr GstVideoFormat kFormat =
    G_BYTE_ORDER == G_LITTLE_ENDIAN ? GST_VIDEO_FORMAT_BGRx : GST_VIDEO_FORMAT_xRGB;

// A frame's pixels, for as long as this lives. The rows of an interlaced one are those of a
// picture, which is all that a small one needs: a converter that halves fields apart has to be told
// so of the video and of each frame, and does not come to an end where the two differ.
class Mapped {
 public:
  Mapped(const GstVideoInfo& video, GstBuffer* buffer, GstMapFlags access) {
    GstVideoInfo whole = video;
    whole.interlace_mode = GST_VIDEO_INTERLACE_MODE_PROGRESSIVE;
    if (!gst_video_frame_map(&frame_, &whole, buffer, access)) {
      throw std::runtime_error("a frame for the contact sheet cannot be read");
    }
    // A GstVideoMeta may say more, and show more.
    frame_.flags = GST_VIDEO_FRAME_FLAG_NONE;
    frame_.info.width = video.width;
    frame_.info.height = video.height;
  }
  ~Mapped() { gst_video_frame_unmap(&frame_); }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  GstVideoFrame* get() { return &frame_; }

 private:
  GstVideoFrame frame_;
};

Picture blank(int width, int height) {
  const auto surface = cltrack::gst::shared<cairo_surface_destroy>(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) {
    throw std::runtime_error("no memory for a picture of the contact sheet");
  }
  return surface;
}

}  // namespace

Picture thumbnail(GstBuffer* buffer, const GstVideoInfo& video, int width, int height) {
  // Players show pixels that are not square as wider ones.
  const double shown_width = static_cast<double>(video.width) * video.par_n / video.par_d;
  const double scale = std::min({1.0, width / shown_width, height / double(video.height)});
  const auto side = [scale](double pixels) {
    return std::max(1, static_cast<int>(std::lround(pixels * scale)));
  };
  const Picture picture = blank(side(shown_width), side(video.height));

  GstVideoInfo small;
  gst_video_info_set_format(&small, kFormat,
                            static_cast<guint>(cairo_image_surface_get_width(picture.get())),
                            static_cast<guint>(cairo_image_surface_get_height(picture.get())));
  // Converters want the rate to be the same.
  small.fps_n = video.fps_n;
  small.fps_d = video.fps_d;
  // Of 32 bits, so that rows follow each other without a gap in both.
  const Scoped<GstBuffer, gst_buffer_unref> target(
      gst_buffer_new_wrapped_full(GstMemoryFlags{}, cairo_image_surface_get_data(picture.get()),
                                  small.size, 0, small.size, nullptr, nullptr));
  Mapped from(video, buffer, GST_MAP_READ);
  Mapped to(small, target.get(), GST_MAP_WRITE);
  const Scoped<GstVideoConverter, gst_video_converter_free> converter(
      gst_video_converter_new(&from.get()->info, &to.get()->info, nullptr));
  if (converter == nullptr) throw std::runtime_error("a frame cannot be made a picture");
  gst_video_converter_frame(converter.get(), from.get(), to.get());
  cairo_surface_mark_dirty(picture.get());
  return picture;
}

}  // namespace track_video
