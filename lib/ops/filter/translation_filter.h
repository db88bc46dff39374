// SPDX-License-Identifier: LGPL-2.1-or-later
// The translation filter: spectra of windows, learning with a spatial mask, and responses.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>

#include "compute/array.h"
#include "compute/queue.h"
#include "kernels/filter_types.h"
#include "kernels/kernel_types.h"
#include "ops/fourier/fft_plan.h"

namespace cltrack {

// The formulas behind FilterTables.

inline constexpr double kFilterGain = 6;
// The side of a window, in square roots of the target's area.
inline constexpr double kFilterArea = 5.5;
// The label is a Gaussian of an eighth of the target's size.
inline constexpr double kLabelSigma = CLTRACK_FILTER_CELLS / kFilterArea / 8;  // cells

// A Hann window, of a cell of a row or column.
inline double filter_weight(int cell) {
  return 0.5 * (1 - std::cos(2 * std::numbers::pi * (cell + 0.5) / CLTRACK_FILTER_CELLS));
}

// The response that the filter shall give when the target lies (x, y) cells away from where it was
// learnt, both taken modulo 32.
inline double filter_label(int x, int y) {
  const auto distance = [](int cell) {
    return cell < CLTRACK_FILTER_CELLS / 2 ? cell : cell - CLTRACK_FILTER_CELLS;
  };
  const double square = distance(x) * distance(x) + distance(y) * distance(y);
  return std::exp(-square / (2 * kLabelSigma * kLabelSigma));
}

// Fourier transforms of the features of a correlation filter.
//
// A window has 32 x 32 cells and 32 channels. A spectrum has, channel by channel, the real parts of
// 17 x 32 bins and then the imaginary parts: bin v * 32 + u is
//
//   sum over x, y of weight(x, y) * feature(x, y) * exp(-2 pi i (u x + v y) / 32)
//
// The other 15 rows follow from the features being real. The weight is a Hann window times 6, which
// brings histograms of gradients to a mean square of about 1.
//
// Channels c and c + 16 are transformed together, as one complex plane. The transform is that of
// ops/fourier in a fixed order: every device gives the same bits.

inline constexpr int kFilterCells = CLTRACK_FILTER_CELLS;
inline constexpr int kFilterChannels = CLTRACK_HOG_CHANNELS;
inline constexpr std::size_t kFilterPlane = CLTRACK_FILTER_CELLS * CLTRACK_FILTER_CELLS;
inline constexpr std::size_t kFilterBins = CLTRACK_FILTER_BINS;
inline constexpr std::size_t kFilterFeatures = CLTRACK_HOG_CHANNELS * kFilterPlane;
inline constexpr std::size_t kFilterSpectrum = CLTRACK_HOG_CHANNELS * 2 * kFilterBins;

// The tables that transforms need wherever they run.
struct FilterTables {
  FilterTables();

