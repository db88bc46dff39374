// SPDX-License-Identifier: LGPL-2.1-or-later
// The scale filter (DSST): features at 33 scales, learning, and responses.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "compute/array.h"
#include "compute/queue.h"
#include "kernels/filter_types.h"

namespace cltrack {

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

inline constexpr int kScales = CLTRACK_SCALES;
inline constexpr int kScaleCells = CLTRACK_SCALE_CELLS;
inline constexpr int kScaleValues = CLTRACK_SCALE_VALUES;
inline constexpr int kScaleBins = CLTRACK_SCALE_BINS;
inline constexpr int kUnchangedScale = kScales / 2;
inline constexpr double kScaleRatio = 1.02;  // of neighbours

// The sizes of a target's arrays.
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

// The spectra of all targets, one behind the other, as hog() leaves their windows. Resizes
// `spectra`. Does not wait. Throws Error; Error{invalid_argument} if `features` does not hold 33
// windows of each.
void scale_spectra(Queue& queue, const Array<float>& features, Array<float>& spectra);

// Factors and the order of sums that the ops of the scale filter share. Their kernels have the
// same, in kernels/parts/scale_sums.cl.

inline constexpr int kScaleLanes = CLTRACK_SCALE_LANES;
static_assert(kScaleValues % kScaleLanes == 0);

inline constexpr std::array<float, kScales> kScaleHann = CLTRACK_SCALE_HANN;
inline constexpr std::array<float, kScaleBins> kScaleLabelRe = CLTRACK_SCALE_LABEL_RE;
inline constexpr std::array<float, kScaleBins> kScaleLabelIm = CLTRACK_SCALE_LABEL_IM;

using ScaleTable = std::array<std::array<float, kScales>, kScaleBins>;

// The table of k * s / 33 turns: one of 33.
constexpr ScaleTable scale_turns(const std::array<float, kScales>& turn) {
  ScaleTable table = {};
  for (std::size_t k = 0; k < kScaleBins; ++k) {
    for (std::size_t s = 0; s < kScales; ++s) table[k][s] = turn[k * s % kScales];
  }
  return table;
}
inline constexpr ScaleTable kScaleCos = scale_turns(CLTRACK_SCALE_COS);
inline constexpr ScaleTable kScaleSin = scale_turns(CLTRACK_SCALE_SIN);

// A sum over the 1152 values of a bin: lane l adds up values l, l + 32, l + 64 ...; then the upper
// half of the lanes is added to the lower one, until one is left.
[[gnu::always_inline]] inline float sum_of_lanes(float* lanes) {
  for (int half = kScaleLanes / 2; half > 0; half /= 2) {
    for (int lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  }
  return lanes[0];
}

// How well each scale fits: the scale filter's response to a target's look, see scale_learn(). With
// the spectrum X of the look:
//
//   R(k) = sum over v of numerator(k, v) * X(k, v) / (denominator(k) + 0.01)
//   response(s) = (R(0) + 2 * sum over 1 <= k < 17 of Re(R(k) * exp(2 pi i k s / 33))) / 33
//
// The greatest response is near 1 for what the filter knows; its index is the scale, 16 for an
// unchanged one. Sums over v are in the order of sum_of_lanes(), those over k rise: every device
// gives the same responses.

namespace reference {
// kScaleSpectrum values of `spectrum` and `numerators`, kScaleBins of `denominators`, kScales of
// `responses`.
void scale_respond(std::span<const float> spectrum, std::span<const float> numerators,
                   std::span<const float> denominators, std::span<float> responses);
}  // namespace reference

namespace vector {
void scale_respond(std::span<const float> spectrum, std::span<const float> numerators,
                   std::span<const float> denominators, std::span<float> responses);
}  // namespace vector

// Responses of job i begin at kScales * i. Slots are as in scale_learn(); any number of jobs may
// have the same. Resizes `responses`. Does not wait. Throws Error as scale_learn() does.
void scale_respond(Queue& queue, const Array<float>& spectra, const Array<ScaleRespondJob>& jobs,
                   const Array<float>& numerators, const Array<float>& denominators,
                   Array<float>& responses);

// The scale filter of a target, see scale_spectra(). With the spectrum X of the target's latest
// look and the spectrum Y of the wanted response, a bell around scale 16:
//
//   numerator(k, v) = (1 - rate) * numerator(k, v) + rate * Y(k) * conj(X(k, v))
//   denominator(k) = (1 - rate) * denominator(k) + rate * sum over v of |X(k, v)|^2
//
// A rate of 1 replaces what was there, whatever it was. The sum's order is that of sum_of_lanes():
// every device gives the same filters.

namespace reference {
// kScaleSpectrum values of `spectrum` and `numerators`, kScaleBins of `denominators`.
void scale_learn(std::span<const float> spectrum, float rate, std::span<float> numerators,
                 std::span<float> denominators);
}  // namespace reference

namespace vector {
void scale_learn(std::span<const float> spectrum, float rate, std::span<float> numerators,
                 std::span<float> denominators);
}  // namespace vector

// Slot i has kScaleSpectrum numerators, laid out as spectra are, and kScaleBins denominators; the
// caller sizes both arrays. Does not wait. Throws Error; Error{invalid_argument} if an array does
// not hold whole slots or spectra, or the numbers of slots differ.
void scale_learn(Queue& queue, const Array<float>& spectra, const Array<ScaleLearnJob>& jobs,
                 Array<float>& numerators, Array<float>& denominators);

// The check of scale_learn() and scale_respond(), `op`.
void check_scale_filters(const char* op, const Array<float>& spectra,
                         const Array<float>& numerators, const Array<float>& denominators);

}  // namespace cltrack
