// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/overlay_blend.h"

#include <gst/video/video-overlay-composition.h>

#include <algorithm>
#include <utility>

#include "overlay/overlay_layer.h"
#include "pictures/frame_window.h"
#include "pictures/mapped_frame.h"
#include "scoped.h"

namespace cltrack::gst {
namespace {

using Rectangle = Scoped<GstVideoOverlayRectangle, gst_video_overlay_rectangle_unref>;
using Composition = Scoped<GstVideoOverlayComposition, gst_video_overlay_composition_unref>;

Rectangle make_rectangle(const OverlayPatch& patch, int x_offset) {
  const PixelRect& place = patch.place;
  return Rectangle(gst_video_overlay_rectangle_new_raw(
      patch.pixels.get(), place.x - x_offset, place.y, static_cast<guint>(place.width),
      static_cast<guint>(place.height), GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE));
}

}  // namespace

bool blend_patches(const GstVideoFrame& whole_frame, std::span<const OverlayPatch> patches) {
  AlignedFrame aligned(whole_frame);
  GstVideoFrame frame = aligned.get();
  drop_split_group(frame);
  const int frame_width = GST_VIDEO_FRAME_WIDTH(&frame);
  GstVideoFrame window;
  const bool has_windows = make_window(frame, 0, frame_width, window);
  bool all_blended = true;
  const auto blend = [&](const OverlayPatch& patch) {
    const int left = has_windows ? round_to_window(patch.place.x) : 0;
    const int right = std::min(round_up_to_window(patch.place.right()), frame_width);
    if (!has_windows || !make_window(frame, left, right - left, window)) window = frame;
    const Rectangle rectangle = make_rectangle(patch, left);
    const Composition composition(gst_video_overlay_composition_new(rectangle.get()));
    all_blended &= gst_video_overlay_composition_blend(composition.get(), &window) != FALSE;
  };
  lay_over_each_other(patches, frame_width, GST_VIDEO_FRAME_HEIGHT(&frame), !has_windows, blend);
  aligned.write_back();
  return all_blended;
}

void attach_patches(GstBuffer* buffer, std::span<const OverlayPatch> patches) {
  if (patches.empty()) return;
  GstVideoOverlayCompositionMeta* meta = gst_buffer_get_video_overlay_composition_meta(buffer);
  // Compositions are shared between buffers: what another element made is copied, not changed.
  Composition composition(meta != nullptr ? gst_video_overlay_composition_copy(meta->overlay)
                                          : gst_video_overlay_composition_new(nullptr));
  for (const OverlayPatch& patch : patches) {
    gst_video_overlay_composition_add_rectangle(composition.get(), make_rectangle(patch, 0).get());
  }
  if (meta != nullptr) {
    const Composition previous(std::exchange(meta->overlay, composition.release()));
  } else {
    gst_buffer_add_video_overlay_composition_meta(buffer, composition.get());
  }
}

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
    // Compositions that are attached upstream stay attached, and ours with them. A format that we
    // are to hand out with a composition can come without.
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
