// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures/cutout.h"

#include "cltrack/error.h"
#include "pictures/frame_window.h"
#include "scoped.h"

namespace cltrack::gst {
namespace {

constexpr GstClockTime kLongest = 30 * GST_SECOND;  // for one picture, on a busy machine

using Caps = Scoped<GstCaps, gst_caps_unref>;
using Sample = Scoped<GstSample, gst_sample_unref>;

template <typename Component>
void append_rows(const GstVideoFrame& window, const PixelRect& place,
                 std::vector<std::uint8_t>& pixels) {
  FrameRows<Component> rows(window);
  const std::size_t pixel = sizeof(Component) * rows.kComponents;
  for (int y = place.y; y < place.bottom(); ++y) {
    const auto* row = reinterpret_cast<const std::uint8_t*>(rows.read(y));
    pixels.insert(pixels.end(), row + static_cast<std::size_t>(place.x) * pixel,
                  row + static_cast<std::size_t>(place.right()) * pixel);
  }
}

Sample convert(const Sample& sample, const char* to) {
  GError* error = nullptr;
  const Caps caps(gst_caps_from_string(to));
  Sample converted(gst_video_convert_sample(sample.get(), caps.get(), kLongest, &error));
  const Scoped<GError, g_error_free> owner(error);
  if (converted && gst_sample_get_buffer(converted.get()) != nullptr) return converted;
  throw Error(ErrorCode::failed, std::string("no JPEG can be made of it: ") +
                                     (error != nullptr ? error->message : "no reason is given"));
}

}  // namespace

Cutout cut_out(const GstVideoFrame& frame, const PixelRect& place) {
  PixelRect inside = place;
  const GstVideoFrame window = window_around(frame, inside);
  Cutout cutout;
  gst_video_info_set_format(&cutout.info, frame.info.finfo->unpack_format,
                            static_cast<guint>(place.width), static_cast<guint>(place.height));
  cutout.info.colorimetry = frame.info.colorimetry;
  cutout.pixels.reserve(GST_VIDEO_INFO_SIZE(&cutout.info));
  if (has_wide_samples(frame)) {
    append_rows<std::uint16_t>(window, inside, cutout.pixels);
  } else {
    append_rows<std::uint8_t>(window, inside, cutout.pixels);
  }
  return cutout;
}

bool has_jpeg_encoder() {
  const Scoped<GstElementFactory, gst_object_unref> factory(gst_element_factory_find("jpegenc"));
  return factory != nullptr;
}

std::string jpeg_of(const Cutout& cutout) {
  const Caps caps(gst_video_info_to_caps(&cutout.info));
  const Scoped<GstBuffer, gst_buffer_unref> buffer(
      gst_buffer_new_memdup(cutout.pixels.data(), cutout.pixels.size()));
  const Sample sample(gst_sample_new(buffer.get(), caps.get(), nullptr, nullptr));
  // JPEG has one colorimetry (full range, BT.601), into which encoders do not convert; from YUV of
  // the same matrix GStreamer (1.22) does not either, whatever the range is. So RGB comes between.
  const Sample rgb = convert(sample, "video/x-raw,format=RGB");
  const Sample yuv = convert(rgb, "video/x-raw,format=I420,colorimetry=1:4:0:0");
  const Sample jpeg = convert(yuv, "image/jpeg");
  GstBuffer* bytes = gst_sample_get_buffer(jpeg.get());
  std::string file(gst_buffer_get_size(bytes), '\0');
  gst_buffer_extract(bytes, 0, file.data(), file.size());
  return file;
}

}  // namespace cltrack::gst
