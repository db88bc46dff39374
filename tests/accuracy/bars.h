// SPDX-License-Identifier: LGPL-2.1-or-later
// A figure of each tracker on each sequence, as SVG: a bar for each, the range over seeds as a line
// on it.
#pragma once

#include <span>
#include <string>

#include "row_choice.h"

namespace cltrack::accuracy {

// From given first boxes. `figure` is from 0 to 1. The last bars are means over the sequences, if
// there are several.
std::string bars_svg(std::span<const Row> rows, const std::string& title, const Getter& figure);

}  // namespace cltrack::accuracy
