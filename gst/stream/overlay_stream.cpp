// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/overlay_stream.h"

#include <string>

#include "metadata/track_meta.h"
#include "pictures/mapped_frame.h"

GST_DEBUG_CATEGORY_EXTERN(gst_track_overlay_debug);
#define GST_CAT_DEFAULT gst_track_overlay_debug

namespace cltrack::gst {

std::optional<guint64> stream_time_of(const GstBaseTransform* element, const GstBuffer* buffer) {
  const GstSegment& segment = element->segment;
  if (segment.format != GST_FORMAT_TIME || !GST_BUFFER_PTS_IS_VALID(buffer)) return std::nullopt;
  const guint64 time =
      gst_segment_to_stream_time(&segment, GST_FORMAT_TIME, GST_BUFFER_PTS(buffer));
  return GST_CLOCK_TIME_IS_VALID(time) ? std::optional<guint64>(time) : std::nullopt;
}

void OverlayStream::set_info(const GstVideoInfo& info, bool attaches) {
  if (info_.width > 0 && info_.height > 0) {
    // The same scene in another size, as in cltracker.
    lost_boxes_.rescale(static_cast<float>(info.width) / static_cast<float>(info_.width),
                        static_cast<float>(info.height) / static_cast<float>(info_.height));
  }
  info_ = info;
  attaches_ = attaches;
}

void OverlayStream::forget() {
  forget_lost();
  pointer_.forget();
  gst_video_info_init(&info_);
}

LostBoxes::FrameTime OverlayStream::frame_time(const GstBaseTransform* element,
                                               const GstBuffer* buffer) const {
  LostBoxes::FrameTime time;
  time.stream_time = stream_time_of(element, buffer);
  if (info_.fps_n > 0 && info_.fps_d > 0) {
    time.duration = gst_util_uint64_scale_int(GST_SECOND, info_.fps_d, info_.fps_n);
  }
  return time;
}

void OverlayStream::blend(GstBaseTransform* element, GstBuffer* buffer,
                          const std::vector<OverlayPatch>& patches) const {
  MappedFrame mapped(buffer, info_, MapMode::read_write);
  const bool blended = blend_patches(*mapped.video_frame(), patches);
  if (!blended) GST_WARNING_OBJECT(element, "some parts of the overlay could not be drawn");
}

void OverlayStream::process(GstBaseTransform* element, GstBuffer* buffer,
                            const OverlaySettings& settings) {
  const std::vector<TrackRegion> regions = read_tracks(buffer);
  // Trackers do not look at pictures that only fill a hole, so nothing is lost on them either.
  if (regions.empty() && GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_GAP)) return;
  std::vector<TrackRegion> shown = regions;
  const std::vector<TrackRegion> lost =
      lost_boxes_.update(regions, frame_time(element, buffer), settings.lost_time);
  shown.insert(shown.end(), lost.begin(), lost.end());

  if (!settings.navigation) pointer_.forget();
  const auto patches =
      scene_.build(shown, GST_VIDEO_INFO_WIDTH(&info_), GST_VIDEO_INFO_HEIGHT(&info_),
                   settings.style, pointer_.marks(shown));
  if (const std::string problem = scene_.take_problem(); !problem.empty()) {
    GST_ELEMENT_WARNING(
        element, RESOURCE, SETTINGS,
        ("Property font = \"%s\": %s", settings.style.font.c_str(), problem.c_str()), (nullptr));
  }
  GST_LOG_OBJECT(element, "%zu regions and %zu lost, %zu patches", regions.size(), lost.size(),
                 patches.size());
  if (patches.empty()) return;
  if (attaches_) {
    attach_patches(buffer, patches);
  } else {
    blend(element, buffer, patches);
  }
}

}  // namespace cltrack::gst
