// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/scale_spectra.h"

#include <string>

#include "cltrack/error.h"
#include "compute/launch.h"

namespace cltrack {
namespace {

constexpr int kItems = 64;      // of a work-group; GPUs
constexpr int kCpuValues = 16;  // of a work-item
static_assert(kScaleValues % kCpuValues == 0);

}  // namespace

void scale_spectra(Queue& queue, const Array<float>& features, Array<float>& spectra) {
  if (features.size() % kScaleFeatures != 0) {
    throw Error(ErrorCode::invalid_argument,
                "scale_spectra: " + std::to_string(features.size()) +
                    " features; allowed: " + std::to_string(kScaleFeatures) + " for each target");
  }
  const std::size_t targets = features.size() / kScaleFeatures;
  spectra.resize(targets * kScaleSpectrum);
  if (targets == 0) return;
  if (queue.is_host()) {
    const auto from = features.host_read();
    const auto to = spectra.host_write();
    queue.run(static_cast<int>(targets), [&](int target) {
      const auto i = static_cast<std::size_t>(target);
      vector::scale_spectra(from.subspan(i * kScaleFeatures, kScaleFeatures),
                            to.subspan(i * kScaleSpectrum, kScaleSpectrum));
    });
    return;
  }
  if (queue.device().is_cpu()) {
    launch(queue, {"scale_spectra_cpu", "scale_spectra"},
           global(kScaleValues / kCpuValues, kScaleBins, targets), local(1, 1, 1), in(features),
           out(spectra));
    return;
  }
  launch(queue, {"scale_spectra", "scale_spectra"}, global(kScaleValues, kScaleBins, targets),
         local(kItems, 1, 1), in(features), out(spectra));
}

}  // namespace cltrack
