// SPDX-License-Identifier: LGPL-2.1-or-later
// Brings the patches of a scene onto a frame: into its pixels, or as metadata.
#pragma once

#include <gst/video/video.h>

#include <span>

#include "overlay/overlay_layer.h"
#include "overlay/overlay_scene.h"

namespace cltrack::gst {

// Draws all patches with gst_video_overlay_composition_blend(). That function takes apart and puts
// together whole rows of the frame, so it is called once for all patches of a few rows, and given
// no more than the columns around them where the format allows. False if GStreamer cannot blend
// onto the frame's format.
bool blend_patches(const GstVideoFrame& frame, std::span<const OverlayPatch> patches);

// Adds all patches as GstVideoOverlayCompositionMeta, on top of what there is already. `buffer`
// must be writable; its pixels are left alone.
void attach_patches(GstBuffer* buffer, std::span<const OverlayPatch> patches);

// A view on `width` columns of `frame` from column `x` on, both multiples of kWindowAlignment
// unless they reach the right edge. False if the format has no such views: its pixels come in
// groups or tiles.
bool make_window(const GstVideoFrame& frame, int x, int width, GstVideoFrame& window);

// Leaves out the last column of a frame of UYVP that cannot be drawn on: two pixels are five bytes
// there, and before GStreamer 1.24 the second half of the last ones of an odd width lay beyond the
// row, and packing wrote there all the same.
void drop_split_group(GstVideoFrame& frame);

}  // namespace cltrack::gst
