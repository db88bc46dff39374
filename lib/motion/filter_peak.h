// SPDX-License-Identifier: LGPL-2.1-or-later
// What the responses of a correlation filter and of a colour histogram say: where the target went,
// and how sure that is.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace cltrack {

struct FilterPeak {
  float x = 0;  // how far it moved, cells: -16 to 16
  float y = 0;
  std::size_t cell = 0;             // where the responses are highest
  float value = 0;                  // of filter and colours together
  float filter = 0;                 // of the filter alone, there
  std::optional<float> color = {};  // of the colours alone, there
};

// The share of the colours in the sum (Staple, section 3.4).
inline constexpr float kColorShare = 0.3f;

// Both as filter_respond() and color_response() lay them out. `color` may be empty: the filter
// counts alone. Of equal responses the first one is the peak. Between cells, along each axis, the
// filter's responses are the trigonometric polynomial through all of them, which their spectrum
// makes exact, and those of the colours a parabola. (A parabola through three responses of the
// filter is wrong by up to a tenth of a cell, always towards the cell's middle.)
FilterPeak filter_peak(std::span<const float> filter, std::span<const float> color);

// The maximum of the parabola through three equidistant values, relative to the middle one, which
// is not the least; within -0.5 to 0.5.
float parabola_peak(float before, float middle, float after);

}  // namespace cltrack
