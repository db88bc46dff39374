// SPDX-License-Identifier: LGPL-2.1-or-later
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
#pragma once

#include <span>

#include "ops/filter/filter_spectra.h"

namespace cltrack {

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
  Array<float> first, masked;
};

// Filters are at job.slot, no two jobs may have the same. Those without a job stay as they are.
// Does not wait. Throws Error, Error{invalid_argument} if a window or a slot does not exist.
void filter_learn(Queue& queue, const FilterTables& tables, const Array<float>& spectra,
                  const Array<FilterJob>& jobs, FilterScratch& scratch, Array<float>& filters);

}  // namespace cltrack
