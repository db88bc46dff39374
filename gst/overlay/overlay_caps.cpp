// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/overlay_caps.h"

#include <gst/video/video-overlay-composition.h>

#include "scoped.h"

namespace cltrack::gst {
namespace {

constexpr const char* kFeature = GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION;

// Raw video of any format that can be drawn on, in system memory. RGB8P cannot: to blend onto it
// GStreamer gives every pixel of the rows in question a number of a palette that is not the
// picture's.
CapsPointer make_blend_caps() {
  CapsPointer all(
      gst_caps_from_string(GST_VIDEO_CAPS_MAKE(GST_VIDEO_OVERLAY_COMPOSITION_BLEND_FORMATS)));
  const CapsPointer palette(gst_caps_from_string(GST_VIDEO_CAPS_MAKE("RGB8P")));
  CapsPointer caps(gst_caps_subtract(all.get(), palette.get()));
  // Kept for as long as the process: not a leak.
  GST_MINI_OBJECT_FLAG_SET(caps.get(), GST_MINI_OBJECT_FLAG_MAY_BE_LEAKED);
  return caps;
}

const GstCaps* blend_caps() {
  static const CapsPointer caps = make_blend_caps();
  return caps.get();
}

// Takes over `features`.
void append(GstCaps* caps, const GstStructure* structure, GstCapsFeatures* features) {
  gst_caps_append_structure_full(caps, gst_structure_copy(structure), features);
}

GstCapsFeatures* with_composition(const GstCapsFeatures* features) {
  GstCapsFeatures* result = gst_caps_features_copy(features);
  if (!gst_caps_features_contains(result, kFeature)) gst_caps_features_add(result, kFeature);
  return result;
}

GstCapsFeatures* without_composition(const GstCapsFeatures* features) {
  GstCapsFeatures* result = gst_caps_features_copy(features);
  gst_caps_features_remove(result, kFeature);
  return result;
}

// Appends the part of (structure, features) that can be drawn on.
void append_blendable(GstCaps* caps, const GstStructure* structure,
                      const GstCapsFeatures* features) {
  const CapsPointer all(gst_caps_new_empty());
  append(all.get(), structure, gst_caps_features_copy(features));
  gst_caps_append(caps, gst_caps_intersect_full(all.get(), const_cast<GstCaps*>(blend_caps()),
                                                GST_CAPS_INTERSECT_FIRST));
}

void append_transformed(GstCaps* result, GstPadDirection direction, const GstStructure* structure,
                        const GstCapsFeatures* features, CompositionMode mode) {
  if (gst_caps_features_is_any(features)) {
    append(result, structure, gst_caps_features_copy(features));
    return;
  }
  if (gst_caps_features_contains(features, kFeature)) {
    // What is attached upstream stays attached, and ours with it. What we are to hand out with a
    // composition can come without.
    if (direction == GST_PAD_SRC && mode != CompositionMode::blend) {
      append(result, structure, without_composition(features));
    }
    append(result, structure, gst_caps_features_copy(features));
    return;
  }
  if (direction == GST_PAD_SINK && mode != CompositionMode::blend) {
    append(result, structure, with_composition(features));
  }
  if (mode != CompositionMode::attach) append_blendable(result, structure, features);
}

}  // namespace

CapsPointer overlay_template_caps() {
  CapsPointer caps(gst_caps_copy(blend_caps()));
  gst_caps_append(caps.get(), gst_caps_from_string(
                                  GST_VIDEO_CAPS_MAKE_WITH_FEATURES("ANY", GST_VIDEO_FORMATS_ALL)));
  return caps;
}

bool has_composition_feature(const GstCaps* caps) {
  if (gst_caps_is_empty(caps) || gst_caps_is_any(caps)) return false;
  const GstCapsFeatures* features = gst_caps_get_features(caps, 0);
  return features != nullptr && !gst_caps_features_is_any(features) &&
         gst_caps_features_contains(features, kFeature);
}

bool has_drawable_pixels(const GstCaps* caps) {
  if (gst_caps_is_empty(caps) || gst_caps_is_any(caps)) return false;
  const GstCapsFeatures* features = gst_caps_get_features(caps, 0);
  if (features == nullptr || gst_caps_features_is_any(features)) return false;
  const CapsPointer plain(gst_caps_new_empty());
  append(plain.get(), gst_caps_get_structure(caps, 0), without_composition(features));
  return gst_caps_can_intersect(plain.get(), blend_caps()) != FALSE;
}

CapsPointer transform_overlay_caps(GstPadDirection direction, const GstCaps* caps,
                                   CompositionMode mode) {
  CapsPointer result(gst_caps_new_empty());
  for (guint i = 0; i < gst_caps_get_size(caps); ++i) {
    append_transformed(result.get(), direction, gst_caps_get_structure(caps, i),
                       gst_caps_get_features(caps, i), mode);
  }
  return result;
}

bool peer_takes_composition(GstPad* source, GstCaps* caps) {
  bool answered = false;
  const auto ask = [&] {
    const Scoped<GstQuery, gst_query_unref> query(gst_query_new_allocation(caps, FALSE));
    answered = gst_pad_peer_query(source, query.get()) != FALSE;
    return gst_query_find_allocation_meta(query.get(), GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE,
                                          nullptr) != FALSE;
  };
  if (ask()) return true;
  // Base transforms refuse the query until they know their caps.
  return !answered && gst_pad_set_caps(source, caps) && ask();
}

}  // namespace cltrack::gst
