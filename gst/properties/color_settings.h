// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of clcolortracker, and how lists of colours are written.
#pragma once

#include <gst/gst.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/color_config.h"
#include "cltrack/color_model.h"
#include "properties/base_properties.h"

namespace cltrack::gst {

// The colour of each object, as an array of structures or of their texts:
//   hsv, hue-min=340, hue-max=20, saturation-min=0.4, label=cap
//   rgb, red=20, green=40, blue=200, tolerance=40, label=ball
//   box, x=100, y=50, width=30, height=30, label=shirt

struct ColorEntry {
  std::optional<ColorModel> model;  // none: learnt from `box`
  BoundingBox box;                  // pixels
  std::string label;                // empty: the one of the property "label"
  std::string text;                 // as the user wrote it
};

// `value` holds a GST_TYPE_ARRAY. Throws Error{invalid_argument} that names the first entry that is
// no colour: not a structure of these three names, a field that there is not or of the wrong type,
// a number that is not allowed, more than 255 entries.
std::vector<ColorEntry> parse_colors(const GValue* value);

// One of them. Throws the same.
ColorEntry parse_color(const GstStructure* structure);

// The same in return: `value` holds a GST_TYPE_ARRAY, and gets the texts.
void write_colors(std::span<const ColorEntry> colors, GValue* value);

struct ColorSettings {
  ColorConfig config;
  std::vector<ColorEntry> colors;
  std::uint64_t generation = 1;  // of the colours
  std::string label = kDefaultLabel;
};

const PropertyTable<ColorSettings>& color_properties();

}  // namespace cltrack::gst
