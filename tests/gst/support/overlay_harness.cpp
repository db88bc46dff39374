// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay_harness.h"

#include <gst/video/gstvideometa.h>

namespace cltrack::test {

OverlayHarness::OverlayHarness(const std::string& properties)
    : ElementHarness("trackoverlay " + properties),
      info_(video_info(GST_VIDEO_FORMAT_I420, 320, 240)) {}

OverlayHarness::OverlayHarness(const std::string& properties, GstVideoFormat format)
    : OverlayHarness(properties) {
  set_caps(video_info(format, 320, 240));
}

void OverlayHarness::take_compositions(bool by_caps, bool by_allocation) {
  gst_harness_set_sink_caps_str(get(), by_caps ? "video/x-raw(ANY); video/x-raw" : "video/x-raw");
  if (by_allocation) {
    gst_harness_add_propose_allocation_meta(get(), GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE,
                                            nullptr);
  }
}

void OverlayHarness::set_caps(const GstVideoInfo& info) {
  info_ = info;
  gst_harness_set_src_caps(get(), gst_video_info_to_caps(&info));
}

BufferPtr OverlayHarness::picture(const std::vector<Track>& tracks) const {
  BufferPtr buffer = make_picture(info_);
  add_tracks(buffer, info_, tracks);
  return buffer;
}

Pixels OverlayHarness::drawn(BufferPtr picture) {
  const BufferPtr result = pass(std::move(picture));
  if (result) return read_pixels(result.get(), info_);
  ADD_FAILURE() << "nothing came out";
  return {info_.width, info_.height};
}

bool OverlayHarness::draws(const std::vector<Track>& tracks) {
  BufferPtr buffer = picture(tracks);
  const auto before = bytes_of(buffer.get());
  const BufferPtr result = pass(std::move(buffer));
  if (!result) {
    ADD_FAILURE() << "nothing came out";
    return false;
  }
  return bytes_of(result.get()) != before;
}

CapsPtr OverlayHarness::source_caps() {
  const PadPtr pad(gst_element_get_static_pad(element(), "src"));
  return CapsPtr(gst_pad_get_current_caps(pad.get()));
}

Track make_track(std::uint64_t id, const BoundingBox& box, TrackState state,
                 const std::string& label) {
  return {.id = id, .label = label, .box = box, .confidence = 0.87f, .state = state};
}

void add_tracks(const BufferPtr& buffer, const GstVideoInfo& info,
                const std::vector<Track>& tracks) {
  gst::write_tracks(buffer.get(), tracks, {"tracker", "tld"}, info.width, info.height);
}

void add_region(const BufferPtr& buffer, const char* label, int id, guint x, guint y, guint width,
                guint height) {
  gst_buffer_add_video_region_of_interest_meta(buffer.get(), label, x, y, width, height)->id = id;
}

}  // namespace cltrack::test
