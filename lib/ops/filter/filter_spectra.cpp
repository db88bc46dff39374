// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/filter_spectra.h"

#include <string>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "core/processor.h"
#include "ops/filter/filter_plane.h"

namespace cltrack {
namespace {

constexpr int kItems = 256;  // of a work-group

[[gnu::always_inline]] inline void transform(const FftPlan& plan, const float* weights,
                                             const float* features, std::size_t pair,
                                             float* spectrum) {
  const float* first = features + pair * kFilterPlane;
  const float* second = first + CLTRACK_FILTER_PAIRS * kFilterPlane;
  filter_plane::Plane plane;
  for (int x = 0; x < kFilterCells; ++x) {
    for (int block = 0; block < filter_plane::kBlocks; ++block) {
      const int cell = x * kFilterCells + 8 * block;
      Floats8 weight;
      Complex8& value = plane.rows[x][block];
      filter_plane::load(weight, weights + cell);
      filter_plane::load(value.re, first + cell);
      filter_plane::load(value.im, second + cell);
      value.re *= weight;
      value.im *= weight;
    }
  }
  float* to = spectrum + pair * 2 * kFilterBins;
  filter_plane::forward(plan, plane, to, to + CLTRACK_FILTER_PAIRS * 2 * kFilterBins);
}

void transform_pair(const FilterTables& tables, std::span<const float> features, int pair,
                    std::span<float> spectrum) {
  kFastest<transform>(tables.plan, tables.weights.host_read().data(), features.data(),
                      static_cast<std::size_t>(pair), spectrum.data());
}

}  // namespace

namespace vector {

void filter_spectrum(const FilterTables& tables, std::span<const float> features,
                     std::span<float> spectrum) {
  for (int pair = 0; pair < CLTRACK_FILTER_PAIRS; ++pair) {
    transform_pair(tables, features, pair, spectrum);
  }
}

}  // namespace vector

void filter_spectra(Queue& queue, const FilterTables& tables, const Array<float>& features,
                    Array<float>& spectra) {
  const std::size_t windows = features.size() / kFilterFeatures;
  if (windows * kFilterFeatures != features.size()) {
    throw Error(ErrorCode::invalid_argument,
                "filter_spectra: " + std::to_string(features.size()) +
                    " features are no windows of 32 x 32 cells with 32 channels");
  }
  spectra.resize(windows * kFilterSpectrum);
  if (windows == 0) return;
  if (queue.is_host()) {
    const auto from = features.host_read();
    const auto to = spectra.host_write();
    constexpr int kPairs = CLTRACK_FILTER_PAIRS;
    queue.run(static_cast<int>(windows) * kPairs, [&](int part) {
      const auto i = static_cast<std::size_t>(part / kPairs);
      transform_pair(tables, from.subspan(i * kFilterFeatures, kFilterFeatures), part % kPairs,
                     to.subspan(i * kFilterSpectrum, kFilterSpectrum));
    });
    return;
  }
  const KernelName name = {"filter_spectra", "filter_spectra"};
  const auto items = items_of_group(queue, name, 1, kItems);
  launch(queue, name, global(windows * CLTRACK_FILTER_PAIRS * items), local(items), in(features),
         in(tables.weights), tables.stages, in(tables.twiddles), out(spectra),
         local_memory<float>(4 * kFilterPlane));
}

}  // namespace cltrack
