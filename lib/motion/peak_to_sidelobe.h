// SPDX-License-Identifier: LGPL-2.1-or-later
// How far the peak of a response stands out from the rest of it: the peak-to-sidelobe ratio (Bolme,
// Beveridge, Draper, Lui, "Visual Object Tracking using Adaptive Correlation Filters", CVPR 2010,
// section 3.5).
#pragma once

#include <cstddef>
#include <span>

namespace cltrack {

// (p - m) / s: p is the response in cell `peak`, m and s are mean and standard deviation of all
// responses but those around the peak that a box of width x height cells covers, of 3 x 3 at least.
// Finite, and 0 where nothing stands out; s is 0.001 at least. `responses`: as filter_respond()
// lays them out, cyclic along both axes.
float peak_to_sidelobe(std::span<const float> responses, std::size_t peak, float width,
                       float height);

}  // namespace cltrack
