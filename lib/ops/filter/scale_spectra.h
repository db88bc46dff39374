// SPDX-License-Identifier: LGPL-2.1-or-later
// The scale filter's view of a target: its features at 33 scales, transformed along the scales.
// Danelljan, Haeger, Khan, Felsberg, "Accurate Scale Estimation for Robust Visual Tracking", BMVC
// 2014. scale_learn() and scale_respond() work on these spectra.
//
// Scale s of 33 is the window that is 1.02^(s - 16) times as large as the target's. Its features,
// 1152 values, are those of hog() for 6 x 6 cells. With weights(k, s) = hann(s) * exp(-2 pi i k s /
// 33), hann(s) = 0.5 * (1 - cos(2 pi (s + 1) / 34)):
//
//   spectrum(k, v) = sum over s of weights(k, s) * features(s, v), 0 <= k < 17
//
// The other bins are the conjugates of these, since features are real. Sums add up in float in the
// order of s: every device gives the same spectra.
#pragma once

#include <cstddef>
#include <span>

#include "compute/array.h"
#include "compute/queue.h"
#include "kernels/filter_types.h"

namespace cltrack {

inline constexpr int kScales = CLTRACK_SCALES;
inline constexpr int kScaleCells = CLTRACK_SCALE_CELLS;
inline constexpr int kScaleValues = CLTRACK_SCALE_VALUES;
inline constexpr int kScaleBins = CLTRACK_SCALE_BINS;
inline constexpr int kUnchangedScale = kScales / 2;
inline constexpr double kScaleRatio = 1.02;  // of neighbours

// What a target has.
inline constexpr std::size_t kScaleFeatures = std::size_t{kScales} * kScaleValues;
// Bin by bin, 1152 real parts, then 1152 imaginary ones.
inline constexpr std::size_t kScaleSpectrum = std::size_t{2} * kScaleBins * kScaleValues;

namespace reference {
// kScaleFeatures to kScaleSpectrum values.
void scale_spectra(std::span<const float> features, std::span<float> spectrum);
}  // namespace reference

namespace vector {
void scale_spectra(std::span<const float> features, std::span<float> spectrum);
}  // namespace vector

// Of all targets, one behind the other, as hog() leaves their windows. Resizes `spectra`. Does not
// wait. Throws Error; Error{invalid_argument} if `features` does not hold 33 windows of each.
void scale_spectra(Queue& queue, const Array<float>& features, Array<float>& spectra);

}  // namespace cltrack
