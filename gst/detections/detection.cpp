// SPDX-License-Identifier: LGPL-2.1-or-later
#include "detections/detection.h"

#include "metadata/analytics_meta.h"
#include "scoped.h"

namespace cltrack::gst {
namespace {

std::string valid_text(const char* text) {
  const Scoped<char, g_free> valid(g_utf8_make_valid(text != nullptr ? text : "", -1));
  return valid.get();
}

std::optional<float> confidence_of(GstVideoRegionOfInterestMeta* region) {
  const GstStructure* detection = gst_video_region_of_interest_meta_get_param(region, "detection");
  double confidence = 1;
  if (detection == nullptr || !gst_structure_get_double(detection, "confidence", &confidence)) {
    return std::nullopt;
  }
  return static_cast<float>(confidence);
}

BoundingBox box_of(const GstVideoRegionOfInterestMeta& region) {
  return {static_cast<float>(region.x), static_cast<float>(region.y), static_cast<float>(region.w),
          static_cast<float>(region.h)};
}

}  // namespace

void register_detector_ran_meta() {
  [[maybe_unused]] static const GstMetaInfo* const once = [] {
    const GstMetaInfo* known = gst_meta_get_info(kDetectorRanMeta);
    if (known != nullptr) return known;
    const gchar* no_tags[] = {nullptr};
    return gst_meta_register_custom(kDetectorRanMeta, no_tags, nullptr, nullptr, nullptr);
  }();
}

BufferDetections read_detections(GstBuffer* buffer) {
  BufferDetections read;
  register_detector_ran_meta();
  read.is_round = gst_buffer_get_custom_meta(buffer, kDetectorRanMeta) != nullptr;
  UnclaimedObjects objects(buffer);
  gpointer position = nullptr;
  while (GstMeta* found = gst_buffer_iterate_meta_filtered(
             buffer, &position, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) {
    auto* meta = reinterpret_cast<GstVideoRegionOfInterestMeta*>(found);
    Detection detection{{box_of(*meta), valid_text(g_quark_to_string(meta->roi_type))}, meta};
    const auto object = objects.take(meta->id, detection.label, detection.box);
    if (gst_video_region_of_interest_meta_get_param(meta, "cltrack") != nullptr) continue;
    if (object && object->track) continue;
    detection.confidence = confidence_of(meta).value_or(object ? object->confidence : 1);
    if (object) detection.object = object->id;
    read.detections.push_back(std::move(detection));
  }
  for (const AnalyticsObject& object : objects.left()) {
    if (object.track || !object.box.is_valid()) continue;
    read.detections.push_back({{object.box, object.label, object.confidence}, nullptr, object.id});
  }
  return read;
}

}  // namespace cltrack::gst
