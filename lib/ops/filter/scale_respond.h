// SPDX-License-Identifier: LGPL-2.1-or-later
// How well each scale fits: the scale filter's answer to a target's look, see scale_learn.h. With
// the spectrum X of the look:
//
//   R(k) = sum over v of numerator(k, v) * X(k, v) / (denominator(k) + 0.01)
//   response(s) = (R(0) + 2 * sum over 1 <= k < 17 of Re(R(k) * exp(2 pi i k s / 33))) / 33
//
// The greatest response is near 1 for what the filter knows; its index is the scale, 16 for an
// unchanged one. Sums over v are in the order of scale_tables.h, those over k rise: every device
// gives the same responses.
#pragma once

#include <span>

#include "ops/filter/scale_spectra.h"

namespace cltrack {

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

}  // namespace cltrack
