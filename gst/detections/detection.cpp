// SPDX-License-Identifier: LGPL-2.1-or-later
#include "detections/detection.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "metadata/analytics_meta.h"
#include "scoped.h"

namespace cltrack::gst {
namespace {

// A detector may write one object as a region and as an ODMtd.
constexpr float kSlack = 2;  // pixels between both: elements that scale them round
constexpr float kSameObject =
    0.5f;  // overlap of both, at least, if their ids say that they are one

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

bool is_same_box(const BoundingBox& a, const BoundingBox& b) {
  return std::abs(a.x - b.x) <= kSlack && std::abs(a.y - b.y) <= kSlack &&
         std::abs(a.right() - b.right()) <= kSlack && std::abs(a.bottom() - b.bottom()) <= kSlack;
}

// The ODMtds of a buffer, each of which is of one region at most.
class Objects {
 public:
  explicit Objects(GstBuffer* buffer) : objects_(read_objects(buffer)) {
    for (AnalyticsObject& object : objects_) object.label = valid_text(object.label.c_str());
  }

  // The one that a region is of. Elements of DL Streamer write its id into the region; others leave
  // 0 there, or what they like.
  std::optional<AnalyticsObject> take(int id, const std::string& label, const BoundingBox& box) {
    auto found = std::ranges::find_if(objects_, [&](const AnalyticsObject& object) {
      return object.label == label && is_same_box(object.box, box);
    });
    if (found == objects_.end()) {
      found = std::ranges::find_if(objects_, [&](const AnalyticsObject& object) {
        return id >= 0 && object.id == static_cast<unsigned>(id) &&
               overlap(object.box, box) >= kSameObject;
      });
    }
    if (found == objects_.end()) return std::nullopt;
    AnalyticsObject object = *found;
    objects_.erase(found);
    return object;
  }

  std::span<const AnalyticsObject> left() const { return objects_; }

 private:
  std::vector<AnalyticsObject> objects_;
};

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
  Objects objects(buffer);
  gpointer position = nullptr;
  while (GstMeta* found = gst_buffer_iterate_meta_filtered(
             buffer, &position, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) {
    auto* meta = reinterpret_cast<GstVideoRegionOfInterestMeta*>(found);
    Detection detection{{box_of(*meta), valid_text(g_quark_to_string(meta->roi_type))}, meta};
    const auto object = objects.take(meta->id, detection.label, detection.box);
    if (gst_video_region_of_interest_meta_get_param(meta, "cltrack") != nullptr) continue;
    if (object && object->is_tracked) continue;
    detection.confidence = confidence_of(meta).value_or(object ? object->confidence : 1);
    if (object) detection.object = object->id;
    read.detections.push_back(std::move(detection));
  }
  for (const AnalyticsObject& object : objects.left()) {
    if (object.is_tracked || !object.box.is_valid()) continue;
    read.detections.push_back({{object.box, object.label, object.confidence}, nullptr, object.id});
  }
  return read;
}

}  // namespace cltrack::gst
