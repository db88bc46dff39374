// SPDX-License-Identifier: LGPL-2.1-or-later
// The formulas behind FilterTables.
#pragma once

#include <cmath>
#include <numbers>

#include "kernels/filter_types.h"

namespace cltrack {

inline constexpr double kFilterGain = 6;
// The side of a window, in square roots of the target's area.
inline constexpr double kFilterArea = 5.5;
// The label is a Gaussian of an eighth of the target's size.
inline constexpr double kLabelSigma = CLTRACK_FILTER_CELLS / kFilterArea / 8;  // cells

// A Hann window, of a cell of a row or column.
inline double filter_weight(int cell) {
  return 0.5 * (1 - std::cos(2 * std::numbers::pi * (cell + 0.5) / CLTRACK_FILTER_CELLS));
}

// The response that the filter shall give when the target lies (x, y) cells away from where it was
// learnt, both taken modulo 32.
inline double filter_label(int x, int y) {
  const auto distance = [](int cell) {
    return cell < CLTRACK_FILTER_CELLS / 2 ? cell : cell - CLTRACK_FILTER_CELLS;
  };
  const double square = distance(x) * distance(x) + distance(y) * distance(y);
  return std::exp(-square / (2 * kLabelSigma * kLabelSigma));
}

}  // namespace cltrack
