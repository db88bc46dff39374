// SPDX-License-Identifier: LGPL-2.1-or-later
// Colours of correlation filters' windows (Staple): samples, histograms, and responses.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cltrack/color_picture.h"
#include "cltrack/export.h"
#include "cltrack/image_view.h"
#include "compute/array.h"
#include "compute/queue.h"
#include "kernels/filter_types.h"
#include "ops/color/color_sums.h"

namespace cltrack {

// The colours of a window's samples, for histograms: Bertinetto, Valmadre, Golodetz, Miksik, Torr,
// "Staple: Complementary Learners for Real-Time Tracking", CVPR 2016, section 3.3.
//
// A sample has the colour of the one pixel that contains the middle of its rectangle, see
// sample_windows.h; beyond its borders the picture repeats its outermost pixels. (A mean of pixels
// would be of a colour that none of them has.) The colour is a bin of kColorBins:
//   c0 << 10 | c1 << 5 | c2
//   rgb         the upper 5 bits of red, green and blue
//   yuv         the upper 5 bits of Y; Cb and Cr from 64 to 191, 4 values a bin, what is beyond in
//               the outermost: few pictures have more than this around grey
//   luma alone  its upper 5 bits, 0, 0

inline constexpr int kColorBins = CLTRACK_COLOR_BINS;

namespace reference {
// side * side bins, row by row. The picture must have pixels.
void sample_colors(const ColorPicture& picture, const WindowJob& job, int side,
                   std::span<std::uint16_t> bins);
}  // namespace reference

// Window of job i begins at side * side * i. Resizes `bins`. Does not wait. Throws Error;
// Error{invalid_argument} if there is no picture or `side` is not 1 to kMostSampleSide.
void sample_colors(Queue& queue, const PictureSource& source, const Array<WindowJob>& jobs,
                   int side, Array<std::uint16_t>& bins);

// The colours of a target, and those of its background: the histograms of Staple
// (sample_colors() names the paper), and by them how likely a pixel of each colour is the target's.
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

// How much a box at each place of a window looks like the target by its colours: the histogram
// score of Staple (sample_colors() names the paper).
//
// A window has 32 x 32 cells of side / 32 samples. For each displacement by dx and dy cells, -16 to
// 15, the response is the mean likelihood (learn_colors()) of the samples of the box whose middle
// is the window's, displaced: its left edge is side / 2 + dx * side / 32 - width / 2, halves
// rounded down. What lies beyond the window counts as 0.
//
// Sums are sums of integers: every device gives the same responses.

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
