// SPDX-License-Identifier: LGPL-2.1-or-later
// The discrete Fourier transform of 32 x 32 cells by its definition, in double: what the references
// of the correlation filter use.
#pragma once

#include <array>
#include <complex>
#include <numbers>

#include "ops/filter/translation_filter.h"

namespace cltrack::reference {

using ComplexPlane = std::array<std::array<std::complex<double>, kFilterCells>, kFilterCells>;

// result[u][v] = sum over x, y of plane[x][y] * exp(sign * 2 pi i (u x + v y) / 32).
inline ComplexPlane transform(const ComplexPlane& plane, int sign) {
  std::array<std::complex<double>, kFilterCells> turns;
  for (std::size_t k = 0; k < kFilterCells; ++k) {
    turns[k] = std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(k) / kFilterCells);
  }
  ComplexPlane half = {}, result = {};
  for (std::size_t u = 0; u < kFilterCells; ++u) {
    for (std::size_t x = 0; x < kFilterCells; ++x) {
      const std::complex<double> turn = turns[u * x % kFilterCells];
      for (std::size_t y = 0; y < kFilterCells; ++y) half[u][y] += turn * plane[x][y];
    }
  }
  for (std::size_t u = 0; u < kFilterCells; ++u) {
    for (std::size_t v = 0; v < kFilterCells; ++v) {
      for (std::size_t y = 0; y < kFilterCells; ++y) {
        result[u][v] += turns[v * y % kFilterCells] * half[u][y];
      }
    }
  }
  return result;
}

// All 32 rows of the spectrum of a real plane, out of the 17 that are kept.
inline ComplexPlane whole_spectrum(std::span<const std::complex<double>> bins) {
  ComplexPlane result;
  for (std::size_t u = 0; u < kFilterCells; ++u) {
    for (std::size_t v = 0; v < kFilterCells; ++v) {
      const std::size_t opposite = (kFilterCells - v) * kFilterCells + (kFilterCells - u) % 32;
      result[u][v] =
          v < CLTRACK_FILTER_ROWS ? bins[v * kFilterCells + u] : std::conj(bins[opposite]);
    }
  }
  return result;
}

// Bins of one channel of a spectrum.
inline std::array<std::complex<double>, kFilterBins> bins_of(std::span<const float> spectrum,
                                                             std::size_t channel) {
  std::array<std::complex<double>, kFilterBins> bins;
  const float* at = spectrum.data() + channel * 2 * kFilterBins;
  for (std::size_t i = 0; i < kFilterBins; ++i) {
    bins[i] = {static_cast<double>(at[i]), static_cast<double>(at[kFilterBins + i])};
  }
  return bins;
}

inline void write_bins(std::span<const std::complex<double>> bins, std::size_t channel,
                       std::span<float> spectrum) {
  float* to = spectrum.data() + channel * 2 * kFilterBins;
  for (std::size_t i = 0; i < kFilterBins; ++i) {
    to[i] = static_cast<float>(bins[i].real());
    to[kFilterBins + i] = static_cast<float>(bins[i].imag());
  }
}

}  // namespace cltrack::reference
