// SPDX-License-Identifier: LGPL-2.1-or-later
#include "detections/detection.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "metadata/analytics_meta.h"
#include "scoped.h"

namespace cltrack::gst {
namespace {

// A detector may write one object as a region and as an ODMtd.
constexpr float kSlack = 2;  // pixels between both: elements that scale them round
constexpr float kSameObject =
    0.5f;  // overlap of both, at least, if their ids say that they are one

// So much later than usual, a round has found nothing.
constexpr double kOverdue = 1.5;
constexpr double kAtWork = 1.0;  // seconds after a round that was seen

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

// Leaves the most confident ones, of equal ones the first, in their order. Returns how many go.
std::size_t leave_out(std::vector<Detection>& detections) {
  if (detections.size() <= kMostDetections) return 0;
  std::vector<float> sorted;
  for (const Detection& detection : detections) sorted.push_back(detection.confidence);
  const auto last = sorted.begin() + kMostDetections - 1;
  std::ranges::nth_element(sorted, last, std::greater());
  std::ptrdiff_t of_last = std::ranges::count(sorted.begin(), last + 1, *last);
  return std::erase_if(detections, [&](const Detection& detection) {
    if (detection.confidence == *last) return of_last-- <= 0;
    return detection.confidence < *last;
  });
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

bool DetectionSettings::is_in_region(const BoundingBox& box, int width, int height) const {
  return region.contains(clip_to_frame(box, width, height), width, height);
}

void register_detector_ran_meta() {
  [[maybe_unused]] static const GstMetaInfo* const once = [] {
    const GstMetaInfo* known = gst_meta_get_info(kDetectorRanMeta);
    if (known != nullptr) return known;
    const gchar* no_tags[] = {nullptr};
    return gst_meta_register_custom(kDetectorRanMeta, no_tags, nullptr, nullptr, nullptr);
  }();
}

bool DetectionRounds::see(double now, bool ran, int every) {
  ++frames_;
  if (ran) {
    if (observed_ && now > *observed_) {
      gaps_.push_back(now - *observed_);
      if (gaps_.size() > kGaps) gaps_.erase(gaps_.begin());
    }
    observed_ = latest_ = now;
    frames_ = 0;
    return true;
  }
  if (!observed_) return false;
  if (now < latest_) latest_ = now;  // a seek
  const double usual = interval();
  const bool is_due = every > 0 ? frames_ >= every : usual > 0 && now - latest_ >= kOverdue * usual;
  if (!is_due) return false;
  // A gap of any length is one round.
  const bool is_gap = every > 0 || now - latest_ >= (kOverdue + 1) * usual;
  latest_ = is_gap ? now : latest_ + usual;
  frames_ = 0;
  return true;
}

double DetectionRounds::interval() const {
  if (gaps_.size() < kLeastGaps) return 0;
  std::vector<double> sorted = gaps_;
  const auto middle = sorted.begin() + std::ssize(sorted) / 2;
  std::ranges::nth_element(sorted, middle);
  return *middle;
}

bool DetectionRounds::is_at_work(double now) const {
  return observed_ && std::abs(now - *observed_) <= kAtWork;
}

DetectedFrame read_detections(GstBuffer* buffer, const DetectionSettings& settings, int width,
                              int height) {
  DetectedFrame frame;
  if (settings.use == DetectionUse::ignore) return frame;
  const auto add = [&](Detection detection) {
    frame.labels.insert(detection.label);
    if (!settings.types.empty() && !std::ranges::count(settings.types, detection.label)) return;
    if (!(detection.confidence >= settings.least_confidence)) return;
    if (!settings.is_in_region(detection.box, width, height)) return;
    frame.detections.push_back(std::move(detection));
  };
  register_detector_ran_meta();
  frame.is_round = gst_buffer_get_custom_meta(buffer, kDetectorRanMeta) != nullptr;
  Objects objects(buffer);
  gpointer position = nullptr;
  while (GstMeta* found = gst_buffer_iterate_meta_filtered(
             buffer, &position, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) {
    auto* meta = reinterpret_cast<GstVideoRegionOfInterestMeta*>(found);
    Detection detection{
        .box = box_of(*meta), .label = valid_text(g_quark_to_string(meta->roi_type)), .meta = meta};
    const auto object = objects.take(meta->id, detection.label, detection.box);
    if (gst_video_region_of_interest_meta_get_param(meta, "cltrack") != nullptr) continue;
    if (object && object->is_tracked) continue;
    detection.confidence = confidence_of(meta).value_or(object ? object->confidence : 1);
    if (object) detection.object = object->id;
    add(std::move(detection));
  }
  for (const AnalyticsObject& object : objects.left()) {
    if (object.is_tracked || !object.box.is_valid()) continue;
    add({.box = object.box,
         .label = object.label,
         .confidence = object.confidence,
         .object = object.id});
  }
  frame.left_out = leave_out(frame.detections);
  return frame;
}

}  // namespace cltrack::gst
