// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/scale_spectra.h"
#include "ops/filter/scale_tables.h"

namespace cltrack::reference {

void scale_spectra(std::span<const float> features, std::span<float> spectrum) {
  for (std::size_t k = 0; k < kScaleBins; ++k) {
    for (std::size_t v = 0; v < kScaleValues; ++v) {
      float re = 0, im = 0;
      for (std::size_t s = 0; s < kScales; ++s) {
        const float feature = features[s * kScaleValues + v];
        re += kScaleHann[s] * kScaleCos[k][s] * feature;
        im += -(kScaleHann[s] * kScaleSin[k][s]) * feature;
      }
      spectrum[2 * k * kScaleValues + v] = re;
      spectrum[(2 * k + 1) * kScaleValues + v] = im;
    }
  }
}

}  // namespace cltrack::reference
