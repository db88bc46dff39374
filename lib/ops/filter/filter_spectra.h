// SPDX-License-Identifier: LGPL-2.1-or-later
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
#pragma once

#include <cstddef>
#include <span>

#include "compute/array.h"
#include "compute/queue.h"
#include "kernels/filter_types.h"
#include "kernels/kernel_types.h"
#include "ops/fourier/fft_plan.h"

namespace cltrack {

inline constexpr int kFilterCells = CLTRACK_FILTER_CELLS;
inline constexpr int kFilterChannels = CLTRACK_HOG_CHANNELS;
inline constexpr std::size_t kFilterPlane = CLTRACK_FILTER_CELLS * CLTRACK_FILTER_CELLS;
inline constexpr std::size_t kFilterBins = CLTRACK_FILTER_BINS;
inline constexpr std::size_t kFilterFeatures = CLTRACK_HOG_CHANNELS * kFilterPlane;
inline constexpr std::size_t kFilterSpectrum = CLTRACK_HOG_CHANNELS * 2 * kFilterBins;

// What transforms need wherever they run.
struct FilterTables {
  FilterTables();

  FftPlan plan;
  FftStages stages = {};  // of the plan, for kernels
  Array<float> twiddles;
  Array<float> weights;  // of cell x * 32 + y
  Array<float> label;    // of each bin, see filter_learn.h
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

// Of all windows in `features`, one behind the other. Resizes `spectra`. Does not wait. Throws
// Error; Error{invalid_argument} if `features` does not hold whole windows.
void filter_spectra(Queue& queue, const FilterTables& tables, const Array<float>& features,
                    Array<float>& spectra);

}  // namespace cltrack
