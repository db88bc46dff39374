// SPDX-License-Identifier: LGPL-2.1-or-later
// The colours of objects as a table from colour to label.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cltrack/color_model.h"
#include "cltrack/color_picture.h"
#include "ops/color/color_sums.h"

namespace cltrack {

// The colours of a table's cells.

// The colour in the middle of a cell. Clipped to the range of RGB.
Rgb color_of_cell(std::uint32_t cell, ColorSpace space, const YuvEncoding& encoding);

// The label of each cell: that of the first model that contains its colour, models[0] being
// label 1. At most kMaxColorObjects models.
ColorTable make_color_table(std::span<const ColorModel> models, ColorSpace space,
                            const YuvEncoding& encoding);

}  // namespace cltrack
