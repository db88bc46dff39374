// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/track_meta.h"

#include <gst/video/gstvideometa.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "metadata/analytics_meta.h"
#include "metadata/carried_tracks.h"
#include "scoped.h"

namespace cltrack::gst {

std::optional<BoundingBox> visible_box(const Track& track, int frame_width, int frame_height) {
  if (!track.has_box() || !track.box.is_valid()) return std::nullopt;
  const BoundingBox inside = clip_to_frame(track.box, frame_width, frame_height);
  if (inside.width <= 0 || inside.height <= 0) return std::nullopt;
  return inside;
}

PixelBox to_pixels(const BoundingBox& box, int frame_width, int frame_height) {
  const auto span = [](float low, float high, int limit, int& start, int& length) {
    start = std::min(static_cast<int>(std::lround(low)), limit - 1);
    length = std::clamp(static_cast<int>(std::lround(high)), start + 1, limit) - start;
  };
  PixelBox pixels{};
  span(box.x, box.right(), frame_width, pixels.x, pixels.width);
  span(box.y, box.bottom(), frame_height, pixels.y, pixels.height);
  return pixels;
}

namespace {

std::optional<TrackState> parse_state(const char* name) {
  if (name == nullptr) return std::nullopt;
  for (const TrackState state : {TrackState::tracking, TrackState::uncertain, TrackState::lost}) {
    if (std::strcmp(name, to_string(state)) == 0) return state;
  }
  return std::nullopt;
}

std::string text_of(const GstStructure* structure, const char* field) {
  const char* text = gst_structure_get_string(structure, field);
  return text != nullptr ? text : "";
}

std::optional<float> parse_confidence(const GstStructure* structure) {
  double confidence = 0;
  if (structure == nullptr || !gst_structure_get_double(structure, "confidence", &confidence)) {
    return std::nullopt;
  }
  return static_cast<float>(confidence);
}

void set_trail(GstStructure* structure, std::span<const TrackPoint> trail) {
  GValue array = G_VALUE_INIT;
  g_value_init(&array, GST_TYPE_ARRAY);
  GValue number = G_VALUE_INIT;
  g_value_init(&number, G_TYPE_DOUBLE);
  for (const auto& [x, y] : trail) {
    for (const float coordinate : {x, y}) {
      g_value_set_double(&number, static_cast<double>(coordinate));
      gst_value_array_append_value(&array, &number);
    }
  }
  g_value_unset(&number);
  gst_structure_take_value(structure, "trail", &array);
}

std::vector<TrackPoint> parse_trail(const GstStructure* structure) {
  std::vector<TrackPoint> trail;
  const GValue* array = gst_structure_get_value(structure, "trail");
  if (array == nullptr || !GST_VALUE_HOLDS_ARRAY(array)) return trail;
  const guint count = gst_value_array_get_size(array);
  for (guint i = 0; i + 1 < count; i += 2) {
    const GValue* x = gst_value_array_get_value(array, i);
    const GValue* y = gst_value_array_get_value(array, i + 1);
    if (!G_VALUE_HOLDS_DOUBLE(x) || !G_VALUE_HOLDS_DOUBLE(y)) return {};
    const TrackPoint point = {static_cast<float>(g_value_get_double(x)),
                              static_cast<float>(g_value_get_double(y))};
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) return {};
    trail.push_back(point);
  }
  return trail;
}

GstStructure* make_own_structure(const Track& track, const TrackSource& source) {
  GstStructure* own = gst_structure_new(
      "cltrack", "id", G_TYPE_UINT64, static_cast<guint64>(track.id), "state", G_TYPE_STRING,
      to_string(track.state), "confidence", G_TYPE_DOUBLE, static_cast<double>(track.confidence),
      "age", G_TYPE_UINT64, static_cast<guint64>(track.age), "algorithm", G_TYPE_STRING,
      source.algorithm, "tracker", G_TYPE_STRING, source.tracker.c_str(), "label", G_TYPE_STRING,
      label_or_default(track.label), "x", G_TYPE_DOUBLE, static_cast<double>(track.box.x), "y",
      G_TYPE_DOUBLE, static_cast<double>(track.box.y), "width", G_TYPE_DOUBLE,
      static_cast<double>(track.box.width), "height", G_TYPE_DOUBLE,
      static_cast<double>(track.box.height), nullptr);
  if (!track.extent) return own;
  const auto& [area, centroid, trail] = *track.extent;
  gst_structure_set(own, "area", G_TYPE_UINT64, static_cast<guint64>(area), "centroid-x",
                    G_TYPE_DOUBLE, static_cast<double>(centroid.x), "centroid-y", G_TYPE_DOUBLE,
                    static_cast<double>(centroid.y), nullptr);
  if (!trail.empty()) set_trail(own, trail);
  return own;
}

// Gives what is to be carried beside the region.
OwnedStructure add_identity(GstVideoRegionOfInterestMeta* meta, const Track& track,
                            const TrackSource& source) {
  gst_video_region_of_interest_meta_add_param(
      meta, gst_structure_new("object_id", "id", G_TYPE_INT, region_id(track.id), nullptr));
  GstStructure* own = make_own_structure(track, source);
  gst_video_region_of_interest_meta_add_param(meta, own);
  return OwnedStructure(gst_structure_copy(own));
}

}  // namespace

