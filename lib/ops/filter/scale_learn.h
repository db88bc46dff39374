// SPDX-License-Identifier: LGPL-2.1-or-later
// What the scale filter remembers of a target, see scale_spectra.h. With the spectrum X of the
// target's latest look and the spectrum Y of the wanted answer, a bell around scale 16:
//
//   numerator(k, v) = (1 - rate) * numerator(k, v) + rate * Y(k) * conj(X(k, v))
//   denominator(k) = (1 - rate) * denominator(k) + rate * sum over v of |X(k, v)|^2
//
// A rate of 1 replaces what was there, whatever it was. The sum's order is that of scale_tables.h:
// every device gives the same filters.
#pragma once

#include <span>

#include "ops/filter/scale_spectra.h"

namespace cltrack {

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
