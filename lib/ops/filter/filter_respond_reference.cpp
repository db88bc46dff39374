// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/filter_respond.h"
#include "ops/filter/reference_transform.h"

namespace cltrack::reference {

void filter_respond(std::span<const float> spectrum, std::span<const float> filter,
                    std::span<float> response) {
  std::array<std::complex<double>, kFilterBins> sums = {};
  for (std::size_t channel = 0; channel < kFilterChannels; ++channel) {
    const auto x = bins_of(spectrum, channel), f = bins_of(filter, channel);
    for (std::size_t i = 0; i < kFilterBins; ++i) sums[i] += std::conj(f[i]) * x[i];
  }
  const ComplexPlane plane = transform(whole_spectrum(sums), 1);
  for (std::size_t x = 0; x < kFilterCells; ++x) {
    for (std::size_t y = 0; y < kFilterCells; ++y) {
      response[x * kFilterCells + y] =
          static_cast<float>(plane[x][y].real() / static_cast<double>(kFilterPlane));
    }
  }
}

}  // namespace cltrack::reference
