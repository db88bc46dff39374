// SPDX-License-Identifier: LGPL-2.1-or-later
#include "detections/detection.h"

#include <algorithm>

#include "scoped.h"

namespace cltrack::gst {
namespace {

float confidence_of(GstVideoRegionOfInterestMeta* region) {
  const GstStructure* detection = gst_video_region_of_interest_meta_get_param(region, "detection");
  double confidence = 1;
  if (detection != nullptr) gst_structure_get_double(detection, "confidence", &confidence);
  return static_cast<float>(confidence);
}

}  // namespace

std::vector<Detection> read_detections(GstBuffer* buffer, const DetectionSettings& settings) {
  std::vector<Detection> detections;
  if (settings.use == DetectionUse::ignore) return detections;
  gpointer position = nullptr;
  while (GstMeta* found = gst_buffer_iterate_meta_filtered(
             buffer, &position, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) {
    auto* meta = reinterpret_cast<GstVideoRegionOfInterestMeta*>(found);
    if (gst_video_region_of_interest_meta_get_param(meta, "cltrack") != nullptr) continue;
    const char* type = g_quark_to_string(meta->roi_type);
    const Scoped<char, g_free> text(g_utf8_make_valid(type != nullptr ? type : "", -1));
    const std::string label = text.get();
    if (!settings.types.empty() && !std::ranges::count(settings.types, label)) continue;
    const float confidence = confidence_of(meta);
    if (!(confidence >= settings.least_confidence)) continue;
    detections.push_back({.box = {static_cast<float>(meta->x), static_cast<float>(meta->y),
                                  static_cast<float>(meta->w), static_cast<float>(meta->h)},
                          .label = label,
                          .confidence = confidence,
                          .meta = meta});
  }
  return detections;
}

}  // namespace cltrack::gst