// Regions and the structures that other elements read have ids of type int. The full id is in the
// structure "cltrack".
int region_id(std::uint64_t id) {
  return static_cast<int>(id & static_cast<std::uint64_t>(std::numeric_limits<int>::max()));
}

const char* label_or_default(const std::string& label) {
  return label.empty() ? "object" : label.c_str();
}

void write_tracks(GstBuffer* buffer, std::span<const Track> tracks, const TrackSource& source,
                  int frame_width, int frame_height, const DetectedRegions& detected,
                  const RegionIds& ids) {
  std::vector<OwnedStructure> carried;
  for (const Track& track : tracks) {
    if (!track.has_box() || !track.box.is_valid()) continue;
    if (const auto region = detected.find(track.id); region != detected.end()) {
      carried.push_back(add_identity(region->second, track, source));
      continue;
    }
    const auto visible = visible_box(track, frame_width, frame_height);
    if (!visible) continue;

    const BoundingBox& inside = *visible;
    const PixelBox pixels = to_pixels(inside, frame_width, frame_height);
    GstVideoRegionOfInterestMeta* meta = gst_buffer_add_video_region_of_interest_meta(
        buffer, label_or_default(track.label), static_cast<guint>(pixels.x),
        static_cast<guint>(pixels.y), static_cast<guint>(pixels.width),
        static_cast<guint>(pixels.height));
    const auto id = ids.find(track.id);
    meta->id = region_id(id != ids.end() ? id->second : track.id);

    const double confidence = static_cast<double>(track.confidence);
    const double width = frame_width;
    const double height = frame_height;
    gst_video_region_of_interest_meta_add_param(
        meta, gst_structure_new("detection", "x_min", G_TYPE_DOUBLE, inside.x / width, "x_max",
                                G_TYPE_DOUBLE, inside.right() / width, "y_min", G_TYPE_DOUBLE,
                                inside.y / height, "y_max", G_TYPE_DOUBLE, inside.bottom() / height,
                                "confidence", G_TYPE_DOUBLE, confidence, nullptr));
    carried.push_back(add_identity(meta, track, source));
  }
  carry_tracks(buffer, std::move(carried));
}

namespace {

// What GstAnalytics knows as a track and no region tells of.
void append_analytics(const UnclaimedObjects& objects, std::vector<TrackRegion>& regions) {
  const std::size_t count = regions.size();
  for (const AnalyticsObject& object : objects.left()) {
    if (!object.track || object.is_lost || !object.box.is_valid()) continue;
    const int id = region_id(*object.track);
    // Scalers (GStreamer 1.24) leave ODMtds as they are: a track of ours may be elsewhere there.
    const bool is_known = std::any_of(
        regions.begin(), regions.begin() + static_cast<std::ptrdiff_t>(count),
        [&](const TrackRegion& r) { return r.state && r.id == id && r.label == object.label; });
    if (is_known) continue;
    TrackRegion& region = regions.emplace_back();
    region.id = id;
    region.label = object.label;
    region.box = object.box;
    region.confidence = object.confidence;
    region.state = TrackState::tracking;
  }
}

}  // namespace

std::vector<TrackRegion> read_tracks(GstBuffer* buffer) {
  std::vector<TrackRegion> regions;
  UnclaimedObjects objects(buffer);
  gpointer position = nullptr;
  while (GstMeta* found = gst_buffer_iterate_meta_filtered(
             buffer, &position, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) {
    auto* meta = reinterpret_cast<GstVideoRegionOfInterestMeta*>(found);
    const char* label = g_quark_to_string(meta->roi_type);
    TrackRegion& region = regions.emplace_back();
    region.id = meta->id;
    region.label = label != nullptr ? label : "";
    region.box = {static_cast<float>(meta->x), static_cast<float>(meta->y),
                  static_cast<float>(meta->w), static_cast<float>(meta->h)};

    const Scoped<char, g_free> valid(g_utf8_make_valid(region.label.c_str(), -1));
    const auto object = objects.take(meta->id, valid.get(), region.box);

    // "detection" is what detectors of other plugins write, too; our own structure goes first.
    const GstStructure* ours = gst_video_region_of_interest_meta_get_param(meta, "cltrack");
    region.confidence = parse_confidence(ours);
    if (!region.confidence) {
      region.confidence =
          parse_confidence(gst_video_region_of_interest_meta_get_param(meta, "detection"));
    }
    if (ours != nullptr) {
      guint64 id = 0;
      if (gst_structure_get_uint64(ours, "id", &id)) region.id = region_id(id);
      region.state = parse_state(gst_structure_get_string(ours, "state"));
      region.trail = parse_trail(ours);
      guint64 age = 0;
      if (gst_structure_get_uint64(ours, "age", &age)) region.age = age;
      region.algorithm = text_of(ours, "algorithm");
      region.tracker = text_of(ours, "tracker");
    } else if (object && object->track && !object->is_lost) {
      region.id = region_id(*object->track);
      region.state = TrackState::tracking;
    }
  }
  append_analytics(objects, regions);
  return regions;
}

}  // namespace cltrack::gst
