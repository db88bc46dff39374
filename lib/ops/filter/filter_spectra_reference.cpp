// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/filter_weights.h"
#include "ops/filter/reference_transform.h"

namespace cltrack::reference {

void filter_spectrum(std::span<const float> features, std::span<float> spectrum) {
  for (std::size_t channel = 0; channel < kFilterChannels; ++channel) {
    ComplexPlane plane;
    for (std::size_t x = 0; x < kFilterCells; ++x) {
      for (std::size_t y = 0; y < kFilterCells; ++y) {
        const float feature = features[channel * kFilterPlane + x * kFilterCells + y];
        plane[x][y] = kFilterGain * filter_weight(static_cast<int>(x)) *
                      filter_weight(static_cast<int>(y)) * static_cast<double>(feature);
      }
    }
    const ComplexPlane all = transform(plane, -1);
    std::array<std::complex<double>, kFilterBins> bins;
    for (std::size_t v = 0; v < CLTRACK_FILTER_ROWS; ++v) {
      for (std::size_t u = 0; u < kFilterCells; ++u) bins[v * kFilterCells + u] = all[u][v];
    }
    write_bins(bins, channel, spectrum);
  }
}

}  // namespace cltrack::reference
