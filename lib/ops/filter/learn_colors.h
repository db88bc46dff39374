// SPDX-License-Identifier: LGPL-2.1-or-later
// What colours a target has, and what colours its background: the histograms of Staple
// (sample_colors.h names the paper), and by them how likely a pixel of each colour is the target's.
//
// A histogram has each bin's share of the samples of a region, and follows the windows that are
// learnt:
//   share = (1 - rate) * share + rate * samples of the bin / samples of the region
// in floats as (1 - rate) * share + count * (rate / samples). Shares under 1e-20 become 0: smaller
// numbers are slow on some processors, and 0 on others. A region without samples has shares of 0.
// At a rate of 1, the former contents are not read: so a slot is begun.
//
// The likelihood of a bin is target / (target + background) of its shares, times 65535, rounded; 0
// where both are 0.
#pragma once

#include <cstdint>
#include <span>

#include "compute/array.h"
#include "compute/queue.h"
#include "kernels/filter_types.h"
#include "ops/filter/sample_colors.h"

namespace cltrack {

// ColorLearnJob is in filter_types.h: { window, slot, inner_left, inner_top, inner_right,
// inner_bottom, outer_left, outer_top, outer_right, outer_bottom, rate }. Samples inside the inner
// rectangle are the target's, all outside the outer rectangle the background's. Rectangles may
// reach beyond the window, and be empty.

// One window of side * side bins. `histograms`: the shares of the target, then of the background,
// kColorBins each; `likelihoods`: kColorBins.
namespace reference {
void learn_colors(std::span<const std::uint16_t> bins, int side, const ColorLearnJob& job,
                  std::span<float> histograms, std::span<std::uint16_t> likelihoods);
}

namespace vector {
void learn_colors(std::span<const std::uint16_t> bins, int side, const ColorLearnJob& job,
                  std::span<float> histograms, std::span<std::uint16_t> likelihoods);
}

// `bins` as sample_colors() makes them. Slot s begins at 2 * kColorBins * s of `histograms`, and at
// kColorBins * s of `likelihoods`; slots that no job names keep their contents, and no slot may
// have two jobs. Does not wait. Throws Error; Error{invalid_argument} if `side` is not 1 to
// kMostSampleSide, a job's window or slot is not there, or its rate is not 0 to 1.
void learn_colors(Queue& queue, const Array<std::uint16_t>& bins, int side,
                  const Array<ColorLearnJob>& jobs, Array<float>& histograms,
                  Array<std::uint16_t>& likelihoods);

}  // namespace cltrack
