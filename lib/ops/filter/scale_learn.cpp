// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/scale_learn.h"

#include <string>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "ops/filter/scale_tables.h"

namespace cltrack {

void check_scale_filters(const char* op, const Array<float>& spectra,
                         const Array<float>& numerators, const Array<float>& denominators) {
  if (spectra.size() % kScaleSpectrum != 0 || denominators.size() % kScaleBins != 0 ||
      numerators.size() != denominators.size() / kScaleBins * kScaleSpectrum) {
    throw Error(ErrorCode::invalid_argument,
                std::string(op) + ": " + std::to_string(spectra.size()) + " values of spectra, " +
                    std::to_string(numerators.size()) + " numerators, " +
                    std::to_string(denominators.size()) +
                    " denominators; allowed: " + std::to_string(kScaleSpectrum) +
                    " values and numerators for " + std::to_string(kScaleBins) + " denominators");
  }
}

void scale_learn(Queue& queue, const Array<float>& spectra, const Array<ScaleLearnJob>& jobs,
                 Array<float>& numerators, Array<float>& denominators) {
  check_scale_filters("scale_learn", spectra, numerators, denominators);
  if (jobs.size() == 0) return;
  if (queue.is_host()) {
    const auto from = spectra.host_read();
    const auto all = jobs.host_read();
    const auto above = numerators.host_update();
    const auto below = denominators.host_update();
    queue.run(static_cast<int>(all.size()), [&](int i) {
      const ScaleLearnJob& job = all[static_cast<std::size_t>(i)];
      const auto window = static_cast<std::size_t>(job.window);
      const auto slot = static_cast<std::size_t>(job.slot);
      vector::scale_learn(from.subspan(window * kScaleSpectrum, kScaleSpectrum), job.rate,
                          above.subspan(slot * kScaleSpectrum, kScaleSpectrum),
                          below.subspan(slot * kScaleBins, kScaleBins));
    });
    return;
  }
  launch(queue, {"scale_learn", "scale_learn"}, global(kScaleLanes, kScaleBins, jobs.size()),
         local(kScaleLanes, 1, 1), in(spectra), in(jobs), inout(numerators), inout(denominators));
}

}  // namespace cltrack
