// SPDX-License-Identifier: LGPL-2.1-or-later
// The motion of a target, from the responses of its correlation filters and of its colour
// histogram: where it went, and how sure that is.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "motion/motion_estimator.h"
#include "ops/filter/translation_filter.h"

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

// How far the peak of a response stands out from the rest of it: the peak-to-sidelobe ratio (Bolme,
// Beveridge, Draper, Lui, "Visual Object Tracking using Adaptive Correlation Filters", CVPR 2010,
// section 3.5).

// (p - m) / s: p is the response in cell `peak`, m and s are mean and standard deviation of all
// responses but those around the peak that a box of width x height cells covers, of 3 x 3 at least.
// Finite, and 0 where nothing stands out; s is 0.001 at least. `responses`: as filter_respond()
// lays them out, cyclic along both axes.
float peak_to_sidelobe(std::span<const float> responses, std::size_t peak, float width,
                       float height);

// The estimate of a target's correlation filters and its colours together: where it went, and how
// sure that is.

struct FilterEstimate {
  float x = 0;  // how far it moved, cells: -16 to 16
  float y = 0;
  FilterQuality quality;
};

// Responses to the window that was learnt from. The target is in its middle, but their peak is not:
// the mask has cut off what that would take, and the colours pull towards wherever more of them is.
struct LearntResponse {
  std::array<float, kFilterPlane> filter, color;
};

// All three as filter_estimate() takes them, and there.
LearntResponse learnt_response(std::span<const float> adaptive, std::span<const float> initial,
                               std::span<const float> color);

// Where a target is, from the responses of three: the adaptive filter, the initial filter, which is
// the first frame's, and the colours, as filter_respond() and color_response() lay them out. The
// adaptive filter drifts, the initial one goes stale: their weights are 0.75 and 0.25. `color` may
// be empty. The box has width x height cells.
//
// If the responses are as `learnt` was, nothing has moved, wherever their peak is: so the less they
// differ, the more of `learnt`'s peak is subtracted from theirs. Where they differ by more than a
// few percent nothing is: a peak also says by how much the box has drifted off, and whatever is
// subtracted there lets it drift on.
FilterEstimate filter_estimate(std::span<const float> adaptive, std::span<const float> initial,
                               std::span<const float> color, float width, float height,
                               const LearntResponse* learnt = nullptr);

}  // namespace cltrack
