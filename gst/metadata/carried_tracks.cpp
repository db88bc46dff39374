// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/carried_tracks.h"

#include <gst/video/gstvideometa.h>
#include <gst/video/video.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace cltrack::gst {
namespace {

constexpr const char* kMeta = "cltrack-tracks";
constexpr const char* kParam = "cltrack";

struct Scale {
  double x = 1;
  double y = 1;
};

// The middle of the first pixel is 0 in either size.
double scaled_center(double place, double factor) { return (place + 0.5) * factor - 0.5; }

void scale_field(GstStructure* track, const char* name, double factor) {
  double value = 0;
  if (!gst_structure_get_double(track, name, &value)) return;
  gst_structure_set(track, name, G_TYPE_DOUBLE, value * factor, nullptr);
}

void scale_trail(GstStructure* track, const Scale& scale) {
  const GValue* trail = gst_structure_get_value(track, "trail");
  if (trail == nullptr || !GST_VALUE_HOLDS_ARRAY(trail)) return;
  GValue scaled = G_VALUE_INIT;
  g_value_init(&scaled, GST_TYPE_ARRAY);
  for (guint i = 0; i < gst_value_array_get_size(trail); ++i) {
    GValue number = G_VALUE_INIT;
    g_value_init(&number, G_TYPE_DOUBLE);
    const GValue* before = gst_value_array_get_value(trail, i);
    const double value = G_VALUE_HOLDS_DOUBLE(before) ? g_value_get_double(before) : 0;
    g_value_set_double(&number, scaled_center(value, i % 2 == 0 ? scale.x : scale.y));
    gst_value_array_append_and_take_value(&scaled, &number);
  }
  gst_structure_take_value(track, "trail", &scaled);
}

OwnedStructure scaled_track(const GstStructure* track, const Scale& scale) {
  OwnedStructure copy(gst_structure_copy(track));
  for (const char* name : {"x", "width"}) scale_field(copy.get(), name, scale.x);
  for (const char* name : {"y", "height"}) scale_field(copy.get(), name, scale.y);
  double x = 0, y = 0;
  if (gst_structure_get(copy.get(), "centroid-x", G_TYPE_DOUBLE, &x, "centroid-y", G_TYPE_DOUBLE,
                        &y, nullptr)) {
    gst_structure_set(copy.get(), "centroid-x", G_TYPE_DOUBLE, scaled_center(x, scale.x),
                      "centroid-y", G_TYPE_DOUBLE, scaled_center(y, scale.y), nullptr);
  }
  guint64 area = 0;
  if (gst_structure_get_uint64(copy.get(), "area", &area)) {
    const double pixels = static_cast<double>(area) * scale.x * scale.y;
    gst_structure_set(copy.get(), "area", G_TYPE_UINT64, static_cast<guint64>(pixels + 0.5),
                      nullptr);
  }
  scale_trail(copy.get(), scale);
  return copy;
}

std::vector<OwnedStructure> tracks_of(const GstStructure* carried, const Scale& scale = {}) {
  std::vector<OwnedStructure> tracks;
  for (int i = 0; i < gst_structure_n_fields(carried); ++i) {
    const char* name = gst_structure_nth_field_name(carried, static_cast<guint>(i));
    const GValue* value = gst_structure_get_value(carried, name);
    if (!GST_VALUE_HOLDS_STRUCTURE(value)) continue;
    tracks.push_back(scaled_track(gst_value_get_structure(value), scale));
  }
  return tracks;
}

GstVideoRegionOfInterestMeta* next_region(GstBuffer* buffer, gpointer* position) {
  return reinterpret_cast<GstVideoRegionOfInterestMeta*>(gst_buffer_iterate_meta_filtered(
      buffer, position, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE));
}

// Elements copy regions in the order in which they are there, so one pass over both finds them all.
void restore_params(GstBuffer* from, GstBuffer* to, const Scale& scale) {
  gpointer position = nullptr, copies = nullptr;
  while (auto* region = next_region(from, &position)) {
    const GstStructure* own = gst_video_region_of_interest_meta_get_param(region, kParam);
    if (own == nullptr) continue;
    auto* copy = next_region(to, &copies);
    while (copy != nullptr && (copy->id != region->id || copy->roi_type != region->roi_type)) {
      copy = next_region(to, &copies);
    }
    if (copy == nullptr) return;
    for (const char* name : {"detection", "object_id"}) {
      const GstStructure* param = gst_video_region_of_interest_meta_get_param(region, name);
      if (param == nullptr || gst_video_region_of_interest_meta_get_param(copy, name) != nullptr) {
        continue;
      }
      gst_video_region_of_interest_meta_add_param(copy, gst_structure_copy(param));
    }
    OwnedStructure track = scaled_track(own, scale);
    if (GstStructure* kept = gst_video_region_of_interest_meta_get_param(copy, kParam)) {
      copy->params = g_list_remove(copy->params, kept);
      gst_structure_free(kept);
    }
    gst_video_region_of_interest_meta_add_param(copy, track.release());
  }
}

// From `from` to `to`, as GstMetaTransformFunction.
gboolean transform(GstBuffer* to, GstCustomMeta* meta, GstBuffer* from, GQuark type, gpointer data,
                   gpointer) {
  Scale scale;
  const bool is_scale = GST_VIDEO_META_TRANSFORM_IS_SCALE(type);
  if (is_scale) {
    const auto* sizes = static_cast<const GstVideoMetaTransform*>(data);
    const GstVideoInfo &in = *sizes->in_info, &out = *sizes->out_info;
    if (in.width <= 0 || in.height <= 0) return FALSE;
    scale = {static_cast<double>(out.width) / in.width,
             static_cast<double>(out.height) / in.height};
  } else if (!GST_META_TRANSFORM_IS_COPY(type) ||
             static_cast<const GstMetaTransformCopy*>(data)->region) {
    return FALSE;
  }
  carry_tracks(to, tracks_of(gst_custom_meta_get_structure(meta), scale));
  if (is_scale) restore_params(from, to, scale);
  return TRUE;
}

// Called by GStreamer, which is C.
gboolean transform_or_not(GstBuffer* to, GstCustomMeta* meta, GstBuffer* from, GQuark type,
                          gpointer data, gpointer user_data) noexcept {
  try {
    return transform(to, meta, from, type, data, user_data);
  } catch (...) {
    return FALSE;  // for want of memory
  }
}

void ensure_registered() {
  static const bool once = [] {
    // Those of regions: where GStreamer passes on the one it passes on the other.
    const gchar* tags[] = {GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_ORIENTATION_STR,
                           GST_META_TAG_VIDEO_SIZE_STR, nullptr};
    if (gst_meta_get_info(kMeta) == nullptr) {
      gst_meta_register_custom(kMeta, tags, transform_or_not, nullptr, nullptr);
    }
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace

void carry_tracks(GstBuffer* buffer, std::vector<OwnedStructure> tracks) {
  ensure_registered();
  // A new one, behind the regions that have been added since.
  if (GstCustomMeta* before = gst_buffer_get_custom_meta(buffer, kMeta)) {
    std::vector<OwnedStructure> all = tracks_of(gst_custom_meta_get_structure(before));
    std::ranges::move(tracks, std::back_inserter(all));
    tracks = std::move(all);
    gst_buffer_remove_meta(buffer, reinterpret_cast<GstMeta*>(before));
  }
  if (tracks.empty()) return;
  GstStructure* carried = gst_custom_meta_get_structure(gst_buffer_add_custom_meta(buffer, kMeta));
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const std::string name = "track-" + std::to_string(i);
    GValue value = G_VALUE_INIT;
    g_value_init(&value, GST_TYPE_STRUCTURE);
    g_value_take_boxed(&value, tracks[i].release());
    gst_structure_take_value(carried, name.c_str(), &value);
  }
}

}  // namespace cltrack::gst
