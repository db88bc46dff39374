// SPDX-License-Identifier: LGPL-2.1-or-later
// What the ops that take FilterJob share.
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "cltrack/error.h"
#include "ops/filter/filter_spectra.h"

namespace cltrack {

// Throws Error{invalid_argument} unless every job's window and slot exist. Sizes in floats.
inline void check_jobs(const char* op, std::span<const FilterJob> jobs, std::size_t spectra,
                       std::size_t filters) {
  for (const FilterJob& job : jobs) {
    if (job.window >= 0 && static_cast<std::size_t>(job.window) < spectra / kFilterSpectrum &&
        job.slot >= 0 && static_cast<std::size_t>(job.slot) < filters / kFilterSpectrum) {
      continue;
    }
    throw Error(ErrorCode::invalid_argument,
                std::string(op) + ": window " + std::to_string(job.window) + " of " +
                    std::to_string(spectra / kFilterSpectrum) + ", filter " +
                    std::to_string(job.slot) + " of " + std::to_string(filters / kFilterSpectrum));
  }
}

// Spectrum or filter `index` of several.
template <typename Float>
std::span<Float> spectrum_at(std::span<Float> all, int index) {
  return all.subspan(static_cast<std::size_t>(index) * kFilterSpectrum, kFilterSpectrum);
}

}  // namespace cltrack
