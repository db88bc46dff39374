// SPDX-License-Identifier: LGPL-2.1-or-later
#include <cstring>

#include "core/processor.h"
#include "ops/filter/scale_spectra.h"
#include "ops/filter/scale_tables.h"

namespace cltrack::vector {
namespace {

using Floats4 [[gnu::vector_size(16)]] = float;
using Floats8 [[gnu::vector_size(32)]] = float;

template <typename Floats>
constexpr int kLanes = sizeof(Floats) / sizeof(float);
constexpr int kVectors = 2;             // of values that are made at a time
constexpr std::size_t kBinsAtOnce = 2;  // so that all sums of a block stay in registers

// weights[part * kScaleBins + bin]: real parts first.
constexpr auto make_weights() {
  std::array<std::array<float, kScales>, 2 * std::size_t{kScaleBins}> weights = {};
  for (std::size_t k = 0; k < kScaleBins; ++k) {
    for (std::size_t s = 0; s < kScales; ++s) {
      weights[k][s] = kScaleHann[s] * kScaleCos[k][s];
      weights[kScaleBins + k][s] = -(kScaleHann[s] * kScaleSin[k][s]);
    }
  }
  return weights;
}
constexpr auto kWeights = make_weights();

// One vector at a time: gcc copies several in halves, through memory.
template <typename Floats>
[[gnu::always_inline]] inline void load(Floats* to, const float* from) {
  for (int i = 0; i < kVectors; ++i) std::memcpy(&to[i], from + kLanes<Floats> * i, sizeof(*to));
}
template <typename Floats>
[[gnu::always_inline]] inline void store(const Floats* from, float* to) {
  for (int i = 0; i < kVectors; ++i) std::memcpy(to + kLanes<Floats> * i, &from[i], sizeof(*from));
}

// `count` bins of a block of values.
template <typename Floats, std::size_t count>
[[gnu::always_inline]] inline void transform(const float* features, std::size_t bin,
                                             float* spectrum) {
  Floats re[count][kVectors] = {}, im[count][kVectors] = {};
  for (std::size_t s = 0; s < kScales; ++s) {
    Floats values[kVectors];
    load(values, features + s * kScaleValues);
    for (std::size_t k = 0; k < count; ++k) {
      for (int i = 0; i < kVectors; ++i) {
        re[k][i] += kWeights[bin + k][s] * values[i];
        im[k][i] += kWeights[kScaleBins + bin + k][s] * values[i];
      }
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    float* to = spectrum + 2 * (bin + k) * kScaleValues;
    store(re[k], to);
    store(im[k], to + kScaleValues);
  }
}

template <typename Floats>
[[gnu::always_inline]] inline void make_spectrum(const float* features, float* spectrum) {
  constexpr int kBlock = kVectors * kLanes<Floats>;
  static_assert(kScaleValues % kBlock == 0);
  constexpr std::size_t kRest = kScaleBins % kBinsAtOnce;
  for (int v = 0; v < kScaleValues; v += kBlock) {
    for (std::size_t k = 0; k + kRest < kScaleBins; k += kBinsAtOnce) {
      transform<Floats, kBinsAtOnce>(features + v, k, spectrum + v);
    }
    transform<Floats, kRest>(features + v, kScaleBins - kRest, spectrum + v);
  }
}

void make_narrow(const float* features, float* spectrum) {
  make_spectrum<Floats4>(features, spectrum);
}
CLTRACK_AVX2 void make_wide(const float* features, float* spectrum) {
  make_spectrum<Floats8>(features, spectrum);
}

}  // namespace

void scale_spectra(std::span<const float> features, std::span<float> spectrum) {
  static const auto body = fastest_body(make_narrow, make_wide);
  body(features.data(), spectrum.data());
}

}  // namespace cltrack::vector
