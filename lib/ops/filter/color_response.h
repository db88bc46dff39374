// SPDX-License-Identifier: LGPL-2.1-or-later
// How much a box at each place of a window looks like the target by its colours: the histogram
// score of Staple (sample_colors.h names the paper).
//
// A window has 32 x 32 cells of side / 32 samples. For each displacement by dx and dy cells, -16 to
// 15, the response is the mean likelihood (learn_colors.h) of the samples of the box whose middle
// is the window's, displaced: its left edge is side / 2 + dx * side / 32 - width / 2, halves
// rounded down. What lies beyond the window counts as 0.
//
// Sums are sums of integers: every device gives the same responses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "compute/array.h"
#include "compute/queue.h"
#include "kernels/filter_types.h"
#include "ops/filter/sample_colors.h"

namespace cltrack {

inline constexpr int kColorPlaces = CLTRACK_COLOR_PLACES;  // along each axis
inline constexpr std::size_t kColorResponses = std::size_t{kColorPlaces} * kColorPlaces;

// The response at a displacement is entry color_place(dx) * 32 + color_place(dy): 0 to 15 come
// first, then -16 to -1, as a filter's responses have them.
constexpr int color_place(int displacement) {
  return displacement < 0 ? displacement + kColorPlaces : displacement;
}

// The job of a box of width x height samples. Throws Error{invalid_argument} if one of them is not
// 1 to `side`, that of the window.
ColorResponseJob color_response_job(int window, int slot, int width, int height, int side);

// One window of side * side bins; `likelihoods`: kColorBins, `responses`: kColorResponses.
namespace reference {
void color_response(std::span<const std::uint16_t> bins, int side, const ColorResponseJob& job,
                    std::span<const std::uint16_t> likelihoods, std::span<float> responses);
}

namespace vector {
void color_response(std::span<const std::uint16_t> bins, int side, const ColorResponseJob& job,
                    std::span<const std::uint16_t> likelihoods, std::span<float> responses);
}

// `bins` as sample_colors() makes them, `likelihoods` as learn_colors() does. Responses of job i
// begin at kColorResponses * i. Resizes `responses`. Does not wait. Throws Error;
// Error{invalid_argument} if `side` is not a multiple of 32 up to kMostSampleSide, or a job's
// window or slot is not there.
void color_response(Queue& queue, const Array<std::uint16_t>& bins, int side,
                    const Array<ColorResponseJob>& jobs, const Array<std::uint16_t>& likelihoods,
                    Array<float>& responses);

}  // namespace cltrack