  FftPlan plan;
  FftStages stages = {};  // of the plan, for kernels
  Array<float> twiddles;
  Array<float> weights;  // of cell x * 32 + y
  Array<float> label;    // of each bin, see filter_learn()
};

// Features of a window as hog() has them: channel by channel, each column by column. In double,
// with the definition above.
namespace reference {
void filter_spectrum(std::span<const float> features, std::span<float> spectrum);
}

namespace vector {
void filter_spectrum(const FilterTables& tables, std::span<const float> features,
                     std::span<float> spectrum);
}

// The spectra of all windows in `features`, one behind the other. Resizes `spectra`. Does not wait.
// Throws Error; Error{invalid_argument} if `features` does not hold whole windows.
void filter_spectra(Queue& queue, const FilterTables& tables, const Array<float>& features,
                    Array<float>& spectra);

// Where a correlation filter responds: the sum over all channels of the correlation of filter and
// features, on the 32 x 32 cells of a window. Entry x * 32 + y is the response to the target having
// moved by (x, y) cells, both modulo 32; 1 is the peak of the response that the filter was trained
// for.
//
// Sums over channels go from channel 0 to 31 in every bin: every device gives the same bits.

// One spectrum and one filter, both kFilterSpectrum floats; response: kFilterPlane. In double, the
// result rounded.
namespace reference {
void filter_respond(std::span<const float> spectrum, std::span<const float> filter,
                    std::span<float> response);
}

namespace vector {
void filter_respond(const FilterTables& tables, std::span<const float> spectrum,
                    std::span<const float> filter, std::span<float> response);
}

// Response of job i begins at kFilterPlane * i. Reads window and slot of the jobs, which must lie
// inside spectra and filters. Resizes `responses`. Does not wait. Throws Error.
void filter_respond(Queue& queue, const FilterTables& tables, const Array<float>& spectra,
                    const Array<FilterJob>& jobs, const Array<float>& filters,
                    Array<float>& responses);

// Teaches correlation filters: spatially and temporally regularised, STRCF of Li, Tian, Zuo, Zhang,
// Yang, "Learning Spatial-Temporal Regularized Correlation Filters for Visual Tracking", CVPR 2018.
// Of features x, label y and the filter before f', the filter f minimises
//
//   |sum_c conj(f_c) x_c - y|^2 / 2 + mu |f - f'|^2 / 2      with f = 0 outside of the target
//
// by two steps of the alternating direction method of multipliers (its equations 9 to 13), with a
// penalty gamma of 0.3. In each bin, with T = 32 * 32, d = <x, q> / (T (gamma + mu) + |x|^2):
//
//   f = (q - x d) / (gamma + mu),   q = x y / T + mu f' + gamma h - l,   l = h = 0 at first
//
// and after each step h is f with all but the target's cells set to 0, l = gamma (f - h). The last
// h is the filter. Where the paper weighs the filter from 0.001 inside to 100000 outside, it is
// free or 0 here. (Authors' code keeps the last f, and takes penalties of 1 and 0.1. Such a filter
// has negative weights around the target: where the background stays while the target moves by less
// than a cell or two, it leads too far by a third of a cell.)

// How a target of width x height pixels is learnt. `temporal`: mu, 0 for the first frame.
FilterJob filter_job(int window, int slot, float width, float height, float temporal);

// One spectrum and the filter before, which is replaced; both kFilterSpectrum floats. With
// job.temporal 0, what was there before is not looked at.
namespace reference {
void filter_learn(const FilterJob& job, std::span<const float> spectrum, std::span<float> filter);
}

// `work`: kFilterSpectrum floats that need not be set.
namespace vector {
void filter_learn(const FilterTables& tables, const FilterJob& job, std::span<const float> spectrum,
                  std::span<float> work, std::span<float> filter);

// The same in four steps, for threads: the parts of a step, CLTRACK_FILTER_ROWS rows of bins or
// CLTRACK_FILTER_PAIRS pairs of channels, do not depend on each other.
void filter_learn_first(const FilterTables& tables, const FilterJob& job,
                        std::span<const float> spectrum, std::span<const float> filter, int row,
                        std::span<float> work);
void filter_learn_constrain(const FilterTables& tables, const FilterJob& job, int pair,
                            std::span<float> work);
void filter_learn_last(const FilterTables& tables, const FilterJob& job,
                       std::span<const float> spectrum, std::span<const float> filter, int row,
                       std::span<float> work);
void filter_learn_cut(const FilterTables& tables, const FilterJob& job, std::span<const float> work,
                      int pair, std::span<float> filter);
}  // namespace vector

// The filters of a step, and what the mask left of them, which only devices have.
struct FilterScratch {
  Array<float> first{kScratch}, masked{kScratch};
};

// Filters are at job.slot, no two jobs may have the same. Those without a job stay as they are.
// Does not wait. Throws Error, Error{invalid_argument} if a window or a slot does not exist.
void filter_learn(Queue& queue, const FilterTables& tables, const Array<float>& spectra,
                  const Array<FilterJob>& jobs, FilterScratch& scratch, Array<float>& filters);

}  // namespace cltrack
