// SPDX-License-Identifier: LGPL-2.1-or-later
// Brings the patches of a scene onto a frame: into its pixels, or as metadata.
#pragma once

#include <gst/video/video.h>

#include <span>

#include "overlay_scene.h"

namespace cltrack::gst {

// Draws all patches with gst_video_overlay_composition_blend(). That function takes apart and puts
// together whole rows of the frame for every row of a rectangle, so it is given no more than the
// columns around each patch where the format allows. False if GStreamer cannot blend onto the
// frame's format.
bool blend_patches(const GstVideoFrame& frame, std::span<const OverlayPatch> patches);

// Adds all patches as GstVideoOverlayCompositionMeta, on top of what there is already. `buffer`
// must be writable; its pixels are left alone.
void attach_patches(GstBuffer* buffer, std::span<const OverlayPatch> patches);

// A view on `width` columns of `frame` from column `x` on, both multiples of kWindowAlignment
// unless they reach the right edge. False if the format has no such views: its pixels come in
// groups or tiles.
inline constexpr int kWindowAlignment = 16;
bool make_window(const GstVideoFrame& frame, int x, int width, GstVideoFrame& window);

}  // namespace cltrack::gst
