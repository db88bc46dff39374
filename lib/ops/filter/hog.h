// SPDX-License-Identifier: LGPL-2.1-or-later
// HOG features of windows.
#pragma once

#include <cstdint>
#include <span>

#include "compute/array.h"
#include "compute/queue.h"
#include "kernels/filter_types.h"

namespace cltrack {

// Histograms of oriented gradients of square windows: the features of a correlation filter.
// Felzenszwalb, Girshick, McAllester, Ramanan, "Object Detection with Discriminatively Trained
// Part-Based Models", TPAMI 32(9), 2010, section 6.
//
// A cell is 4 x 4 samples. Each sample adds the length of its gradient to one of 18 directions of
// the four cells around it, by bilinear weights. A cell's histogram is divided by the norms of the
// four blocks of 2 x 2 cells that it is part of; what exceeds 0.2 is cut off. Its channels:
//   0..17   directions: half the sum over the four blocks
//   18..26  the same without regard to sign
//   27..30  0.2357 times the sum of the 18 directions, for each block
//   31      mean grey level / 255 - 0.5
// Beyond a window's border, samples and cells repeat the outermost ones.
//
// Histograms are sums of integers, and all else adds up in a fixed order: devices that divide and
// take roots exactly give the same features.

inline constexpr int kCellSide = CLTRACK_CELL_SIDE;  // samples
inline constexpr int kHogChannels = CLTRACK_HOG_CHANNELS;
inline constexpr int kHogDirections = CLTRACK_HOG_DIRECTIONS;

// A window of cells x cells. Samples as sample_windows() makes them, row by row; features channel
// by channel, each column by column (of cells).
namespace reference {
void hog(std::span<const std::uint16_t> samples, int cells, std::span<float> features);
}

namespace vector {
void hog(std::span<const std::uint16_t> samples, int cells, std::span<float> features);
}

// The results that a device keeps between its two kernels.
struct HogScratch {
  Array<std::uint32_t> histograms{kScratch}, greys{kScratch};
  Array<float> energies{kScratch};
};

// The features of all windows in `samples`, one behind the other. Resizes `features`. Does not
// wait. Throws Error; Error{invalid_argument} if `cells` is below 1 or `samples` does not hold
// whole windows.
void hog(Queue& queue, const Array<std::uint16_t>& samples, int cells, HogScratch& scratch,
         Array<float>& features);

}  // namespace cltrack
