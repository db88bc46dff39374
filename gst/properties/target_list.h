// SPDX-License-Identifier: LGPL-2.1-or-later
// The property "targets": boxes as an array of arrays, <<x, y, width, height, "label">, ...>.
#pragma once

#include <gst/gst.h>

#include <span>
#include <string>
#include <vector>

#include "cltrack/bounding_box.h"

namespace cltrack::gst {

struct Target {
  BoundingBox box;    // pixels
  std::string label;  // empty: the one of the property "label"
};

// Throws Error{invalid_argument} that names the first part of `value`, which holds a
// GST_TYPE_ARRAY, that is no target: anything but four numbers and at most a label, a number that
// is not finite, a side that is not greater than 0, a label that is not UTF-8.
std::vector<Target> parse_targets(const GValue* value);

// The same in return: `value` holds a GST_TYPE_ARRAY, and gets the targets.
void write_targets(std::span<const Target> targets, GValue* value);

}  // namespace cltrack::gst
