// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay_harness.h"

#include <gst/video/gstvideometa.h>

#include <stdexcept>

namespace cltrack::test {

OverlayHarness::OverlayHarness(const std::string& properties)
    : element_(gst_parse_launch(("trackoverlay " + properties).c_str(), nullptr)),
      bus_(gst_bus_new()),
      info_(video_info(GST_VIDEO_FORMAT_I420, 320, 240)) {
  if (!element_) {
    throw std::runtime_error("no element trackoverlay: GST_PLUGIN_PATH_1_0 must name its folder");
  }
  gst_object_ref_sink(element_.get());
  harness_ = gst_harness_new_with_element(element_.get(), "sink", "src");
  gst_element_set_bus(element_.get(), bus_.get());
}

OverlayHarness::~OverlayHarness() {
  gst_element_set_bus(element_.get(), nullptr);
  gst_harness_teardown(harness_);
}

void OverlayHarness::take_compositions(bool by_caps, bool by_allocation) {
  gst_harness_set_sink_caps_str(harness_,
                                by_caps ? "video/x-raw(ANY); video/x-raw" : "video/x-raw");
  if (by_allocation) {
    gst_harness_add_propose_allocation_meta(harness_, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE,
                                            nullptr);
  }
}

void OverlayHarness::set_caps(const GstVideoInfo& info) {
  info_ = info;
  gst_harness_set_src_caps(harness_, gst_video_info_to_caps(&info));
}

BufferPtr OverlayHarness::pass(BufferPtr buffer) {
  if (!GST_BUFFER_PTS_IS_VALID(buffer.get()) && GST_CLOCK_TIME_IS_VALID(next_) &&
      gst_buffer_is_writable(buffer.get())) {
    GST_BUFFER_PTS(buffer.get()) = next_;
    next_ += kFrameDuration;
  }
  if (gst_harness_push(harness_, buffer.release()) != GST_FLOW_OK) return nullptr;
  return BufferPtr(gst_harness_try_pull(harness_));
}

bool OverlayHarness::draws(const std::vector<Track>& tracks) {
  BufferPtr buffer = make_picture(info_);
  add_tracks(buffer, info_, tracks);
  const auto before = bytes_of(buffer.get());
  const BufferPtr result = pass(std::move(buffer));
  if (!result) {
    ADD_FAILURE() << "nothing came out";
    return false;
  }
  return bytes_of(result.get()) != before;
}

std::vector<std::string> OverlayHarness::texts(GstMessageType type) {
  std::vector<std::string> found;
  while (const MessagePtr message{gst_bus_pop_filtered(bus_.get(), type)}) {
    found.push_back(text_of(message));
  }
  return found;
}

CapsPtr OverlayHarness::source_caps() {
  GstPad* pad = gst_element_get_static_pad(element(), "src");
  CapsPtr caps(gst_pad_get_current_caps(pad));
  gst_object_unref(pad);
  return caps;
}

Track make_track(std::uint64_t id, const BoundingBox& box, TrackState state,
                 const std::string& label) {
  Track track;
  track.id = id;
  track.label = label;
  track.box = box;
  track.confidence = 0.87f;
  track.state = state;
  return track;
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
