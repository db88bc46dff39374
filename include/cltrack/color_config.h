// SPDX-License-Identifier: LGPL-2.1-or-later
// Parameters of tracking by colour. color_fields() and docs/parameters.md have the ranges.
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
  // Smallest object, pixels. With fewer of its colour it is lost.
  int minimum_area = 64;
  // How many objects a colour stands for. 0: one, made of all pixels of its colour
  // wherever they are, as in the paper. 1: one, the connected pixels that go on from where it was.
  // More: up to so many, each a track of its own.
  int blobs = 0;
  // Share of an area that an object has on average, under which, and over whose inverse, it is
  // `uncertain`: hidden in part, or mixed up with something.
  float area_ratio = 0.25f;
  // How fast that average follows, per frame.
  float area_rate = 0.05f;
  // How far an object may move from where it is expected, in diagonals of its box, to be the same;
  // each frame without it adds as much.
  float reach = 1.5f;
  // On how many of the latest frames tracks know where they were (Track::trail).
  int trail = 0;
  int threads = 2;  // that share the picture; changes no result
  // On which device each of kColorStages runs; changes no result.
  Placement placement = {};
};

// Name, range, unit and meaning of each parameter.
CLTRACK_API std::span<const ConfigField<ColorConfig>> color_fields();

// Throws Error{invalid_argument}: the message names the field, its value and what is allowed.
CLTRACK_API void validate(const ColorConfig& config);

}  // namespace cltrack
