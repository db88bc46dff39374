// SPDX-License-Identifier: LGPL-2.1-or-later
// Parameters of tracking by colour. color_fields() and docs/notes/parameters.md have the ranges.
#pragma once

#include <array>
#include <span>

#include "cltrack/config_field.h"
#include "cltrack/export.h"
#include "cltrack/placement.h"

namespace cltrack {

// Localisation by colour.
inline constexpr std::array kColorStages = {StageInfo{"color", "color-device"}};

struct ColorConfig {
  // Smallest area of an object, pixels; below it the object is lost.
  int minimum_area = 64;
  // Number of objects per colour. 0: one, made of all pixels of the colour, as in the paper. 1: one
  // connected blob, followed from its last position. More: up to this many blobs, each with a track
  // of its own.
  int blobs = 0;
  // An object is `uncertain` (partly hidden or merged with another) if its area, divided by its
  // average area, is under this ratio or over its inverse.
  float area_ratio = 0.25f;
  // Update rate of the average area, per frame.
  float area_rate = 0.05f;
  // Largest distance of an object from its predicted position, in diagonals of its box; as much
  // more for each frame since it was last seen.
  float reach = 1.5f;
  // Number of latest frames whose centroids are kept (ColorExtent::trail).
  int trail = 0;
  int threads = 2;  // that process a frame; changes no result
  // The device of each of kColorStages; changes no result.
  Placement placement = {};
};

// Name, range, unit and description of each parameter.
CLTRACK_API std::span<const ConfigField<ColorConfig>> color_fields();

// Throws Error{invalid_argument}: the message names the field, its value and what is allowed.
CLTRACK_API void validate(const ColorConfig& config);

}  // namespace cltrack
